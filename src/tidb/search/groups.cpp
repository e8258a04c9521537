// SPDX-License-Identifier: BSD-2-Clause
#include "ballast/tidb/search/groups.hpp"

#include "ballast/core/strings.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace ballast::tidb {

namespace {

constexpr std::string_view kUnknown = "??????";

/// One group while the plan goes on.
struct Group {
  const SetSpec* wished = nullptr;  // nullptr: deleted
  const LiveSet* live = nullptr;    // nullptr: new
  std::int64_t updated = 0;
  std::int64_t outdated = 0;
  std::vector<std::string> names;  // of instances that exist, where they are known
};

class GroupPlanner {
 public:
  explicit GroupPlanner(const Input& input) : input_(input), live_(input.live) {
    ns_ = input.desired.ns.empty() ? "default" : input.desired.ns;
  }

  Outcome run() {
    out_.notes.push_back(
        {"N-PROPOSAL", "", "groups of operator v2, each shown as a set of its component"});
    out_.notes.push_back(
        {"N-PARALLEL", "",
         "groups of one component proceed at the same time; one instance at a time "
         "holds within a group"});
    for (const Remark& remark : input_.desired.remarks)
      warn(remark.code, remark.subject, remark.text);
    const auto& pd = input_.desired.of(Component::Pd);
    if (pd.size() > 1 && !input_.options.features.contains("MultiPDGroup")) {
      warn("W-MULTI-PD-GROUP", input_.desired.name,
           "more than one PDGroup needs the feature MultiPDGroup");
    }
    if (input_.desired.paused) {
      warn("W-PAUSED", input_.desired.name,
           "the cluster is paused; the plan is made as if it were not");
    }
    for (const Component c : kComponents) {
      stop_code_.empty() ? component(c) : defer(c);
    }
    std::ranges::stable_sort(out_.warnings, {},
                             [](const Warning& w) { return std::pair(w.code, w.subject); });
    return std::move(out_);
  }

 private:
  void warn(std::string code, std::string subject, std::string text) {
    out_.warnings.push_back(
        {std::move(code), std::move(subject), std::move(text), Severity::Warning, {}});
  }

  Step make(Action action, Component c, std::string set, std::string object, std::string detail,
            std::string code, std::string reason) {
    Step step;
    step.action = action;
    step.component = c;
    step.set = std::move(set);
    step.object = std::move(object);
    step.detail = std::move(detail);
    step.reason_code = std::move(code);
    step.reason = std::move(reason);
    step.bytes = 0;
    return step;
  }

  std::vector<std::pair<const SetSpec*, const LiveSet*>> groups(Component c) const {
    std::vector<std::pair<const SetSpec*, const LiveSet*>> result;
    const auto named = input_.options.order.find(c);
    if (named != input_.options.order.end()) {
      for (const std::string& name : named->second) {
        if (const SetSpec* spec = input_.desired.find(c, name)) {
          result.emplace_back(spec, input_.live.find(c, name));
        }
      }
    }
    for (const SetSpec& spec : input_.desired.of(c)) {
      const auto listed =
          std::ranges::find(result, &spec, [](const auto& pair) { return pair.first; });
      if (listed == result.end()) result.emplace_back(&spec, input_.live.find(c, spec.name));
    }
    if (!input_.desired.given[index_of(c)]) return result;
    for (const LiveSet& live : input_.live.of(c)) {
      if (input_.desired.find(c, live.name) == nullptr) result.emplace_back(nullptr, &live);
    }
    return result;
  }

  void component(Component c) {
    for (const auto& [spec, live] : groups(c)) {
      if (!stop_code_.empty()) return;
      group(c, spec, live);
    }
    for (const auto& [spec, live] : groups(c)) {
      const SetSpec& any = spec != nullptr ? *spec : live->spec;
      out_.summary.push_back({c, any.name, live == nullptr ? 0 : live->replicas,
                              spec == nullptr ? 0 : spec->replicas});
    }
  }

  static bool changes(const SetSpec* spec, const LiveSet* live) {
    if (spec == nullptr || live == nullptr) return true;
    return spec->replicas != live->replicas || !restart_fields(live->spec, *spec).empty() ||
           live->rolling();
  }

  void defer(Component c) {
    for (const auto& [spec, live] : groups(c)) {
      if (!changes(spec, live)) continue;
      Step step = make(Action::Deferred, c, spec != nullptr ? spec->name : live->name, "-",
                       stop_code_, "", fmt::format("not handled while {} is blocked", stop_code_));
      step.code = stop_code_;
      out_.steps.push_back(std::move(step));
    }
  }

