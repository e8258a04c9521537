// SPDX-License-Identifier: BSD-2-Clause
#include "ballast/ganeti/moves/new_instance.hpp"

namespace ballast::ganeti {

MaybeRefusal put_primary(const Cluster& cluster, const NodeState& before, const InstanceRef& ref,
                         Checks checks, bool is_joined, const NodeView& view, NodeState& after) {
  const NodeId node = ref.placement.primary;
  if (auto no = check_policy(cluster, node, *ref.instance)) return no;
  after = before;
  if (auto no = add_primary(cluster, node, after, ref, checks)) return no;
  if (auto no = check_reserve(cluster, node, before, after)) return no;
  return check_rules(cluster, {ref.id, ref.instance, {}, {node, NodeId(), 0}, is_joined}, view);
}

MaybeRefusal put_secondary(const Cluster& cluster, NodeId node, const NodeState& before,
                           const InstanceRef& ref, Checks checks, bool is_joined,
                           const NodeView& view, NodeState& after) {
  const NodeId primary = ref.placement.primary;
  after = before;
  if (auto no = add_secondary(cluster, node, after, ref, primary, checks)) return no;
  if (auto no = check_reserve(cluster, node, before, after)) return no;
  return check_rules(
      cluster, {ref.id, ref.instance, {primary, NodeId(), 0}, {primary, node, 0}, is_joined}, view);
}

}  // namespace ballast::ganeti
