// SPDX-License-Identifier: BSD-2-Clause
#include "capacity_room.hpp"

#include <algorithm>

#include "ballast/ganeti/model/node_ops.hpp"

namespace ballast::ganeti::alloc {
namespace {

/// More than any number of instances; sums of it stay far from overflow.
constexpr std::int64_t kEndless = std::int64_t{1} << 32U;

std::int64_t used_memory(const Instance& instance) {
  return instance.uses_memory() ? instance.memory_mib : 0;
}

/// How many pieces of at most `largest` are needed before less than or just `need` is left.
std::int64_t pieces(std::int64_t free, std::int64_t need, std::int64_t largest) {
  if (free <= need) return 0;
  if (largest == 0) return kEndless;
  return (free - need + largest - 1) / largest;
}

}  // namespace

CapacityRoom::CapacityRoom(const Cluster& cluster, const State& state,
                           std::span<const NodeId> tested)
    : cluster_(cluster),
      state_(state),
      tested_(tested.begin(), tested.end()),
      by_group_(cluster.groups.size()),
      leaving_(cluster.nodes.size()) {
  if (!is_understood()) return;
  for (std::size_t n = 0; n < cluster.nodes.size(); ++n) {
    by_group_[cluster.nodes[n].group.index()].emplace_back(n);
    free_.push_back({unallocated_mem(cluster.nodes[n], state.nodes[n]), state.nodes[n].free_disk});
  }
  for (const NodeId node : tested_) leaving_[node.index()] = leaving_of(node);
  is_usable_ = true;
}

/// Storage units, spindles and migration tags need a closer look, as does a broken record.
bool CapacityRoom::is_understood() const {
  if (cluster_.has_storage) return false;
  for (std::size_t n = 0; n < cluster_.nodes.size(); ++n) {
    const Node& node = cluster_.nodes[n];
    if (node.has_exclusive_storage || !node.migration_tags.empty()) return false;
    std::vector<InstanceId> primaries = state_.nodes[n].primaries;
    std::sort(primaries.begin(), primaries.end());
    if (std::adjacent_find(primaries.begin(), primaries.end()) != primaries.end()) return false;
    for (const InstanceId id : primaries) {
      const Instance& instance = cluster_[id];
      if (instance.memory_mib < 0 || instance.disk_mib < 0 || state_[id].primary != NodeId(n) ||
          (has_secondary(instance.disk_template) && state_[id].secondary.is_none())) {
        return false;
      }
    }
  }
  return true;
}

CapacityRoom::Need CapacityRoom::need_of(const Instance& instance) {
  return {used_memory(instance), uses_local_disk(instance.disk_template) ? instance.disk_mib : 0};
}

/// Those that are made anew go by their memory, largest first; of equal ones the newest.
void CapacityRoom::insert_newest(Leaving& leaving, const Instance& instance) {
  std::size_t place = 0;
  if (is_shared_for_evacuation(instance.disk_template)) {
    ++leaving.shared;
  } else {
    place = leaving.shared;
    while (place < leaving.order.size() && leaving.order[place] > instance.memory_mib) ++place;
  }
  const auto offset = static_cast<std::ptrdiff_t>(place);
  leaving.needs.insert(leaving.needs.begin() + offset, need_of(instance));
  leaving.order.insert(leaving.order.begin() + offset, instance.memory_mib);
}

CapacityRoom::Leaving CapacityRoom::leaving_of(NodeId node) const {
  Leaving leaving;
  const std::vector<InstanceId>& newest_first = state_[node].primaries;
  for (auto place = newest_first.rbegin(); place != newest_first.rend(); ++place) {
    const InstanceId id = *place;
    const Instance& instance = cluster_[id];
    if (!has_secondary(instance.disk_template)) {
      const bool is_made_anew = !is_shared_for_evacuation(instance.disk_template);
      leaving.never =
          leaving.never || (is_made_anew && check_policy(cluster_, node, instance).has_value());
      insert_newest(leaving, instance);
      continue;
    }
    const NodeId secondary = state_[id].secondary;
    auto load = std::find_if(leaving.loads.begin(), leaving.loads.end(),
                             [&](const Load& one) { return one.secondary == secondary; });
    if (load == leaving.loads.end()) load = leaving.loads.insert(load, {secondary, 0});
    load->memory_mib += used_memory(instance);
    const bool keeps_disk = free_[secondary.index()].disk_mib > 0 &&
                            (cluster_[node].is_offline || free_[node.index()].disk_mib > 0);
    leaving.never = leaving.never || !keeps_disk;
  }
  for (const Load& load : leaving.loads) {
    leaving.never =
        leaving.never || free_[load.secondary.index()].memory_mib - load.memory_mib <= 0;
  }
  return leaving;
}

std::int64_t CapacityRoom::count(const Free& free, const Question& question) {
  const std::int64_t by_memory =
      pieces(free.memory_mib, question.need.memory_mib, question.largest.memory_mib);
  if (question.need.disk_mib == 0) return by_memory;
  return std::min(by_memory,
                  pieces(free.disk_mib, question.need.disk_mib, question.largest.disk_mib));
}

const CapacityRoom::Counts& CapacityRoom::counts(const Question& question) {
  const auto known = counts_.find(question);
  if (known != counts_.end()) return known->second;
  Counts counts{std::vector<std::int64_t>(cluster_.nodes.size()), 0};
  for (const NodeId node : by_group_[question.group.index()]) {
    counts.by_node[node.index()] = count(free_[node.index()], question);
    counts.total += counts.by_node[node.index()];
  }
  return counts_.emplace(question, std::move(counts)).first->second;
}

/// The sum over all nodes but the failed one, after its mirrored instances have moved.
std::int64_t CapacityRoom::room(NodeId node, const Leaving& leaving, const Question& question,
                                NodeId changed, const Free& changed_free) {
  const Counts& known = counts(question);
  std::int64_t sum = known.total - known.by_node[node.index()];
  const bool is_near =
      !changed.is_none() && changed != node && cluster_[changed].group == cluster_[node].group;
  if (is_near) sum += count(changed_free, question) - known.by_node[changed.index()];
  for (const Load& load : leaving.loads) {
    if (cluster_[load.secondary].group != cluster_[node].group) continue;
    Free free = is_near && load.secondary == changed ? changed_free : free_[load.secondary.index()];
    sum -= count(free, question);
    free.memory_mib -= load.memory_mib;
    sum += count(free, question);
  }
  return sum;
}

Verdict CapacityRoom::judge_node(NodeId node, const Leaving& leaving, NodeId changed,
                                 const Free& changed_free) {
  if (leaving.never) return Verdict::Fails;
  for (const Load& load : leaving.loads) {
    if (load.secondary == changed && changed_free.memory_mib - load.memory_mib <= 0)
      return Verdict::Fails;
  }
  if (leaving.needs.empty()) return Verdict::Holds;
  Need least = leaving.needs.front();
  Need largest;
  for (const Need& need : leaving.needs) {
    least = {std::min(least.memory_mib, need.memory_mib), std::min(least.disk_mib, need.disk_mib)};
    largest = {std::max(largest.memory_mib, need.memory_mib),
               std::max(largest.disk_mib, need.disk_mib)};
  }
  const GroupId group = cluster_[node].group;
  const auto all = static_cast<std::int64_t>(leaving.needs.size());
  // With the least needs and pieces no larger than they are, each node takes at most that many.
  if (room(node, leaving, {group, least, least}, changed, changed_free) < all)
    return Verdict::Fails;
  for (std::size_t i = leaving.needs.size(); i-- > 0;) {
    const Need& need = leaving.needs[i];
    if (i + 1 < leaving.needs.size() && need == leaving.needs[i + 1]) continue;
    const auto before = static_cast<std::int64_t>(i);
    if (room(node, leaving, {group, need, largest}, changed, changed_free) <= before)
      return Verdict::Unknown;
  }
  return Verdict::Holds;
}

Verdict CapacityRoom::judge_all(NodeId changed, const Instance* instance) {
  Free changed_free;
  if (instance != nullptr) {
    changed_free = free_[changed.index()];
    const Need need = need_of(*instance);
    changed_free.memory_mib -= need.memory_mib;
    changed_free.disk_mib -= need.disk_mib;
  }
  Verdict all = Verdict::Holds;
  for (const NodeId node : tested_) {
    Verdict one = Verdict::Holds;
    if (node == changed) {
      Leaving leaving = leaving_[node.index()];
      insert_newest(leaving, *instance);
      leaving.never = leaving.never || (!leaving.loads.empty() && changed_free.disk_mib <= 0);
      one = judge_node(node, leaving, NodeId(), changed_free);
    } else {
      one = judge_node(node, leaving_[node.index()], changed, changed_free);
    }
    if (one == Verdict::Fails) return Verdict::Fails;
    if (one == Verdict::Unknown) all = Verdict::Unknown;
  }
  return all;
}

Verdict CapacityRoom::judge(NodeId node, const Instance& instance) {
  if (!is_usable_ || instance.memory_mib < 0 || instance.disk_mib < 0 ||
      has_secondary(instance.disk_template))
    return Verdict::Unknown;
  return judge_all(node, &instance);
}

}  // namespace ballast::ganeti::alloc
