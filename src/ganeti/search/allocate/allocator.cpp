// SPDX-License-Identifier: BSD-2-Clause
#include "ballast/ganeti/search/allocate/allocator.hpp"

#include <algorithm>
#include <set>

#include "ballast/core/strings.hpp"
#include "ballast/ganeti/model/ids_of.hpp"
#include "ballast/ganeti/model/unit_resolver.hpp"
#include "ballast/ganeti/search/allocate/allocator_watch.hpp"
#include "ballast/ganeti/search/allocate/groups.hpp"
#include "change_group.hpp"
#include "pairs.hpp"

namespace ballast::ganeti {
namespace {

using namespace alloc;

const std::optional<std::string>* wanted_group(const Request& request) {
  if (const auto* one = std::get_if<AllocateRequest>(&request)) return &one->wanted.group;
  const auto* many = std::get_if<MultiAllocateRequest>(&request);
  if (many == nullptr) return nullptr;
  static const std::optional<std::string> kNone;
  return many->wanted.empty() ? &kNone : &many->wanted.front().group;
}

/// One answer in the making.
class Answering {
 public:
  Answering(const Cluster& cluster, const State& state, const Request& request,
            const AllocatorOptions& options, const Watch& watch)
      : cluster_(cluster), options_(options), watch_(watch) {
    scope_.cluster = &cluster;
    for (std::size_t i = 0; i < state.nodes.size(); ++i) {
      scope_.nodes.emplace_back(i);
      scope_.states.push_back(&state.nodes[i]);
    }
    for (std::size_t i = 0; i < cluster.instances.size(); ++i) {
      const InstanceId id(i);
      scope_.instances.set(id.value(),
                           Record{id, &cluster.instances[i], state.placements[i], false});
    }
    engine_.force = options.ignore_soft_errors || options.ignore_all_soft_errors;
    engine_.force_secondary = options.ignore_all_soft_errors;
    engine_.capacity_checks = options.capacity_checks;
    engine_.restrict_to_nodes = options.restrict_to_nodes;
    engine_.is_dedicated = is_dedicated(cluster, request);
  }

  void operator()(const AllocateRequest& request) {
    if (!options_.restrict_to_nodes) engine_.restrict_to_nodes = request.restrict_to_nodes;
    const WantedInstance wanted = as_wanted(request.wanted);
    if (watch_.allocation) watch_.allocation(scope_, request.wanted);
    auto choice = choose(wanted, request.wanted.group, scope_);
    if (!choice) return fail_with(choice.error());
    answer_.info = join(choice->messages, ", ");
    if (!choice->solution.chosen) return fail_with(answer_.info);
    succeed();
    answer_.result = choice->solution.chosen->nodes;
    if (request.wanted.group || engine_.is_dedicated) keep_nodes_of(choice->group);
    for (const auto& [node, state] : choice->solution.chosen->states) put(node, state);
    first_.push_back({request.wanted.instance, choice->solution.chosen->record.placement});
  }

  void operator()(const MultiAllocateRequest& request) {
    MultiAllocateResult result;
    const ScopedCluster initial = scope_;
    for (const NewInstance& one : request.wanted) {
      const bool starts_anew = engine_.is_dedicated && one.group;
      const ScopedCluster& before = starts_anew ? initial : scope_;
      if (watch_.allocation) watch_.allocation(before, one);
      auto choice = choose(as_wanted(one), one.group, before);
      if (!choice) {
        scope_ = initial;
        return fail_with(choice.error());
      }
      if (!choice->solution.chosen) {
        const std::string text =
            starts_anew ? describe(cluster_, choice->solution) : join(choice->messages, ", ");
        result.failed.push_back({one.instance.name, text, std::nullopt});
        continue;
      }
      result.placed.push_back({one.instance.name, choice->solution.chosen->nodes});
      if (one.group || engine_.is_dedicated) keep_nodes_of(choice->group);
      accept(scope_, store_, *choice->solution.chosen);
    }
    answer_.info = std::to_string(result.failed.size()) + " instances failed to allocate and " +
                   std::to_string(result.placed.size()) + " were allocated successfully";
    succeed();
    answer_.result = std::move(result);
  }

