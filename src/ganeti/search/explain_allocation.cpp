// SPDX-License-Identifier: BSD-2-Clause
#include "ballast/ganeti/search/explain_allocation.hpp"

#include <algorithm>
#include <cmath>

#include "capacity_test.hpp"
#include "explain_moves.hpp"
#include "groups.hpp"
#include "singles.hpp"

namespace ballast::ganeti {
namespace {

using namespace alloc;

struct Placed {
  Record record;
  NodeState first;
  NodeState second;
};

class Explaining {
 public:
  Explaining(const World& world, const NewInstance& wanted,
             const std::optional<std::vector<std::string>>& restricted,
             const AllocatorOptions& options)
      : cluster_(*world.cluster),
        new_(wanted),
        restricted_(restricted),
        options_(options),
        world_(world) {
    wanted_ = Record{InstanceId(), &wanted.instance, Placement{}, true};
    force_ = options.ignore_soft_errors || options.ignore_all_soft_errors;
  }

  AllocationExplanation run() {
    AllocationExplanation explanation;
    list_candidates(explanation);
    const bool fits = std::any_of(explanation.candidates.begin(), explanation.candidates.end(),
                                  [](const CandidateVerdict& one) { return !one.refusal; });
    if (fits) return explanation;
    explanation.change = smallest_change(explanation.candidates);
    explanation.room = room_maker(explanation.candidates);
    return explanation;
  }

 private:
  void list_candidates(AllocationExplanation& explanation) {
    if (new_.group) {
      const auto group = find_group(cluster_, *new_.group);
      if (!group) return;
      world_ = part_of_world(world_, *group);
    }
    const AllocatorStatistics base(cluster_, world_.states, world_.nodes);
    const ScoreTable table(cluster_, world_.states, world_.nodes);
    const CapacityTest capacity(world_);
    EngineOptions engine;
    engine.restrict_to_nodes =
        options_.restrict_to_nodes ? options_.restrict_to_nodes : restricted_;
    for (std::size_t g = 0; g < cluster_.groups.size(); ++g) {
      const World part = part_of_world(world_, GroupId(g));
      const auto candidates = candidates_of(world_, part.nodes, new_.required_nodes, engine);
      if (!candidates) continue;
      for (const NodeId primary : candidates->primaries) {
        for (const NodeId secondary :
             candidates->is_pair ? candidates->secondaries : std::vector<NodeId>{NodeId()}) {
          if (secondary != primary)
            explanation.candidates.push_back(verdict(primary, secondary, base, table, capacity));
        }
      }
    }
  }

  [[nodiscard]] MaybeRefusal place(const World& world, NodeId primary, NodeId secondary,
                                   Placed& placed) const {
    placed.record = wanted_;
    if (auto no = place_primary(world, placed.record, primary, secondary, force_, placed.first))
      return no;
    if (secondary.is_none()) return std::nullopt;
    placed.second = world[secondary];
    return add_secondary(*world.cluster, secondary, placed.second, placed.record.ref(), primary,
                         options_.ignore_all_soft_errors);
  }

  [[nodiscard]] CandidateVerdict verdict(NodeId primary, NodeId secondary,
                                         const AllocatorStatistics& base, const ScoreTable& table,
                                         const CapacityTest& capacity) const {
    CandidateVerdict result{primary, secondary, std::nullopt, 0, {}};
    Placed placed;
    result.refusal = place(world_, primary, secondary, placed);
    if (result.refusal) return result;
    std::vector<ChangedNode> changes{{primary, &placed.first}};
    if (secondary.is_none()) {
      result.score = table.exact(changes);
    } else {
      changes.push_back({secondary, &placed.second});
      AllocatorStatistics statistics = base;
      statistics.update(primary, world_[primary], placed.first);
      statistics.update(secondary, world_[secondary], placed.second);
      result.score = statistics.score();
    }
    if (!options_.capacity_checks || capacity.holds({changes, &placed.record})) return result;
    const auto stuck = capacity.first_stuck({changes, &placed.record});
    Refusal refusal{
        FailReason::N1, Rule::GlobalNPlusOne, stuck ? stuck->node : primary, -1, {}, 0, 0};
    if (stuck) {
      refusal.wanted = static_cast<double>(stuck->instance->memory_mib);
      result.stuck_instance = stuck->instance->name;
    }
    result.refusal = refusal;
    return result;
  }

  /// Lifts one refusal in copies of cluster and states; false where figures do not help.
  static bool lift(const Refusal& refusal, Cluster& cluster, std::vector<NodeState>& states,
                   Instance& instance) {
    Node& node = cluster.nodes[refusal.node.index()];
    NodeState& state = states[refusal.node.index()];
    const double missing = refusal.wanted - refusal.available;
    const auto whole = static_cast<std::int64_t>(std::ceil(missing)) + 1;
    switch (refusal.rule) {
      case Rule::MemoryUnallocated:
      case Rule::NPlusOne:
      case Rule::SecondaryMemory:
        node.total_mem += static_cast<double>(whole);
        return true;
      case Rule::ForthcomingMemory:
        state.forth_free_mem += whole;
        return true;
      case Rule::DiskFree:
        state.free_disk += whole;
        state.forth_free_disk += whole;
        return true;
      case Rule::ForthcomingDisk:
        state.forth_free_disk += whole;
        return true;
      case Rule::SpindleRatio:
      case Rule::ForthcomingSpindleRatio:
        node.high_spindles = refusal.wanted;
        return true;
      case Rule::CpuRatio:
      case Rule::ForthcomingCpuRatio:
        node.vcpu_ratio = refusal.wanted;
        return true;
      case Rule::UnitFull:
      case Rule::ForthcomingUnitFull: {
        for (const StorageUnit& unit : node.units) {
          if (unit.key != refusal.unit) continue;
          Capacity& capacity = state.capacities[static_cast<std::size_t>(unit.capacity)];
          capacity.total_mib += whole - 1;
          capacity.free_mib += whole - 1;
          capacity.forth_free_mib += whole - 1;
        }
        return true;
      }
      case Rule::PolicyMemory:
        instance.memory_mib = static_cast<std::int64_t>(refusal.available);
        return true;
      case Rule::PolicyCpu:
        instance.vcpus = static_cast<std::int64_t>(refusal.available);
        return true;
      case Rule::PolicyDiskSize:
        if (refusal.disk >= 0) {
          instance.disks[static_cast<std::size_t>(refusal.disk)].size_mib =
              static_cast<std::int64_t>(refusal.available);
        }
        return refusal.disk >= 0;
      default:
        return false;
    }
  }

