// SPDX-License-Identifier: BSD-2-Clause
#include "ballast/core/strings.hpp"
#include "ballast/core/words.hpp"
#include "ballast/tidb/search/basis/end_state.hpp"
#include "ballast/tidb/search/basis/versions.hpp"
#include "ballast/tidb/search/engine/engine.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace ballast::tidb {

namespace {

/// What a reader of the list form must know when the cluster so far is in the single form.
constexpr std::string_view kListForm =
    "spec.pd, tikv, tidb become lists under the same API version: (1) operators and clients that "
    "know only the object cannot "
    "decode it, and no roll-back to them is possible; (2) status.<c>.statefulSet becomes a list "
    "without names; (3) columns and "
    "scripts with paths such as .spec.tikv.replicas show nothing; (4) v1 operators recognise "
    "stores and members by address, "
    "pods of extra sets would count as foreign; (5) tidb-scheduler finds the cluster by cutting "
    "the pod's generate name; "
    "(6) discovery counts the replicas of one PD spec; (7) charts, digests and backups address one "
    "StatefulSet per component; "
    "(8) selectors of the default set match the pods of all sets";

}  // namespace

void Engine::warn_input() {
  if (has_several_sets()) {
    note("N-PROPOSAL",
         "no released v1 operator has several sets of one component: real rules of one set, "
         "applied to sets as proposed");
  }
  for (const Remark& remark : input_.desired.remarks) {
    if (remark.code.starts_with("A-")) {
      assume(remark.code, remark.text);
    } else {
      warn(remark.code, remark.subject, remark.text);
    }
  }
  if (input_.current) {
    for (const Remark& remark : input_.current->remarks) {
      if (!remark.code.starts_with("A-")) warn(remark.code, remark.subject, remark.text);
    }
  }
  for (const Remark& remark : input_.live.remarks) warn(remark.code, remark.subject, remark.text);
  if (input_.desired.paused)
    warn("W-PAUSED", cluster_, "the cluster is paused; the plan is made as if it were not");
  if (input_.desired.form == Form::Hetero) {
    note("N-HETERO",
         "the operator reconciles each TidbCluster on its own: one pod at a time over all sets is "
         "not kept by it");
  }
  warn_slots();
  if (input_.options.names.config_map == ConfigMapName::Short) {
    warn("W-CM-SHORT", cluster_, "short ConfigMap names clash between clusters of one namespace");
  }
  const bool was_single = input_.current && (input_.current->form == Form::Single ||
                                             input_.current->form == Form::Merged);
  if (was_single && input_.desired.form == Form::List)
    warn("W-LIST-FORM", cluster_, std::string(kListForm));
  warn_not_planned(input_, out_);
}

bool Engine::has_several_sets() const {
  return std::ranges::any_of(kComponents, [&](Component c) {
    const auto is_extra = [](const std::string& set) { return set != kDefaultSet; };
    return std::ranges::any_of(order_[index_of(c)], is_extra) ||
           std::ranges::any_of(removed_[index_of(c)], is_extra);
  });
}

void Engine::warn_sets(Component c) {
  const auto& sets = input_.desired.of(c);
  for (const SetSpec& spec : sets) {
    const bool is_default = spec.name == kDefaultSet;
    const bool runs = start_.find(c, spec.name) != nullptr;
    if (!is_default && live_.exists && target(c, spec.name) == 0 && runs) {
      warn("W-SET-EMPTY", spec.statefulset,
           fmt::format("{} stays as an empty set; its entry can be deleted", spec.name));
    }
    if (is_default && spec.replicas == 0 && sets.size() > 1 && runs) {
      note("N-DEFAULT-ZERO",
           fmt::format("{}: the default set cannot be removed, only set to 0", name_of(c)));
    }
    const LiveSet* live = start_.find(c, spec.name);
    if (!v16() && live != nullptr && spec.storage_bytes && live->spec.storage_bytes &&
        *spec.storage_bytes != *live->spec.storage_bytes) {
      warn("W-STORAGE-IGNORED", live->statefulset,
           "storage of an existing set cannot change; the other way: a new set with the wished "
           "storage, then drain the old one");
    }
  }
  for (const std::string& removed : removed_[index_of(c)]) {
    const LiveSet* old = start_.find(c, removed);
    if (old == nullptr) continue;
    if (removed == old->statefulset) {
      warn("W-DEFAULT-RENAMED", old->statefulset,
           "the name style of the default set differs from the running one: a new StatefulSet, and "
           "a drain of the old one");
    }
    for (const SetSpec& spec : sets) {
      if (start_.find(c, spec.name) != nullptr) continue;
      if (spec.replicas == old->spec.replicas && restart_fields(old->spec, spec).empty() &&
          spec.storage_bytes == old->spec.storage_bytes) {
        warn(
            "W-RENAME", spec.statefulset,
            fmt::format(
                "{} and {} differ in name only: data is moved by draining, a set cannot be renamed",
                removed, spec.name));
      }
    }
  }
}