  void operator()(const AllocateSecondaryRequest& request) {
    const Record old = scope_.instances.at(request.instance.value());
    if (!old.placement.secondary.is_none()) return fail_with("Instance already has a secondary");
    const NodeId primary = old.placement.primary;
    const NodeState* before = scope_.states[primary.index()];
    NodeState left = scope_[primary];
    remove_primary(cluster_, primary, left, old.ref());
    put(primary, left);
    Record wanted = old;
    mirrored_ = as_mirrored(cluster_, *old.instance);
    wanted.instance = &mirrored_;
    Candidates candidates{true, {primary}, {}};
    for (const NodeId node : scope_.nodes) {
      if (node != primary && cluster_[node].group == cluster_[primary].group)
        candidates.secondaries.push_back(node);
    }
    engine_.is_dedicated = false;
    if (watch_.mirroring) watch_.mirroring(scope_, wanted, candidates);
    const Solution solution = search_pairs(scope_, wanted, candidates, engine_);
    answer_.info = describe(cluster_, solution);
    if (!solution.chosen) {
      scope_.states[primary.index()] = before;
      return fail_with(answer_.info);
    }
    succeed();
    answer_.result = SecondaryResult{solution.chosen->nodes.back()};
    for (const auto& [node, state] : solution.chosen->states) put(node, state);
    scope_.instances.set(request.instance.value(), solution.chosen->record);
  }

  void operator()(const NodeEvacuateRequest& request) {
    Evacuator evacuation(scope_, store_);
    evacuation.watch(watch_.evacuation);
    evacuate_nodes(evacuation, request);
    finish(std::move(evacuation.result()));
  }

  void operator()(const RelocateRequest& request) {
    if (request.required_nodes != 1) {
      return fail_with("Exchange " + std::to_string(request.required_nodes) +
                       " nodes mode is not implemented");
    }
    const Record record = scope_.instances.at(request.instance.value());
    const Mirroring mirroring = mirroring_of(record.instance->disk_template);
    if (mirroring == Mirroring::None) return fail_with("Can't relocate non-mirrored instances");
    const bool is_internal = mirroring == Mirroring::Internal;
    const NodeId expected = is_internal ? record.placement.secondary : record.placement.primary;
    if (request.from != std::vector<NodeId>{expected}) {
      return fail_with(unsupported(is_internal ? "secondary" : "primary", expected, request.from));
    }
    Evacuator evacuation(scope_, store_);
    evacuation.watch(watch_.evacuation);
    evacuate_nodes(evacuation, {{request.instance},
                                is_internal ? EvacuateMode::Secondary : EvacuateMode::Primary});
    const EvacuateResult& result = evacuation.result();
    if (!result.failed.empty()) return fail_with(result.failed.front().text);
    answer_.info = "success";
    succeed();
    answer_.result = std::vector<NodeId>{result.moved.front().nodes.back()};
  }

  void operator()(const ChangeGroupRequest& request) {
    Evacuator evacuation(scope_, store_);
    evacuation.watch(watch_.evacuation);
    change_groups(evacuation, scope_, request.instances, engine_, allowed_groups(request));
    finish(std::move(evacuation.result()));
  }

  AllocatorAnswer take() {
    answer_.nodes = scope_.nodes;
    answer_.state.nodes.resize(cluster_.nodes.size());
    for (const NodeId node : scope_.nodes) answer_.state.nodes[node.index()] = scope_[node];
    answer_.instances = std::move(first_);
    for (const Record& record : scope_.instances.slots()) {
      if (record.instance != nullptr)
        answer_.instances.push_back({*record.instance, record.placement});
    }
    return std::move(answer_);
  }

