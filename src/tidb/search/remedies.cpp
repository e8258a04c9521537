// SPDX-License-Identifier: BSD-2-Clause
#include "ballast/tidb/search/remedies.hpp"

#include "ballast/core/strings.hpp"
#include "ballast/tidb/search/search.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace ballast::tidb {

namespace {

std::string namespace_of(const Input& input) {
  if (!input.desired.ns.empty()) return input.desired.ns;
  return input.live.ns.empty() ? "default" : input.live.ns;
}

std::string annotate(const Input& input, const std::string& what) {
  return fmt::format("kubectl -n {} annotate tc {} {} --overwrite", namespace_of(input),
                     input.desired.name, what);
}

SetSpec* wished(Input& input, Component c, const std::string& set) {
  for (SetSpec& spec : input.desired.of(c)) {
    if (spec.name == set) return &spec;
  }
  return nullptr;
}

void heal_members(Input& input) {
  for (Member& member : input.live.members) member.healthy = true;
  for (LiveSet& set : input.live.of(Component::Pd)) {
    for (LivePod& pod : set.pods) pod.ready = true;
  }
}

/// Makes the candidates of one block; `add` keeps their order.
class Maker {
 public:
  Maker(const Input& input, const Step& block) : input_(input), block_(block) {}

  std::vector<Candidate> make() {
    const std::string& code = block_.code;
    if (code == "B-TIKV-MAXREPLICAS" || code == "U-TIKV-MAXREPLICAS") max_replicas();
    if (code == "U-PD-QUORUM") pd_quorum();
    if (code == "B-PD-NO-QUORUM") no_quorum();
    if (code == "B-PD-IN-USE") in_use();
    if (code == "B-STALE-CLAIM") stale_claim();
    if (code == "B-STORE-UNKNOWN") store_unknown();
    if (code == "B-UPGRADED-NOT-WELL") not_well();
    if (code == "U-DATA-SUBDIR") data_sub_dir();
    simple(code);
    return std::move(result_);
  }

 private:
  Component component() const { return block_.component.value_or(Component::Pd); }

  void add(std::string text, std::vector<std::string> set, std::vector<std::string> commands,
           std::function<void(Input&)> apply) {
    Remedy remedy;
    remedy.text = std::move(text);
    remedy.set = std::move(set);
    remedy.commands = std::move(commands);
    result_.push_back({std::move(remedy), std::move(apply)});
  }

  /// Delete slots for the default set that name `pods`; nothing where none of them is of that set.
  void slots(const std::vector<std::string>& pods, const std::string& why) {
    const Component c = component();
    if (block_.set != kDefaultSet || input_.options.profile == Profile::V2) return;
    const LiveSet* live = input_.live.find(c, block_.set);
    const SetSpec* spec = input_.desired.find(c, block_.set);
    if (live == nullptr || spec == nullptr || spec->replicas >= live->replicas) return;
    std::vector<std::int64_t> named = spec->slots;
    const auto most = static_cast<std::size_t>(live->replicas - spec->replicas) + named.size();
    for (const LivePod& pod : live->pods) {
      const bool listed = std::ranges::find(pods, pod.name) != pods.end();
      if (listed && named.size() < most) named.push_back(pod.ordinal);
    }
    if (named == spec->slots) return;
    std::ranges::sort(named);
    std::vector<std::string> texts;
    for (const std::int64_t slot : named) texts.push_back(fmt::format("{}", slot));
    const std::string annotation =
        fmt::format("{}.tidb.pingcap.com/delete-slots='[{}]'", name_of(c), join(texts, ","));
    add(fmt::format("{}: annotation {} with replicas {}{}", why, annotation, spec->replicas,
                    input_.options.advanced_statefulset() ? "" : " (feature AdvancedStatefulSet)"),
        {}, {annotate(input_, annotation)}, [c, set = block_.set, named](Input& input) {
          input.options.features.insert("AdvancedStatefulSet");
          if (SetSpec* changed = wished(input, c, set)) changed->slots = named;
        });
  }

