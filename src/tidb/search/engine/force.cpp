// SPDX-License-Identifier: BSD-2-Clause
// The way out of a PD that does not answer: its template is written with partition 0.
#include "ballast/core/strings.hpp"
#include "ballast/core/words.hpp"
#include "ballast/tidb/search/basis/changes.hpp"
#include "ballast/tidb/search/engine/engine.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace ballast::tidb {

/// Where the status does not say whether the operator could ask PD, a lost majority does.
bool Engine::pd_answers() const {
  const auto all = static_cast<std::int64_t>(live_.members.size());
  const bool lost = live_.members_known && all > 0 && live_.healthy_members() * 2 <= all;
  return live_.synced[index_of(Component::Pd)].value_or(!lost);
}

bool Engine::may_force_pd() const {
  std::int64_t running_replicas = 0;
  for (const LiveSet& set : live_.of(Component::Pd)) running_replicas += set.replicas;
  const bool single = running_replicas < 2 &&
                      std::ranges::none_of(live_.members, [](const Member& m) { return m.peer; });
  return input_.desired.force_upgrade || single;
}

/// Comes before scaling and failover, both of which need a PD that answers: with the annotation,
/// and without it where there is one member alone.
Engine::Going Engine::force_pd() {
  const Component c = Component::Pd;
  if (pd_answers() || !may_force_pd()) return true;
  for (const std::string& set : order_[index_of(c)]) {
    LiveSet* live = running(c, set);
    if (live == nullptr || template_difference(c, set).empty()) continue;
    part_ = Phase::Upgrade;
    if (!force_update(*wished(c, set), *live)) return false;
  }
  return true;
}

/// The update writes the replicas, too, past the rules of scaling: members of pods that go stay in
/// PD, and must not outnumber the others.
Engine::Going Engine::may_force_replicas(const SetSpec& spec) {
  const Component c = Component::Pd;
  const std::vector<std::int64_t> gone = removals(c, spec.name);
  std::vector<std::string> added;
  for (const std::int64_t ordinal : additions(c, spec.name))
    added.push_back(pod_name(spec.statefulset, ordinal));
  std::int64_t total = 0;
  for (const std::string& set : order_[index_of(c)]) total += target(c, set);
  std::vector<Capacity::Placed> placed;
  if (const auto refusal = capacity_.add(spec, added, total, placed)) {
    if (!refuse(c, spec.name, refusal->pod, "U-CAPACITY", "every new pod needs a node",
                refusal->text))
      return false;
  }
  const auto all = static_cast<std::int64_t>(live_.members.size());
  const std::int64_t left = all - static_cast<std::int64_t>(gone.size());
  if (gone.empty() || left > all / 2) return true;
  return refuse(
      c, spec.name, pod_name(spec.statefulset, gone.front()), "U-PD-QUORUM",
      fmt::format("a forced update deletes no members: {} of {} pods must stay", all / 2 + 1, all),
      fmt::format("only {} would", left));
}

Engine::Going Engine::force_update(const SetSpec& spec, LiveSet& live) {
  const Component c = spec.component;
  const auto fields = template_difference(c, spec.name);
  if (!may_change_template(spec, live, fields) || !may_force_replicas(spec)) return false;
  const std::vector<std::int64_t> added = additions(c, spec.name);
  const std::vector<std::int64_t> gone = removals(c, spec.name);
  Line step = make(Action::UpdateTemplate, c, spec.name, live.statefulset,
                   fmt::format("partition 0 fields {}", join(fields, ",")));
  step.partition = 0;
  step.forced = true;
  step.reason_code = "TEMPLATE_CHANGED";
  step.reason = "forced: PD does not answer, all pods of the set may restart at once";
  step.substeps.push_back(
      fmt::format("change {} in the template of {}", join(fields, ", "), live.statefulset));
  if (!added.empty() || !gone.empty()) {
    step.substeps.push_back(
        fmt::format("the same update sets its replicas to {}", target(c, spec.name)));
  }
  step.changes = template_changes(live.spec, spec, input_.desired.form);
  step.waits.push_back(wait_for("PD answers again"));
  step.commands.push_back(
      {CommandUse::Watch, kubectl(fmt::format("get statefulset {} -o wide", live.statefulset))});
  emit(std::move(step));
  warn("W-FORCE-UPGRADE", live.statefulset,
       live.pods.size() == 1
           ? std::string(
                 "the template is changed with partition 0: the only PD pod of the set restarts")
           : fmt::format("the template is changed with partition 0: all {} PD pods of the set may "
                         "restart at once",
                         live.pods.size()));
  live.spec = spec;
  live.current_revision = live.update_revision;
  live_.synced[index_of(c)] = true;
  for (LivePod& pod : live.pods) {
    pod.updated = true;
    pod.ready = true;
    pod.scheduled = true;
    pod.waiting_reason.clear();
    if (Member* member = live_.member_of(pod.name)) member->healthy = true;
  }
  force_replicas(spec, live, added, gone);
  const auto all = static_cast<std::int64_t>(live_.members.size());
  if (live_.healthy_members() * 2 > all) return true;
  live_.synced[index_of(c)] = false;
  return check_quorum();
}

/// The pods that come and go with the update.
void Engine::force_replicas(const SetSpec& spec, LiveSet& live,
                            const std::vector<std::int64_t>& added,
                            const std::vector<std::int64_t>& gone) {
  const Component c = Component::Pd;
  if (added.empty() && gone.empty()) return;
  const std::int64_t batch = ++next_batch_;
  const auto make_move = [&](Action action, std::int64_t ordinal, std::int64_t change) {
    const auto count = static_cast<std::int64_t>(live.pods.size());
    const std::string pod = pod_name(spec.statefulset, ordinal);
    Line step =
        make(action, c, spec.name, pod, fmt::format("replicas {}->{}", count, count + change));
    step.ordinal = ordinal;
    step.replicas_before = count;
    step.replicas_after = count + change;
    step.batch = batch;
    step.reason_code = change > 0 ? "REPLICAS_RAISED" : "REPLICAS_LOWERED";
    step.reason = "replicas are written with the forced template, past the rules of scaling";
    watch_pod(step, pod);
    return step;
  };
  for (const std::int64_t ordinal : added) {
    Line step = make_move(Action::ScaleOut, ordinal, 1);
    step.waits.push_back(wait_for(fmt::format("member {} is healthy", step.object)));
    emit(std::move(step));
    add_pod(spec, live, ordinal);
  }
  std::vector<std::string> members;
  std::vector<std::string> by_hand;
  for (const std::int64_t ordinal : gone) {
    Line step = make_move(Action::ScaleIn, ordinal, -1);
    const std::string pod = step.object;
    step.forced = true;
    step.waits.push_back(wait_for(fmt::format("pod {} is gone", pod)));
    live.replicas = step.replicas_after;
    emit(std::move(step));
    capacity_.remove(pod);
    std::erase_if(live.pods, [&](const LivePod& p) { return p.ordinal == ordinal; });
    if (Member* member = live_.member_of(pod)) member->healthy = false;
    members.push_back(pod);
    by_hand.push_back(pdctl(fmt::format("member delete name {}", pod)));
  }
  if (members.empty()) return;
  warn(
      "W-MEMBER-LEFT", live.statefulset,
      fmt::format("a forced update deletes no members: {} {} in PD without a pod, {} of {} members "
                  "run; once PD answers: {}",
                  join(members, ", "), of_count(members.size(), "stays", "stay"),
                  live_.healthy_members(), live_.members.size(), join(by_hand, "; ")));
}

}  // namespace ballast::tidb
