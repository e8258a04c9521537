// SPDX-License-Identifier: BSD-2-Clause
#include "ballast/core/strings.hpp"
#include "ballast/core/words.hpp"
#include "ballast/tidb/search/remedy/parts.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace ballast::tidb {

namespace {

constexpr std::string_view kForce = "tidb.pingcap.com/force-upgrade=true";

void quorum(Candidates& into, const Input& input, const Line& block) {
  const std::vector<std::string> sick = sick_members(input);
  if (!sick.empty()) {
    into.add(fmt::format("the same edit after {} {} repaired or replaced", join(sick, ", "),
                         of_count(sick.size(), "is", "are")),
             {}, {}, {}, heal_members);
    add_slots(into, input, block, sick, "take out the sick members");
  }
  if (input.options.profile == Profile::V2) {
    into.add(fmt::format("the PD groups one after the other: {} first, the others in a later edit",
                         block.set),
             {Loss::Effort, "two edits"}, {}, {}, [set = block.set](Input& changed) {
               for (SetSpec& other : changed.desired.of(Component::Pd)) {
                 const LiveSet* live = changed.live.find(Component::Pd, other.name);
                 if (other.name != set && live != nullptr) other = live->spec;
               }
             });
  }
  add_old_replicas(into, input, block);
}

/// Whether PD's template is what keeps it down: its pods restart for a new one, or cannot start.
bool template_is_the_cause(const Input& input) {
  return std::ranges::any_of(input.live.of(Component::Pd), [&](const LiveSet& live) {
    const SetSpec* spec = input.desired.find(Component::Pd, live.name);
    const bool changes = spec != nullptr && !restart_fields(live.spec, *spec).empty();
    return changes && (live.rolling() || std::ranges::any_of(live.pods, [](const LivePod& pod) {
                         return !pod.waiting_reason.empty();
                       }));
  });
}

void no_quorum(Candidates& into, const Input& input) {
  const bool template_helps = template_is_the_cause(input) && !input.desired.force_upgrade;
  const auto bring_back = [&] {
    into.add(fmt::format("{}bring back {}",
                         template_helps ? "" : "no edit helps: ", join(sick_members(input), ", ")),
             {Loss::None, ""}, {}, {}, heal_members);
  };
  const auto force = [&] {
    into.add(
        "where the template is the cause: the corrected template with the force-upgrade "
        "annotation",
        {Loss::Service, "all PD pods of the set may restart at once"}, {},
        {annotate(input, std::string(kForce))},
        [](Input& changed) { changed.desired.force_upgrade = true; });
  };
  bring_back();
  if (template_helps) force();
  into.add("where their data is lost: rebuild PD with pd-recover",
           {Loss::Service, "PD is away meanwhile, and its settings are made anew"}, {}, {},
           heal_members);
}

void in_use(Candidates& into, const Input& input, const Line& block) {
  add_old_replicas(into, input, block);
  std::vector<std::string> keys;
  for (const Component c : {Component::Tikv, Component::Tidb}) {
    for (const SetSpec& set : input.desired.of(c)) {
      if (set.replicas > 0) keys.push_back(set_key(input.desired, c, set.name, "replicas") + "=0");
    }
  }
  into.add("two edits: the other components to 0 first, then PD",
           {Loss::Data, "the cluster ends, and what TiKV holds with it"}, std::move(keys), {},
           [](Input& changed) {
             for (SetSpec& set : changed.desired.of(Component::Pd)) {
               const LiveSet* live = changed.live.find(Component::Pd, set.name);
               if (live != nullptr) set.replicas = live->replicas;
             }
             for (const Component c : {Component::Tikv, Component::Tidb}) {
               for (SetSpec& set : changed.desired.of(c)) set.replicas = 0;
             }
           });
}

void check(Candidates& into, const Input& input) {
  into.add("take the check annotation off",
           {Loss::Redundancy, "PD restarts a member with none to spare"}, {},
           {annotate(input, "tidb.pingcap.com/pd-check-quorum-before-upgrade-")},
           [](Input& changed) { changed.desired.check_pd_quorum = false; });
  into.add("repair the member", {}, {}, {}, heal_members);
}

}  // namespace

void member_remedies(Candidates& into, const Input& input, const Line& block) {
  const std::string& code = block.code;
  if (code == "U-PD-QUORUM") quorum(into, input, block);
  if (code == "B-PD-NO-QUORUM") no_quorum(into, input);
  if (code == "B-PD-IN-USE") in_use(into, input, block);
  if (code == "B-PD-UNHEALTHY") into.add("repair the named member first", {}, {}, {}, heal_members);
  if (code == "B-PD-CHECK") check(into, input);
  if (code == "B-NOT-SYNCED") {
    into.add("give fresh data of PD with --pd; else wait until the operator has synced", {}, {}, {},
             [](Input& changed) { changed.live.synced = {}; });
  }
}

}  // namespace ballast::tidb