  void old_replicas() {
    const Component c = component();
    const LiveSet* live = input_.live.find(c, block_.set);
    if (live == nullptr || input_.desired.find(c, block_.set) == nullptr) return;
    const std::int64_t records = static_cast<std::int64_t>(live->failures.size());
    const std::int64_t replicas = std::max<std::int64_t>(0, live->replicas - records);
    add(fmt::format("stay at {} replicas", replicas),
        {fmt::format("{}={}", set_key(input_.desired, c, block_.set, "replicas"), replicas)}, {},
        [c, set = block_.set, replicas](Input& input) {
          if (SetSpec* changed = wished(input, c, set)) changed->replicas = replicas;
        });
  }

  void max_replicas() {
    const Component c = Component::Tikv;
    std::vector<std::string> sick;
    for (const Store& store : input_.live.stores) {
      if (store.state != StoreState::Up && !store.tiflash) sick.push_back(store.pod);
    }
    if (block_.code == "B-TIKV-MAXREPLICAS")
      slots(sick, "take out the pods whose stores are not Up");
    const LiveSet* live = input_.live.find(c, block_.set);
    if (live != nullptr) more_stores(*live);
    old_replicas();
    if (input_.max_replicas > 1) {
      const std::int64_t fewer = input_.max_replicas - 1;
      add(fmt::format("danger: fewer copies, max-replicas {}", fewer), {},
          {fmt::format("pd-ctl -u http://{}-pd.{}:2379 config set max-replicas {}",
                       input_.desired.name, namespace_of(input_), fewer)},
          [fewer](Input& input) { input.max_replicas = fewer; });
    }
  }

  /// The smallest set beside the others that lets the scale-in through.
  void more_stores(const LiveSet& live) {
    const Component c = Component::Tikv;
    SetSpec beside = live.spec;
    beside.name = name_beside(input_.desired, c, block_.set);
    beside.statefulset =
        statefulset_name(input_.desired.name, c, beside.name, input_.options.names.default_name);
    beside.config_map = beside.statefulset;
    beside.slots.clear();
    for (std::int64_t n = 1; n <= live.replicas; ++n) {
      beside.replicas = n;
      const auto apply = [beside](Input& input) {
        input.desired.of(Component::Tikv).push_back(beside);
      };
      Input tried = input_;
      apply(tried);
      if (n < live.replicas && plan_steps(tried).first_block() != nullptr) continue;
      add(fmt::format(
              "more stores first: a set {} with {} replica{} beside it, or the old replicas",
              beside.name, n, n == 1 ? "" : "s"),
          {}, {}, apply);
      return;
    }
  }

  /// --set for a first extra set; where there are some, the list would have to be repeated.
  std::vector<std::string> set_of_one(const SetSpec& beside) const {
    const Form form = input_.desired.form;
    const bool first = input_.desired.of(beside.component).size() == 1;
    if (!first || (form != Form::Values && form != Form::Single)) return {};
    return {fmt::format("{}.extra=[{{name: {}, replicas: {}}}]", name_of(beside.component),
                        beside.name, beside.replicas)};
  }

  void pd_quorum() {
    std::vector<std::string> sick;
    for (const Member& member : input_.live.members) {
      if (!member.healthy) sick.push_back(member.name);
    }
    if (!sick.empty()) {
      add(fmt::format("the same edit after {} {} repaired or replaced", join(sick, ", "),
                      sick.size() == 1 ? "is" : "are"),
          {}, {}, heal_members);
      slots(sick, "take out the sick members");
    }
    old_replicas();
  }

  void no_quorum() {
    std::vector<std::string> sick;
    for (const Member& member : input_.live.members) {
      if (!member.healthy) sick.push_back(member.name);
    }
    add(fmt::format("no edit helps: bring back {}, or rebuild PD with pd-recover",
                    join(sick, ", ")),
        {}, {}, nullptr);
    add("where the template is the cause: the corrected template with the force-upgrade annotation",
        {}, {annotate(input_, "tidb.pingcap.com/force-upgrade=true")},
        [](Input& input) { input.desired.force_upgrade = true; });
  }