 private:
  WantedInstance as_wanted(const NewInstance& wanted) const {
    return {Record{InstanceId(), &wanted.instance, Placement{}, true}, wanted.required_nodes};
  }

  Outcome<GroupChoice> choose(const WantedInstance& wanted, const std::optional<std::string>& group,
                              const ScopedCluster& scope) const {
    if (!group) {
      auto choice = choose_group(scope, wanted, engine_, std::nullopt);
      if (choice)
        choice->messages.insert(choice->messages.begin(),
                                "Selected group: " + cluster_[choice->group].name);
      return choice;
    }
    const auto found = find_group(cluster_, *group);
    if (!found) return tl::unexpected(found.error());
    return try_group(scope, wanted, engine_, *found);
  }

  /// All instances, one group's nodes.
  void keep_nodes_of(GroupId group) {
    InstanceMap all = std::move(scope_.instances);
    scope_ = part_of_scope(scope_, group);
    scope_.instances = std::move(all);
  }

  static Instance as_mirrored(const Cluster& cluster, const Instance& instance) {
    Instance mirrored = instance;
    mirrored.disk_template = DiskTemplate::Drbd;
    for (Disk& disk : mirrored.disks) {
      if (disk.unit.is_none() || cluster[disk.unit].type != "lvm-vg") continue;
      const StorageKey wanted{"drbd8", cluster[disk.unit].key};
      const auto place =
          std::find(cluster.storage_keys.begin(), cluster.storage_keys.end(), wanted);
      if (place == cluster.storage_keys.end()) continue;
      disk.unit = StorageKeyId(static_cast<std::size_t>(place - cluster.storage_keys.begin()));
      disk.taken_mib = disk.size_mib + kDrbdMetadataMib;
    }
    return mirrored;
  }

  void evacuate_nodes(Evacuator& evacuation, const NodeEvacuateRequest& request) const {
    std::set<NodeId> excluded;
    for (const NodeId node : scope_.nodes) {
      if (cluster_[node].is_offline) excluded.insert(node);
    }
    const bool in_place = options_.evacuate_in_place && request.mode == EvacuateMode::All;
    const NodeId common = in_place ? common_node(request) : NodeId();
    for (const InstanceId id : request.instances) {
      const Record& record = scope_.instances.at(id.value());
      const bool is_mirrored = record.instance->disk_template == DiskTemplate::Drbd;
      if (in_place && !leaving_node(record, common).is_none()) {
        excluded.insert(leaving_node(record, common));
        continue;
      }
      if (request.mode != EvacuateMode::Secondary) excluded.insert(record.placement.primary);
      if (request.mode != EvacuateMode::Primary && is_mirrored)
        excluded.insert(record.placement.secondary);
    }
    std::vector<Evacuator::Leaving> leaving;
    for (const InstanceId id : request.instances) {
      const Record& record = scope_.instances.at(id.value());
      const NodeId primary = record.placement.primary;
      Evacuator::Plan plan{request.mode, cluster_[primary].group, {}, engine_.force, NodeId()};
      if (in_place) plan.leaving = leaving_node(record, common);
      const bool keeps_half = !plan.leaving.is_none();
      for (const NodeId node : scope_.nodes) {
        const bool is_own = node == primary || (keeps_half && node == record.placement.secondary);
        if (cluster_[node].group == plan.group && !is_own && excluded.count(node) == 0)
          plan.targets.push_back(node);
      }
      leaving.push_back({id, std::move(plan)});
    }
    evacuation.evacuate_all(leaving);
  }

  /// The one node that all listed instances share: the node that is being emptied.
  NodeId common_node(const NodeEvacuateRequest& request) const {
    std::set<NodeId> common;
    for (std::size_t i = 0; i < request.instances.size(); ++i) {
      const Placement& at = scope_.instances.at(request.instances[i].value()).placement;
      const std::set<NodeId> own{at.primary, at.secondary};
      if (i == 0) common = own;
      std::erase_if(common, [&](NodeId node) { return node.is_none() || own.count(node) == 0; });
    }
    return common.size() == 1 ? *common.begin() : NodeId();
  }