void Engine::warn_end_state() {
  for (const Component c : kComponents) {
    if (input_.desired.given[index_of(c)]) warn_sets(c);
  }
  warn_totals(input_, out_);
  warn_downgrades(input_, out_);
  const auto& tidb = input_.desired.of(Component::Tidb);
  if (tidb.size() > 1 && input_.desired.form != Form::Hetero) {
    warn("W-MAIN-SERVICE-MIXES", client_service(cluster_, Component::Tidb),
         "the main service still spreads over all TiDB pods: move clients to the services of the "
         "sets to isolate them");
    const auto type = tidb.front().service.find("type");
    if (type != tidb.front().service.end() &&
        (type->second.find("NodePort") != std::string::npos ||
         type->second.find("LoadBalancer") != std::string::npos)) {
      note("N-SERVICE-COUNT",
           fmt::format("{} TiDB services are exposed: one per set and the main one",
                       tidb.size() + 1));
    }
    const bool same = std::ranges::any_of(tidb, [&](const SetSpec& a) {
      return std::ranges::any_of(tidb, [&](const SetSpec& b) {
        return &a < &b && a.placement.node_selector == b.placement.node_selector &&
               a.placement.cpu_milli == b.placement.cpu_milli &&
               a.placement.memory_bytes == b.placement.memory_bytes &&
               a.placement.node_terms.size() == b.placement.node_terms.size();
      });
    });
    if (same) note("N-SAME-NODES", "TiDB sets with the same selectors and requests share nodes");
  }
  const auto& pds = input_.desired.of(Component::Pd);
  if (!live_.exists || start_.of(Component::Pd).empty()) {
    const auto first = std::ranges::find_if(
        order_[0], [&](const std::string& s) { return wished(Component::Pd, s)->replicas > 0; });
    if (pds.size() > 1 && first != order_[0].end()) {
      note("N-PD-BOOTSTRAP", fmt::format("{} forms the cluster alone, told to start by the last of "
                                         "its pods to contact discovery; other PD sets join",
                                         *first));
    }
    const SetSpec* spec = wished(Component::Pd, std::string(kDefaultSet));
    if (spec != nullptr && spec->replicas == 0 && pds.size() > 1) {
      warn("W-PD-BOOTSTRAP-EXTRA", spec->statefulset,
           "the default PD set has 0 replicas in a new cluster: an extra set forms it");
    }
  }
}

/// An outdated pod that is not well waits for its turn while others of its component are taken
/// down.
void Engine::warn_outdated() {
  for (const Component c : kComponents) {
    for (const LiveSet& set : start_.of(c)) {
      for (const LivePod& pod : set.pods) {
        if (pod.ready && pod.healthy) continue;
        const auto own = std::ranges::find_if(out_.steps, [&](const Line& s) {
          return s.action == Action::RestartPod && s.object == pod.name;
        });
        if (own == out_.steps.end()) continue;
        const auto before = std::count_if(out_.steps.begin(), own, [&](const Line& s) {
          return s.component == c &&
                 (s.action == Action::ScaleIn || s.action == Action::RestartPod);
        });
        if (before == 0) continue;
        warn("W-OUTDATED-NOT-READY", pod.name,
             fmt::format(
                 "it is not well on the old template{}, and {} of {} that {} a pod away "
                 "{} before its own restart; deleting the "
                 "pod by hand, once the partition is at {} or lower, brings it to the new template",
                 pod.waiting_reason.empty() ? "" : fmt::format(" ({})", pod.waiting_reason),
                 counted(before, "step"), name_of(c), of_count(before, "takes", "take"),
                 of_count(before, "comes", "come"), pod.ordinal));
      }
    }
  }
}