  void in_use() {
    std::vector<std::string> keys;
    for (const Component c : {Component::Tikv, Component::Tidb}) {
      for (const SetSpec& set : input_.desired.of(c)) {
        if (set.replicas > 0)
          keys.push_back(set_key(input_.desired, c, set.name, "replicas") + "=0");
      }
    }
    add("two edits: the other components to 0 first, then PD", std::move(keys), {}, nullptr);
  }

  /// Every unmarked claim in the way of the plan, found by planning on without those found so far.
  void stale_claim() {
    Input tried = input_;
    std::vector<std::string> claims;
    for (int i = 0; i < 100; ++i) {
      const Outcome outcome = plan_steps(tried);
      const Step* block = outcome.first_block();
      if (block == nullptr || block->code != "B-STALE-CLAIM") break;
      const auto claim = std::ranges::find_if(tried.live.claims, [&](const Claim& one) {
        return one.name.ends_with("-" + block->object) && !one.deferred;
      });
      if (claim == tried.live.claims.end()) break;
      claims.push_back(claim->name);
      tried.live.claims.erase(claim);
    }
    std::vector<std::string> commands;
    for (const std::string& claim : claims) {
      commands.push_back(fmt::format("kubectl -n {} delete pvc {}", namespace_of(input_), claim));
    }
    add("delete the left-over claim after making sure that its data is not needed, or mark it with "
        "tidb.pingcap.com/pvc-defer-deleting",
        {}, std::move(commands), [claims](Input& input) {
          std::erase_if(input.live.claims, [&](const Claim& claim) {
            return std::ranges::find(claims, claim.name) != claims.end();
          });
        });
  }

  void store_unknown() {
    add("wait until the pod is known not to have a store (150 s not Ready, or its no-active-store "
        "annotation), else delete the store by hand",
        {}, {}, nullptr);
  }

  void not_well() {
    const Component c = component();
    const SetSpec* now = input_.current ? input_.current->find(c, block_.set) : nullptr;
    const SetSpec* spec = input_.desired.find(c, block_.set);
    if (now != nullptr && spec != nullptr && now->pod_template != spec->pod_template) {
      std::vector<std::string> keys;
      for (const std::string& field : differing(now->pod_template, spec->pod_template)) {
        const std::string value = field == "image" ? now->image : "(its old value)";
        keys.push_back(fmt::format("{}={}", set_key(input_.desired, c, block_.set, field), value));
      }
      add("the old value of what changed last", std::move(keys), {},
          [c, set = block_.set, old = *now](Input& input) {
            SetSpec* changed = wished(input, c, set);
            if (changed == nullptr) return;
            changed->pod_template = old.pod_template;
            changed->image = old.image;
            changed->placement = old.placement;
          });
    }
    add("a corrected image or request", {}, {}, nullptr);
    if (c == Component::Pd) {
      add("the corrected template with the force-upgrade annotation", {},
          {annotate(input_, "tidb.pingcap.com/force-upgrade=true")}, nullptr);
    }
    add("once the template is right, delete the pod by hand", {},
        {fmt::format("kubectl -n {} delete pod {}", namespace_of(input_), block_.object)}, nullptr);
  }

  void data_sub_dir() {
    const Component c = component();
    const LiveSet* live = input_.live.find(c, block_.set);
    const std::string old = live == nullptr ? "" : live->spec.data_sub_dir;
    add("dataSubDir as it was",
        {fmt::format("{}={}", set_key(input_.desired, c, block_.set, "dataSubDir"),
                     old.empty() ? "null" : old)},
        {}, [c, set = block_.set, old](Input& input) {
          if (SetSpec* changed = wished(input, c, set)) changed->data_sub_dir = old;
        });
  }