  /// The candidate with the fewest refusals to lift, then the least shortage of the first one.
  std::optional<SmallestChange> smallest_change(const std::vector<CandidateVerdict>& candidates) {
    constexpr std::size_t kMostCandidates = 400;
    constexpr std::size_t kMostLifted = 4;
    std::optional<SmallestChange> best;
    for (std::size_t i = 0; i < std::min(candidates.size(), kMostCandidates); ++i) {
      SmallestChange change{candidates[i], {}};
      if (try_lifting(change, kMostLifted) && (!best || is_smaller(change, *best)))
        best = std::move(change);
    }
    return best;
  }

  bool try_lifting(SmallestChange& change, std::size_t most) {
    Cluster cluster = cluster_;
    std::vector<NodeState> states;
    for (const NodeState* state : world_.states)
      states.push_back(state == nullptr ? NodeState() : *state);
    Instance instance = new_.instance;
    World world = world_;
    world.cluster = &cluster;
    for (const NodeId node : world.nodes) world.states[node.index()] = &states[node.index()];
    const Record kept = wanted_;
    wanted_.instance = &instance;
    bool fits = false;
    while (!fits && change.lifted.size() < most) {
      Placed placed;
      const auto no = place(world, change.candidate.primary, change.candidate.secondary, placed);
      fits = !no;
      if (!no) break;
      change.lifted.push_back(*no);
      if (!lift(*no, cluster, states, instance)) break;
    }
    wanted_ = kept;
    return fits && !change.lifted.empty();
  }

  static bool is_smaller(const SmallestChange& a, const SmallestChange& b) {
    if (a.lifted.size() != b.lifted.size()) return a.lifted.size() < b.lifted.size();
    const auto shortage = [](const SmallestChange& one) {
      return std::abs(one.lifted.front().wanted - one.lifted.front().available);
    };
    return shortage(a) < shortage(b);
  }

  /// Tries to move one instance away from a candidate's nodes.
  std::optional<RoomMaker> room_maker(const std::vector<CandidateVerdict>& candidates) const {
    constexpr int kMostTries = 20000;
    int tries = 0;
    for (const CandidateVerdict& candidate : candidates) {
      if (!candidate.refusal || candidate.refusal->node.is_none()) continue;
      const NodeId from = candidate.refusal->node;
      for (const bool is_secondary : {false, true}) {
        for (const InstanceId id :
             is_secondary ? world_[from].secondaries : world_[from].primaries) {
          for (const NodeId to : world_.nodes) {
            if (++tries > kMostTries) return std::nullopt;
            if (makes_room(candidate, id, from, to, is_secondary))
              return RoomMaker{id, from, to, is_secondary, candidate};
          }
        }
      }
    }
    return std::nullopt;
  }

  [[nodiscard]] bool makes_room(const CandidateVerdict& candidate, InstanceId id, NodeId from,
                                NodeId to, bool is_secondary) const {
    Record record = world_.instances.at(id.value());
    if (to == from || cluster_[to].is_offline || cluster_[to].group != cluster_[from].group)
      return false;
    const Mirroring mirroring = mirroring_of(record.instance->disk_template);
    Overlay overlay(world_);
    MaybeRefusal no;
    if (is_secondary) {
      if (to == record.placement.primary) return false;
      no = replace_secondary(overlay, record, to, false);
    } else if (mirroring == Mirroring::Internal) {
      if (to != record.placement.secondary) return false;
      no = fail_over(overlay, record, false);
    } else if (mirroring == Mirroring::External) {
      no = fail_over_to(overlay, record, to, false);
    } else {
      return false;
    }
    if (no) return false;
    World world = world_;
    for (const auto& [node, state] : overlay.changed()) world.states[node.index()] = &state;
    world.instances.set(id.value(), record);
    Placed placed;
    if (place(world, candidate.primary, candidate.secondary, placed)) return false;
    if (!options_.capacity_checks) return true;
    std::vector<ChangedNode> changes{{candidate.primary, &placed.first}};
    if (!candidate.secondary.is_none()) changes.push_back({candidate.secondary, &placed.second});
    return CapacityTest(world).holds({changes, &placed.record});
  }

  const Cluster& cluster_;
  const NewInstance& new_;
  const std::optional<std::vector<std::string>>& restricted_;
  const AllocatorOptions& options_;
  World world_;
  Record wanted_;
  bool force_ = false;
};

}  // namespace

namespace alloc {

AllocationExplanation explain_new(const World& world, const NewInstance& wanted,
                                  const std::optional<std::vector<std::string>>& restricted,
                                  const AllocatorOptions& options) {
  try {
    return Explaining(world, wanted, restricted, options).run();
  } catch (const ReferenceDies&) {
    return {};
  }
}

}  // namespace alloc

}  // namespace ballast::ganeti