void Engine::warn_claims() {
  if (input_.desired.reclaim_claims && v16()) return;
  for (const Component c : kComponents) {
    std::vector<std::string> claims;
    for (const Line& step : out_.steps) {
      if (step.action != Action::ScaleIn || step.component != c) continue;
      const LiveSet* set = start_.find(c, step.set);
      if (set == nullptr) continue;
      for (const std::string& claim_template : set->spec.claim_templates)
        claims.push_back(claim_name(claim_template, step.object));
    }
    if (!claims.empty()) {
      warn("W-CLAIM-LEFT", std::string(name_of(c)),
           fmt::format("claims stay, marked, and their volumes with them: local disk is not free "
                       "for others: {}",
                       join(claims, ", ")));
    }
  }
}

/// A pod whose claim is not there begins anew, without its data.
void Engine::warn_claims_missing() {
  const auto is_there = [&](const std::string& name) {
    return std::ranges::find(input_.live.claims, name, &Claim::name) != input_.live.claims.end();
  };
  for (const Component c : {Component::Pd, Component::Tikv}) {
    for (const LiveSet& set : start_.of(c)) {
      for (const std::string& claim_template : set.spec.claim_templates) {
        const auto has_claim = [&](const LivePod& pod) {
          return is_there(claim_name(claim_template, pod.name));
        };
        if (std::ranges::none_of(set.pods, has_claim)) continue;  // claims are not given
        for (const LivePod& pod : set.pods) {
          if (has_claim(pod)) continue;
          const Store* store = c == Component::Tikv ? start_.store_of(pod.name) : nullptr;
          const bool keeps_address = store != nullptr && store->state != StoreState::Tombstone;
          warn("W-CLAIM-MISSING", claim_name(claim_template, pod.name),
               fmt::format(
                   "{} has lost its claim: it is made again with an empty one{}", pod.name,
                   keeps_address
                       ? fmt::format(", and cannot join while store {} has its address", store->id)
                       : ""));
        }
      }
    }
  }
}

void Engine::later() {
  for (const Component c : kComponents) {
    for (const LiveSet& set : live_.of(c)) {
      const SetSpec* spec = wished(c, set.name);
      if (spec == nullptr || set.failures.empty()) continue;
      const auto all = ordinals(target(c, set.name), spec->slots);
      const auto stay = ordinals(spec->replicas, spec->slots);
      std::vector<std::string> extra;
      std::vector<std::string> pods;
      for (const std::int64_t o : stay) pods.push_back(pod_name(set.statefulset, o));
      for (const std::int64_t o : all) {
        if (!std::ranges::binary_search(stay, o)) extra.push_back(pod_name(set.statefulset, o));
      }
      for (const std::string& name : extra) {
        const auto split = split_pod_name(name);
        const LiveSet* before = start_.find(c, set.name);
        const LivePod* pod = before == nullptr || !split ? nullptr : before->pod(split->second);
        if (pod == nullptr || pod->scheduled) continue;
        const std::string drop =
            c != Component::Tikv     ? "the failed pods well again, which drops their records"
            : spec->recover_failover ? "the failed stores Up again, which drops their records"
                                     : "the failed stores Up again and tikv.recoverFailover=true, "
                                       "which drops their records";
        later_if(fmt::format("the failover pod {} stays without a node", name),
                 fmt::format(
                     "one of these helps: one more node; {}; the failed pod deleted and made again "
                     "on another node (the pod alone{})",
                     drop,
                     c == Component::Tikv
                         ? ": with its claim its data would go, and its old store keeps the address"
                         : ""));
      }
      if (extra.empty()) continue;
      const std::string_view are = of_count(pods.size(), "is", "are");
      const std::string gone = fmt::format("{} {} removed again", join(extra, ", "),
                                           of_count(extra.size(), "is", "are"));
      if (c == Component::Tikv) {
        warn("W-FAILOVER-PODS-KEPT", set.statefulset,
             fmt::format("{} {} after the failed stores are back{}", join(extra, ", "),
                         of_count(extra.size(), "stays", "stay"),
                         v16() ? ", unless recoverFailover or failover.recoverByUID says otherwise"
                               : ": the status is edited by hand"));
        if (v16())
          later_if(
              fmt::format("{} {} Ready and Up, and recoverFailover is true", join(pods, ", "), are),
              gone);
      } else {
        later_if(fmt::format("{} {} Ready and healthy", join(pods, ", "), are), gone);
      }
      if (!v16() && c != Component::Tidb) {
        later_if(fmt::format("one more peer of {} fails", set.name),
                 "one more pod is added: this profile has no limit, failover can breed failover");
      }
    }
  }
}