  void create(Component c, const SetSpec& spec) {
    const std::string code = input_.live.exists ? "NEW_SET" : "NEW_CLUSTER";
    const auto service = [&](const std::string& name, const char* why) {
      out_.steps.push_back(make(Action::CreateService, c, spec.name, name, "-", code, why));
    };
    if (c != Component::Tikv) service(spec.statefulset, "clients reach the group through it");
    service(spec.statefulset + "-peer", "headless, gives the instances their names");
    out_.steps.push_back(make(Action::CreateConfigMap, c, spec.name, spec.statefulset, "-", code,
                              "one per instance, from the group's config"));
    Step step = make(Action::CreateStatefulSet, c, spec.name, spec.statefulset,
                     fmt::format("replicas {}", spec.replicas), code,
                     c == Component::Pd && !spec.bootstrapped && !input_.live.exists
                         ? "starts a new PD cluster with its replicas as initial number"
                         : "instances are created and join");
    if (spec.replicas > 0) {
      step.waits.push_back({fmt::format("every instance of {} is Ready", spec.name), "", "", 0});
    }
    out_.steps.push_back(std::move(step));
  }

  /// Instances as PD knows them; their names are only told where all of them are known.
  std::vector<std::string> known_names(Component c, const LiveSet& live) const {
    std::vector<std::string> names;
    const std::string prefix = live.statefulset + "-";
    if (c == Component::Tikv && input_.live.stores_known) {
      for (const Store& store : input_.live.stores) {
        const bool counts = store.state != StoreState::Tombstone && store.pod.starts_with(prefix);
        if (counts) names.push_back(store.pod);
      }
    }
    if (c == Component::Pd && input_.live.members_known) {
      for (const Member& member : input_.live.members) {
        if (member.name.starts_with(prefix)) names.push_back(member.name);
      }
    }
    std::ranges::sort(names);
    if (static_cast<std::int64_t>(names.size()) != live.replicas) names.clear();
    return names;
  }

  void group(Component c, const SetSpec* spec, const LiveSet* live) {
    if (live == nullptr) {
      create(c, *spec);
      return;
    }
    Group state{spec, live, 0, 0, known_names(c, *live)};
    const auto fields =
        spec == nullptr ? std::vector<std::string>{} : restart_fields(live->spec, *spec);
    state.outdated = !fields.empty() ? live->replicas
                                     : std::ranges::count_if(
                                           live->pods, [](const LivePod& p) { return !p.updated; });
    state.updated = live->replicas - state.outdated;
    if (!fields.empty()) {
      Step step = make(Action::UpdateTemplate, c, spec->name, live->statefulset,
                       fmt::format("fields {}", join(fields, ",")), "TEMPLATE_CHANGED",
                       "a new revision of the group; instances follow one by one");
      if (const auto after = gate(c, fields); !after.empty()) {
        step.waits.push_back(
            {fmt::format("{} at the new version, healthy and up to date", after), "", "", 0});
      }
      out_.steps.push_back(std::move(step));
    }
    rollout(c, state);
    if (spec != nullptr || !stop_code_.empty()) return;
    out_.steps.push_back(make(Action::DeleteStatefulSet, c, live->name, live->statefulset, "-",
                              "SET_REMOVED", "the group is no longer wished and has no instances"));
  }

  /// Only version changes are ordered between components.
  std::string gate(Component c, const std::vector<std::string>& fields) const {
    const bool version = std::ranges::find(fields, "version") != fields.end();
    if (!version || input_.desired.no_constraints || c == Component::Pd) return "";
    return c == Component::Tikv ? "PD and TiFlash are" : "PD, TiFlash and TiKV are";
  }

  /// The operator's loop over one group.
  void rollout(Component c, Group& state) {
    const std::int64_t wished = state.wished == nullptr ? 0 : state.wished->replicas;
    const std::int64_t surge =
        c == Component::Tidb && state.wished != nullptr ? state.wished->max_surge : 0;
    const std::int64_t away = c == Component::Tidb ? 0 : 1;
    while (state.updated != wished || state.outdated != 0) {
      const std::int64_t total = state.updated + state.outdated;
      const std::int64_t most = wished + std::min(surge, state.outdated);
      const std::int64_t least = wished - away;
      bool going = true;
      if (total < most) {
        add(c, state, total);
      } else if (total > most) {
        going = remove(c, state, total, state.updated > wished);
      } else if (state.updated < wished && total > least) {
        going = c == Component::Tidb ? remove(c, state, total, false) : update(c, state);
      } else {
        going = remove(c, state, total, false);
      }
      if (!going) return;
    }
  }

  std::string name_of_instance(Group& state) {
    const std::string& prefix = state.live->statefulset;
    if (state.names.empty()) return fmt::format("{}-{}", prefix, kUnknown);
    std::string name = state.names.front();
    state.names.erase(state.names.begin());
    return name;
  }

