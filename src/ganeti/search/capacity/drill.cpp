// SPDX-License-Identifier: BSD-2-Clause
#include "drill.hpp"

#include <algorithm>
#include <cmath>

#include "ballast/ganeti/search/redundancy/emptying.hpp"

namespace ballast::ganeti::alloc {
namespace {

bool is_free_of_tags(const Instance& instance) {
  return instance.exclusion_tags.empty() && instance.desired_locations.empty() &&
         !instance.is_forthcoming && !instance.is_unit_unknown;
}

}  // namespace

bool can_drill(const Cluster& cluster) {
  // The units that count are those of the nodes that are scored: of one group, or of all.
  return (!cluster.has_storage || cluster.groups.size() == 1) &&
         std::all_of(cluster.nodes.begin(), cluster.nodes.end(), [](const Node& node) {
           return !node.is_offline && node.location_tags.empty() && node.migration_tags.empty();
         });
}

CapacityDrill::CapacityDrill(const Cluster& cluster, std::shared_ptr<const ScoreColumns> columns,
                             std::vector<NodeKind> others, NodeKind failing)
    : cluster_(cluster), columns_(std::move(columns)), failing_{std::move(failing), {}} {
  failing_.values = columns_->values_of(failing_.nodes.example, failing_.nodes.state);
  for (NodeKind& kind : others) enter(std::move(kind));
}

void CapacityDrill::enter(NodeKind nodes) {
  const auto [place, is_new] = by_signature_.try_emplace(
      node_signature(cluster_, nodes.example, nodes.state), kinds_.size());
  if (!is_new) {
    kinds_[place->second].nodes.count += nodes.count;
    return;
  }
  ColumnValues values = columns_->values_of(nodes.example, nodes.state);
  kinds_.push_back({std::move(nodes), std::move(values)});
}

Running CapacityDrill::running(bool in_group) const {
  const GroupId group = cluster_[failing_.nodes.example].group;
  std::vector<Running::NodesAlike> nodes{{&failing_.values, 1}};
  for (const Kind& kind : kinds_) {
    if (!in_group || cluster_[kind.nodes.example].group == group)
      nodes.push_back({&kind.values, static_cast<double>(kind.nodes.count)});
  }
  return {columns_, nodes};
}

void CapacityDrill::move_one(Taken&& taken) {
  Kind& from = kinds_[taken.kind];
  const NodeId example = from.nodes.example;
  --from.nodes.count;
  enter({example, std::move(taken.after), 1});
}

std::optional<Verdict> CapacityDrill::place(const InstanceRef& instance, bool in_group,
                                            bool by_policy) {
  const GroupId group = cluster_[failing_.nodes.example].group;
  const Running base = running(in_group);
  std::vector<Taken> fitting;
  for (std::size_t k = 0; k < kinds_.size(); ++k) {
    const Kind& kind = kinds_[k];
    const NodeId node = kind.nodes.example;
    if (kind.nodes.count == 0 || cluster_[node].group != group) continue;
    if (by_policy && check_policy(cluster_, node, *instance.instance)) continue;
    Taken taken{k, kind.nodes.state, {}, {}};
    const InstanceRef ref{instance.id, instance.instance, {node, NodeId(), 0}, false};
    if (add_primary(cluster_, node, taken.after, ref, true)) continue;
    taken.values = columns_->values_of(node, taken.after);
    Running changed = base;
    changed.update(kind.values, taken.values);
    taken.score = changed.estimate();
    taken.score.error *= 4;
    if (!std::isfinite(taken.score.most())) return Verdict::Unknown;
    fitting.push_back(std::move(taken));
  }
  if (fitting.empty()) return Verdict::Fails;
  const auto best = std::min_element(
      fitting.begin(), fitting.end(),
      [](const Taken& a, const Taken& b) { return a.score.score < b.score.score; });
  for (const Taken& other : fitting) {
    if (&other != &*best && other.score.least() <= best->score.most()) return Verdict::Unknown;
  }
  move_one(std::move(*best));
  return std::nullopt;
}

std::optional<Verdict> CapacityDrill::restart(const InstanceRef& instance) {
  NodeState& state = failing_.nodes.state;
  remove_primary(cluster_, failing_.nodes.example, state, instance);
  failing_.values = columns_->values_of(failing_.nodes.example, state);
  return place(instance, true, false);
}

/// It stays in the list of the node that it was on.
std::optional<Verdict> CapacityDrill::recreate(const InstanceRef& instance) {
  return place(instance, false, true);
}

Verdict CapacityDrill::run(const std::vector<InstanceRef>& leaving) {
  const auto instance_of = [](const InstanceRef& one) -> const Instance& { return *one.instance; };
  if (!std::ranges::all_of(leaving, is_free_of_tags, instance_of)) return Verdict::Unknown;
  return empty_by(*this, residents_of(leaving, instance_of)).value_or(Verdict::Holds);
}

}  // namespace ballast::ganeti::alloc