void Engine::later_if(const std::string& condition, const std::string& then) {
  out_.later.push_back({"", fmt::format("if {}, then {}", condition, then)});
}

/// What the annotation adds to failover: a pod whose node is down is cleaned up, its data with it.
void Engine::note_auto_recovery() {
  if (!input_.desired.auto_recovery || !v16()) return;
  for (const Component c : {Component::Pd, Component::Tikv}) {
    for (const LiveSet& set : live_.of(c)) {
      for (const Failure& failure : set.failures) {
        const bool done = c == Component::Pd ? failure.member_deleted : failure.store_deleted;
        if (done && c == Component::Tikv) {
          note("N-AUTO-RECOVERY",
               fmt::format("{}: its store was deleted and its claims removed", failure.pod));
        }
        if (done) continue;
        note("N-AUTO-RECOVERY",
             fmt::format(
                 "auto-failure-recovery is on: {} {}, and 10 minutes later its {} deleted and "
                 "its claims removed, where it has not come back",
                 failure.pod,
                 failure.host_down ? "(its node is down) is deleted by force"
                                   : "is deleted by force where its node is found to be down",
                 c == Component::Pd ? "member is" : "store is"));
      }
    }
  }
}

void Engine::finish() {
  warn_end_state();
  note_auto_recovery();
  warn_outdated();
  warn_claims();
  warn_claims_missing();
  zones_of_plan();
  zones_of_layout();
  later();
  std::array<std::vector<std::string>, kComponentCount> changed;
  std::array<bool, kComponentCount> scales{};
  for (const Line& step : out_.steps) {
    if (!step.component) continue;
    if (step.action == Action::ScaleIn || step.action == Action::ScaleOut)
      scales[index_of(*step.component)] = true;
    if (step.set.empty() || step.action == Action::LabelPods) continue;
    auto& sets = changed[index_of(*step.component)];
    if (std::ranges::find(sets, step.set) == sets.end()) sets.push_back(step.set);
  }
  if (std::ranges::any_of(changed, [](const auto& sets) { return sets.size() > 1; })) {
    note("N-SET-ORDER",
         "the operator promises no order between sets; the order printed is the planner's, and "
         "--stages writes files that enforce it");
  }
  if (std::ranges::count(scales, true) > 1) {
    note("N-OVERLAP",
         "the plan is serial; in reality scaling of a later component may overlap with that of an "
         "earlier one");
  }
  if (v16()) {
    for (const SetSpec& spec : input_.desired.of(Component::Tidb)) {
      const LiveSet* live = start_.find(Component::Tidb, spec.name);
      if (live != nullptr && spec.version != live->spec.version &&
          smooth_upgrade(live->spec.version, spec.version)) {
        note("N-SMOOTH",
             "from operator v1.6.6 on, DDL is paused for the length of the TiDB upgrade");
      }
    }
  }
  for (const Component c : kComponents) {
    const auto add = [&](const std::string& set) {
      const LiveSet* live = start_.find(c, set);
      const SetSpec* spec = wished(c, set);
      out_.summary.push_back(
          {c, set, live == nullptr ? 0 : live->replicas, spec == nullptr ? 0 : spec->replicas});
    };
    for (const std::string& set : order_[index_of(c)]) add(set);
    for (const std::string& set : removed_[index_of(c)]) add(set);
    if (input_.desired.given[index_of(c)]) continue;
    for (const LiveSet& live : start_.of(c))  // no longer named: it runs on as it is
      out_.summary.push_back({c, live.name, live.replicas, live.replicas});
  }
  std::ranges::stable_sort(
      out_.warnings, {}, [](const plan::Warning& w) { return std::pair(w.code, w.subject.name); });
  if (capacity_.is_active()) out_.leftovers = capacity_.leftovers();
}

}  // namespace ballast::tidb
