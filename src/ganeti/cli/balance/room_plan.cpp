// SPDX-License-Identifier: BSD-2-Clause
#include "room_plan.hpp"

#include <fmt/format.h>

#include <utility>

#include "ballast/ganeti/model/unit_resolver.hpp"
#include "ballast/ganeti/moves/node_ops.hpp"
#include "ballast/ganeti/search/planning/refusal_text.hpp"
#include "ballast/ganeti/search/redundancy/nplus1.hpp"
#include "ballast/ganeti/search/room/make_room.hpp"

namespace ballast::ganeti::cli {
namespace {

std::string names_of(const Cluster& cluster, const std::vector<NodeId>& nodes) {
  std::string text;
  for (const NodeId node : nodes) text += (text.empty() ? "" : ":") + cluster[node].alias;
  return text;
}

/// Of one group where there are several: its nodes are named, since for a named group the
/// allocator leaves global N+1 out.
AllocateRequest question_for(const Cluster& cluster, const Part& part, const Instance& wanted) {
  AllocateRequest question;
  question.wanted.instance = wanted;
  question.wanted.required_nodes = has_secondary(wanted.disk_template) ? 2 : 1;
  if (cluster.groups.size() > 1) {
    question.restrict_to_nodes.emplace();
    for (const NodeId node : part.nodes) question.restrict_to_nodes->push_back(cluster[node].name);
  }
  return question;
}

/// Whatever fits, these refuse everything: something on them has to go first.
std::vector<NodeId> nodes_that_cannot_be_emptied(const Cluster& cluster, const State& state,
                                                 const Part& part) {
  std::vector<NodeId> nodes;
  EvacuationCheck check(cluster, state, part.nodes);
  for (const NodeId node : part.nodes) {
    if (check.can_evacuate(node) == Evacuation::Impossible) nodes.push_back(node);
  }
  return nodes;
}

MaybeRefusal policy_refusal(const Cluster& cluster, const Part& part, const Instance& wanted) {
  return part.nodes.empty() ? std::nullopt : check_policy(cluster, part.nodes.front(), wanted);
}

std::string remark_of(const Cluster& cluster, const RoomSpec& room, const MakeRoomResult& made,
                      bool is_accepted) {
  const std::string_view when = made.plan.steps.empty() ? "already" : "then";
  const std::string fits = fmt::format("An instance with {} fits {} on {}", to_string(room), when,
                                       names_of(cluster, made.nodes));
  if (is_accepted) return fits + ".\n";
  return fits +
         ",\nbut some node could no longer be emptied: hail takes it with --no-capacity-checks "
         "only.\n";
}

}  // namespace

OrExit<FoundPlan> room_for(const Snapshot& snapshot, const Part& part, const Settings& settings,
                           const RoomSpec& room, Output& output) {
  const auto refuse = [&](const std::string& why) {
    return tl::unexpected(output.fail(fmt::format("hbal: --make-room: {}\n", why)));
  };
  // Storage units of the wanted instance may be new to the cluster.
  Cluster cluster = snapshot.cluster;
  Instance wanted = instance_of(room);
  if (cluster.has_storage) {
    UnitResolver resolver(cluster, settings.load.default_storage);
    const Status resolved = resolver.resolve_request(wanted, part.group);
    if (!resolved) return refuse(resolved.error().message);
  }
  const bool is_strict = !settings.balance.ignore_soft_errors;
  if (const MaybeRefusal no = policy_refusal(cluster, part, wanted); no && is_strict)
    return refuse(refusal_text(cluster, snapshot.state, wanted, *no));

  const AllocateRequest question = question_for(cluster, part, wanted);
  MakeRoomOptions options;
  options.how.ignore_soft_errors = settings.balance.ignore_soft_errors;
  options.also_from = nodes_that_cannot_be_emptied(cluster, snapshot.state, part);
  MakeRoomResult made =
      make_room(cluster, snapshot.state, part, settings.balance, question, options);
  const bool is_accepted = made.is_found;
  if (!is_accepted) {
    options.how.capacity_checks = false;
    made = make_room(cluster, snapshot.state, part, settings.balance, question, options);
  }
  if (!made.is_found)
    return refuse(fmt::format("no way found to place {} with at most {} moves", to_string(room),
                              options.most_moves));
  std::string remark = remark_of(cluster, room, made, is_accepted);
  const bool fits_already = made.plan.steps.empty();
  return FoundPlan{std::move(made.plan), std::move(remark), fits_already,
                   "Trying to make room...\n"};
}

}  // namespace ballast::ganeti::cli
