// SPDX-License-Identifier: BSD-2-Clause
#include "ballast/ganeti/report/explain/allocation.hpp"

#include <algorithm>
#include <cmath>

#include "ballast/ganeti/model/ids_of.hpp"
#include "ballast/ganeti/search/allocate/groups.hpp"
#include "ballast/ganeti/search/allocate/new_on_shared.hpp"
#include "ballast/ganeti/search/allocate/singles.hpp"
#include "ballast/ganeti/search/redundancy/emptying_check.hpp"
#include "lifted_scope.hpp"
#include "moves.hpp"

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
  /// `wanted` is not in the scope's lists.
  Explaining(const ScopedCluster& scope, const Record& wanted, const AllocatorOptions& options)
      : cluster_(*scope.cluster), options_(options), scope_(scope), wanted_(wanted) {
    force_ = options.ignore_soft_errors || options.ignore_all_soft_errors;
  }

  AllocationExplanation run(std::span<const Candidates> all) {
    AllocationExplanation explanation;
    const NewOnShared pool(scope_, wanted_);
    const ScopedCluster& scope = pool.scope();
    const ScoreSheet table(cluster_, scope.states, scope.nodes);
    const Running base = table.running();
    const CapacityTest capacity(scope);
    for (const Candidates& candidates : all) {
      for (const NodeId primary : candidates.primaries) {
        for (const NodeId secondary :
             candidates.is_pair ? candidates.secondaries : std::vector<NodeId>{NodeId()}) {
          if (secondary != primary)
            explanation.candidates.push_back(
                verdict(primary, secondary, pool, base, table, capacity));
        }
      }
    }
    const bool fits = std::any_of(explanation.candidates.begin(), explanation.candidates.end(),
                                  [](const CandidateVerdict& one) { return !one.refusal; });
    if (!fits) {
      explanation.change = smallest_change(
          scope_, wanted_, explanation.candidates,
          [&](const ScopedCluster& lifted, const Record& record, const CandidateVerdict& one) {
            Placed placed;
            return place(NewOnShared(lifted, record), record, one.primary, one.secondary, placed);
          });
    }
    return explanation;
  }

 private:
  [[nodiscard]] MaybeRefusal place(const NewOnShared& pool, const Record& wanted, NodeId primary,
                                   NodeId secondary, Placed& placed) const {
    placed.record = wanted;
    if (auto no = pool.place(placed.record, primary, secondary, force_, placed.first)) return no;
    if (secondary.is_none()) return std::nullopt;
    return place_secondary(pool.scope(), placed.record, primary, secondary,
                           options_.ignore_all_soft_errors, placed.second);
  }

  [[nodiscard]] CandidateVerdict verdict(NodeId primary, NodeId secondary, const NewOnShared& pool,
                                         const Running& base, const ScoreSheet& table,
                                         const CapacityTest& capacity) const {
    CandidateVerdict result{primary, secondary, std::nullopt, 0, 0, {}};
    Placed placed;
    result.refusal = place(pool, wanted_, primary, secondary, placed);
    if (result.refusal) return result;
    std::vector<ChangedNode> changes{{primary, &placed.first}};
    result.price = price_of_change(scope_, wanted_, {}, placed.record.placement);
    if (secondary.is_none()) {
      result.score = table.total_with(changes);
    } else {
      changes.push_back({secondary, &placed.second});
      Running running = base;
      running.update(cluster_, primary, scope_[primary], placed.first);
      running.update(cluster_, secondary, scope_[secondary], placed.second);
      result.score = running.score();
    }
    result.score += result.price;
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

  const Cluster& cluster_;
  const AllocatorOptions& options_;
  ScopedCluster scope_;
  Record wanted_;
  bool force_ = false;
};

}  // namespace

namespace alloc {

AllocationExplanation explain_new(const ScopedCluster& whole, const NewInstance& wanted,
                                  const std::optional<std::vector<std::string>>& restricted,
                                  const AllocatorOptions& options) {
  try {
    const Cluster& cluster = *whole.cluster;
    ScopedCluster scope = whole;
    if (wanted.group) {
      const auto group = find_group(cluster, *wanted.group);
      if (!group) return {};
      scope = part_of_scope(whole, *group);
    }
    EngineOptions engine;
    engine.restrict_to_nodes = options.restrict_to_nodes ? options.restrict_to_nodes : restricted;
    std::vector<Candidates> all;
    for (const GroupId id : group_ids(cluster)) {
      const ScopedCluster part = part_of_scope(scope, id);
      auto candidates = candidates_of(scope, part.nodes, wanted.required_nodes, engine);
      if (candidates) all.push_back(std::move(*candidates));
    }
    const Record record{InstanceId(), &wanted.instance, Placement{}, true};
    return Explaining(scope, record, options).run(all);
  } catch (const ReferenceDies&) {
    return {};
  }
}

AllocationExplanation explain_mirror(const ScopedCluster& scope, const Record& record,
                                     const Candidates& candidates,
                                     const AllocatorOptions& options) {
  try {
    return Explaining(scope, record, options).run(std::span(&candidates, 1));
  } catch (const ReferenceDies&) {
    return {};
  }
}

}  // namespace alloc

}  // namespace ballast::ganeti