  /// Which of a mirrored instance's nodes is being emptied; none where that is not clear, or both
  /// are.
  NodeId leaving_node(const Record& record, NodeId common) const {
    const auto [primary, secondary, score] = record.placement;
    if (record.instance->disk_template != DiskTemplate::Drbd || secondary.is_none()) return {};
    const bool primary_off = cluster_[primary].is_offline;
    const bool secondary_off = cluster_[secondary].is_offline;
    if (primary_off != secondary_off) return primary_off ? primary : secondary;
    if (primary_off || common.is_none()) return {};
    return common;
  }

  std::string unsupported(std::string_view word, NodeId expected,
                          const std::vector<NodeId>& from) const {
    std::string text = "Unsupported request: excluded nodes not equal to instance's " +
                       std::string(word) + "(" + std::to_string(expected.value()) + " versus [";
    for (std::size_t i = 0; i < from.size(); ++i)
      text += (i ? "," : "") + std::to_string(from[i].value());
    return text + "])";
  }

  std::vector<GroupId> allowed_groups(const ChangeGroupRequest& request) const {
    std::vector<GroupId> allowed = request.targets;
    if (allowed.empty()) {
      for (const GroupId id : group_ids(cluster_)) allowed.push_back(id);
    }
    std::set<GroupId> left;
    for (const InstanceId id : request.instances) {
      const GroupId group = cluster_[scope_.instances.at(id.value()).placement.primary].group;
      if (!left.insert(group).second) continue;
      const auto found = std::find(allowed.begin(), allowed.end(), group);
      if (found != allowed.end()) allowed.erase(found);
    }
    return allowed;
  }

  void finish(EvacuateResult&& result) {
    answer_.info = std::to_string(result.failed.size()) + " instances failed to move and " +
                   std::to_string(result.moved.size()) + " were moved successfully";
    succeed();
    answer_.result = std::move(result);
  }

  void put(NodeId node, const NodeState& state) {
    store_.push_back(state);
    scope_.states[node.index()] = &store_.back();
  }

  void succeed() { answer_.success = true; }

  void fail_with(std::string text) {
    answer_.info = std::move(text);
    answer_.success = false;
  }

  const Cluster& cluster_;
  const AllocatorOptions& options_;
  const Watch& watch_;
  ScopedCluster scope_;
  StateStore store_;
  EngineOptions engine_;
  Instance mirrored_;
  std::vector<InstanceAfter> first_;
  AllocatorAnswer answer_;
};

}  // namespace

bool is_dedicated(const Cluster& cluster, const Request& request) {
  const auto* name = wanted_group(request);
  if (name == nullptr) return false;
  return std::all_of(cluster.nodes.begin(), cluster.nodes.end(), [&](const Node& node) {
    const Group& group = cluster[node.group];
    const bool is_meant =
        *name ? group.name == **name : group.alloc_policy != AllocPolicy::Unallocable;
    return node.has_exclusive_storage || !is_meant;
  });
}

AllocatorAnswer answer_request(const Cluster& cluster, const State& state, const Request& request,
                               const AllocatorOptions& options) {
  return alloc::answer_watched(cluster, state, request, options, {});
}

AllocatorAnswer alloc::answer_watched(const Cluster& cluster, const State& state,
                                      const Request& request, const AllocatorOptions& options,
                                      const Watch& watch) {
  Answering answering(cluster, state, request, options, watch);
  try {
    std::visit(answering, request);
  } catch (const ReferenceDies& death) {
    AllocatorAnswer answer;
    answer.dies_at_key = death.key;
    return answer;
  }
  return answering.take();
}

}  // namespace ballast::ganeti