  void simple(const std::string& code) {
    if (code == "B-PD-UNHEALTHY") add("repair the named member first", {}, {}, heal_members);
    if (code == "B-NOT-SYNCED") {
      add("give fresh data of PD with --pd; else wait until the operator has synced", {}, {},
          [](Input& input) { input.live.synced = {}; });
    }
    if (code == "B-STORES-NOT-UP") {
      add("take the check annotation off, or repair the store", {},
          {annotate(input_, "tidb.pingcap.com/tikv-check-all-stores-up-before-upgrade-")},
          [](Input& input) { input.desired.check_stores_up = false; });
    }
    if (code == "B-PD-CHECK") {
      add("take the check annotation off, or repair the member", {},
          {annotate(input_, "tidb.pingcap.com/pd-check-quorum-before-upgrade-")},
          [](Input& input) { input.desired.check_pd_quorum = false; });
    }
    if (code == "B-GATE" || code == "B-COMPONENT-DOWN") {
      add("what helps the component that is in the way", {}, {}, nullptr);
    }
  }

  const Input& input_;
  const Step& block_;
  std::vector<Candidate> result_;
};

/// Who waits for whom, the last for the first.
std::vector<std::string> cycle_of(const Step& block) {
  const std::string removal = fmt::format("scale-in of {}", block.object);
  if (block.code.ends_with("TIKV-MAXREPLICAS")) {
    return {removal, fmt::format("the store of {} becomes Tombstone", block.object),
            "another Up store takes its copies"};
  }
  if (block.code == "U-PD-QUORUM") {
    return {fmt::format("the step on {}", block.object), "a majority of healthy members",
            "the sick members come back"};
  }
  if (block.code == "B-PD-NO-QUORUM") return {"every PD step", "a majority of healthy members"};
  if (block.code == "B-PD-IN-USE")
    return {removal, "TiKV and TiDB are gone", "PD is there for them"};
  if (block.code == "B-STALE-CLAIM") {
    return {fmt::format("scale-out to {}", block.object), "its left-over claim is gone",
            "somebody deletes or marks it"};
  }
  if (block.code == "B-UPGRADED-NOT-WELL") {
    return {"every further restart", fmt::format("{} is well", block.object),
            "a template that works"};
  }
  if (block.code == "U-CAPACITY") return {fmt::format("pod {}", block.object), "a node with room"};
  return {};
}

}  // namespace

std::string set_key(const ClusterSpec& spec, Component component, const std::string& set,
                    const std::string& key) {
  if (spec.form == Form::List) return fmt::format("{}[{}].{}", name_of(component), set, key);
  if (set == kDefaultSet) return fmt::format("{}.{}", name_of(component), key);
  if (spec.form == Form::Merged) return fmt::format("{}s[{}].{}", name_of(component), set, key);
  return fmt::format("{}.extra[{}].{}", name_of(component), set, key);
}

std::string name_beside(const ClusterSpec& spec, Component component, const std::string& set) {
  const std::string stem = set == kDefaultSet ? std::string(name_of(component)) : set;
  for (int n = 2;; ++n) {
    std::string name = fmt::format("{}-{}", stem, n);
    if (spec.find(component, name) == nullptr) return name;
  }
}

std::vector<Candidate> candidates_for(const Input& input, const Outcome& outcome,
                                      const Step& block) {
  (void)outcome;
  if (block.code == "U-CAPACITY") return capacity_candidates(input, block);
  return Maker(input, block).make();
}

void add_remedies(const Input& input, Outcome& outcome) {
  const Step* block = nullptr;
  for (Step& step : outcome.steps) {
    if (step.action != Action::Blocked) continue;
    step.cycle = cycle_of(step);
    if (block == nullptr) block = &step;
  }
  if (block == nullptr) return;
  for (Candidate& candidate : candidates_for(input, outcome, *block)) {
    if (!candidate.apply) {
      outcome.remedies.push_back(std::move(candidate.remedy));
      continue;
    }
    Input tried = input;
    candidate.apply(tried);
    const Outcome result = plan_steps(tried);
    candidate.remedy.tried = true;
    if (const Step* stuck = result.first_block()) candidate.remedy.stuck_at = stuck->code;
    const bool wins = candidate.remedy.stuck_at.empty();
    outcome.remedies.push_back(std::move(candidate.remedy));
    if (!wins) continue;
    // What is tried and gets through is the answer; what cannot be tried was only in its way.
    outcome.remedies.erase(outcome.remedies.begin(), std::prev(outcome.remedies.end()));
    return;
  }
}

}  // namespace ballast::tidb