  void add(Component c, Group& state, std::int64_t total) {
    const std::string name = fmt::format("{}-{}", state.live->statefulset, kUnknown);
    Step step = make(Action::ScaleOut, c, state.live->name, name,
                     fmt::format("replicas {}->{}", total, total + 1), "REPLICAS_RAISED",
                     "one instance more, on the newest template");
    if (c == Component::Tidb && state.outdated > 0) {
      step.reason_code = "TEMPLATE_CHANGED";
      step.reason = "replaces an outdated instance";
    }
    step.replicas_before = total;
    step.replicas_after = total + 1;
    step.waits.push_back({"the new instance is Ready", "", "", 0});
    out_.steps.push_back(std::move(step));
    ++state.updated;
    if (c == Component::Tikv) ++more_stores_;
  }

  std::int64_t up_stores() const {
    return more_stores_ + std::ranges::count_if(live_.stores, [](const Store& s) {
             return s.state == StoreState::Up && !s.tiflash;
           });
  }

  bool remove(Component c, Group& state, std::int64_t total, bool updated) {
    const std::string name = name_of_instance(state);
    if (c == Component::Tikv && up_stores() <= input_.max_replicas &&
        !refuse(c, state.live->name, name, "U-TIKV-MAXREPLICAS",
                fmt::format("more than {} Up stores for {} copies", input_.max_replicas,
                            input_.max_replicas),
                fmt::format("{} Up stores", up_stores()))) {
      return false;
    }
    Step step = make(Action::ScaleIn, c, state.live->name, name,
                     fmt::format("replicas {}->{}", total, total - 1),
                     state.wished == nullptr ? "SET_REMOVED" : "REPLICAS_LOWERED",
                     "weakest instance first: user priority, not ready, not running, not leader");
    if (state.wished != nullptr && !updated && c == Component::Tidb)
      step.reason_code = "TEMPLATE_CHANGED";
    step.replicas_before = total;
    step.replicas_after = total - 1;
    if (c == Component::Tikv) {
      step.substeps = {
          "set spec.offline: true on the instance",
          "wait until its store is Removed (reversible until then by raising replicas)",
          "delete the instance and its claims"};
      Store* store = live_.store_of(name);
      if (store == nullptr && !live_.stores.empty()) {
        const auto any = std::ranges::find(live_.stores, StoreState::Up, &Store::state);
        if (any != live_.stores.end()) store = &*any;
      }
      step.bytes = std::nullopt;
      if (store != nullptr) {
        if (store->pod == name) step.bytes = store->used_bytes;
        store->state = StoreState::Tombstone;
      } else {
        --more_stores_;
      }
    }
    if (c == Component::Pd)
      step.substeps = {"if it is leader: transfer to the healthiest peer", "delete the member"};
    step.waits.push_back({"the instance is gone", "", "", 0});
    out_.steps.push_back(std::move(step));
    updated ? --state.updated : --state.outdated;
    return true;
  }

  bool update(Component c, Group& state) {
    Step step = make(Action::RestartPod, c, state.live->name, name_of_instance(state), "-",
                     "TEMPLATE_CHANGED", "outdated; unready ones first, one at a time in a group");
    if (c == Component::Pd)
      step.substeps.emplace_back("if it is leader: transfer to the peer healthy longest");
    if (c == Component::Tikv) {
      step.substeps.emplace_back("wait until no other store is down");
      step.substeps.emplace_back("evict its leaders");
    }
    step.waits.push_back(
        {"the instance is Ready", "", "", input_.desired.min_ready_s[index_of(c)]});
    out_.steps.push_back(std::move(step));
    --state.outdated;
    ++state.updated;
    return true;
  }

  bool refuse(Component c, const std::string& set, const std::string& object, std::string code,
              std::string required, std::string observed) {
    const std::string text = fmt::format("{}; {}", required, observed);
    if (input_.options.allow_unsafe) {
      out_.warnings.push_back({code,
                               object,
                               text,
                               Severity::Danger,
                               {static_cast<std::int64_t>(out_.steps.size()) + 1}});
      return true;
    }
    Step step = make(Action::Blocked, c, set, object, code, "", text);
    step.code = code;
    step.required = std::move(required);
    step.observed = std::move(observed);
    out_.steps.push_back(std::move(step));
    stop_code_ = code;
    return false;
  }

  const Input& input_;
  Live live_;
  Outcome out_;
  std::string ns_;
  std::string stop_code_;
  std::int64_t more_stores_ = 0;
};

}  // namespace

Outcome plan_groups(const Input& input) { return GroupPlanner(input).run(); }

}  // namespace ballast::tidb
