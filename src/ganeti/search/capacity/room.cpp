// SPDX-License-Identifier: BSD-2-Clause
#include "room.hpp"

#include <algorithm>

#include "ballast/ganeti/model/ids_of.hpp"
#include "ballast/ganeti/moves/node_ops.hpp"
#include "drill.hpp"

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

template <class Value>
void append(std::string& text, const Value& value) {
  text.append(reinterpret_cast<const char*>(&value), sizeof value);
}

}  // namespace

CapacityRoom::CapacityRoom(const Cluster& cluster, const State& state,
                           std::span<const NodeId> tested)
    : cluster_(cluster),
      state_(state),
      is_tested_(cluster.nodes.size()),
      class_of_(cluster.nodes.size()) {
  for (const NodeId node : node_ids(cluster)) {
    is_usable_ = is_usable_ && is_understood(node);
    free_.push_back({unallocated_mem(cluster[node], state[node]), state[node].free_disk});
  }
  if (!is_usable_) return;
  for (const NodeId node : tested) is_tested_[node.index()] = true;
  for (const NodeId node : node_ids(cluster)) enter(node);
}

/// Spindles and migration tags need a closer look, as does a broken record.
bool CapacityRoom::is_understood(NodeId id) const {
  const Node& node = cluster_[id];
  if (node.has_exclusive_storage || !node.migration_tags.empty()) return false;
  std::vector<InstanceId> primaries = state_[id].primaries;
  std::sort(primaries.begin(), primaries.end());
  if (std::adjacent_find(primaries.begin(), primaries.end()) != primaries.end()) return false;
  return std::all_of(primaries.begin(), primaries.end(), [&](InstanceId one) {
    const Instance& instance = cluster_[one];
    return instance.memory_mib >= 0 && instance.disk_mib >= 0 && state_[one].primary == id &&
           (!has_secondary(instance.disk_template) || !state_[one].secondary.is_none());
  });
}

std::string CapacityRoom::signature(NodeId node, const Leaving& leaving) const {
  std::string text = node_signature(cluster_, node, state_[node]);
  append(text, leaving.shared);
  append(text, leaving.never);
  if (!leaving.loads.empty()) append(text, node);
  for (const Need& need : leaving.needs) append(text, need);
  for (const std::int64_t memory : leaving.order) append(text, memory);
  if (!cluster_.has_storage) return text;
  for (const InstanceId id : state_[node].primaries) {
    for (const Disk& disk : cluster_[id].disks) {
      append(text, disk.unit);
      append(text, disk.taken_mib);
    }
  }
  return text;
}

void CapacityRoom::enter(NodeId node) {
  Leaving leaving = leaving_of(node);
  has_loads_ = has_loads_ || !leaving.loads.empty();
  const auto [place, is_new] = by_signature_.try_emplace(signature(node, leaving), classes_.size());
  if (is_new)
    classes_.push_back({cluster_[node].group, free_[node.index()], std::move(leaving), {}, 0});
  class_of_[node.index()] = place->second;
  Class& entered = classes_[place->second];
  entered.members.push_back(node);
  if (is_tested_[node.index()]) ++entered.tested;
}

bool CapacityRoom::update(NodeId node) {
  if (has_loads_ || !is_usable_ || !is_understood(node)) return false;
  free_[node.index()] = {unallocated_mem(cluster_[node], state_[node]), state_[node].free_disk};
  Class& left = classes_[class_of_[node.index()]];
  left.members.erase(std::find(left.members.begin(), left.members.end(), node));
  if (is_tested_[node.index()]) --left.tested;
  enter(node);
  totals_.clear();
  judged_.clear();
  return !has_loads_;
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

std::int64_t CapacityRoom::total(const Question& question) {
  const auto [place, is_new] = totals_.try_emplace(question, 0);
  if (!is_new) return place->second;
  for (const Class& one : classes_) {
    if (one.group == question.group && !one.members.empty())
      place->second += static_cast<std::int64_t>(one.members.size()) * count(one.free, question);
  }
  return place->second;
}

/// The sum over all nodes but the failed one, after its mirrored instances have moved.
std::int64_t CapacityRoom::room(const Class& failing, const Leaving& leaving,
                                const Question& question, const Newcomer* newcomer) {
  std::int64_t sum = total(question) - count(failing.free, question);
  const bool is_near = newcomer != nullptr && cluster_[newcomer->node].group == failing.group;
  if (is_near)
    sum += count(newcomer->free, question) - count(free_[newcomer->node.index()], question);
  for (const Load& load : leaving.loads) {
    if (cluster_[load.secondary].group != failing.group) continue;
    Free free = is_near && load.secondary == newcomer->node ? newcomer->free
                                                            : free_[load.secondary.index()];
    sum -= count(free, question);
    free.memory_mib -= load.memory_mib;
    sum += count(free, question);
  }
  return sum;
}

/// `newcomer`: on another node than the failing one.
Verdict CapacityRoom::judge_class(const Class& failing, const Leaving& leaving,
                                  const Newcomer* newcomer) {
  if (leaving.never) return Verdict::Fails;
  for (const Load& load : leaving.loads) {
    if (newcomer != nullptr && load.secondary == newcomer->node &&
        newcomer->free.memory_mib - load.memory_mib <= 0)
      return Verdict::Fails;
  }
  if (leaving.needs.empty()) return Verdict::Holds;
  // Each unit has room of its own: that is played through.
  if (cluster_.has_storage) return Verdict::Unknown;
  Need least = leaving.needs.front();
  Need largest;
  for (const Need& need : leaving.needs) {
    least = {std::min(least.memory_mib, need.memory_mib), std::min(least.disk_mib, need.disk_mib)};
    largest = {std::max(largest.memory_mib, need.memory_mib),
               std::max(largest.disk_mib, need.disk_mib)};
  }
  const auto all = static_cast<std::int64_t>(leaving.needs.size());
  // With the least needs and pieces no larger than they are, each node takes at most that many.
  if (room(failing, leaving, {failing.group, least, least}, newcomer) < all) return Verdict::Fails;
  for (std::size_t i = leaving.needs.size(); i-- > 0;) {
    const Need& need = leaving.needs[i];
    if (i + 1 < leaving.needs.size() && need == leaving.needs[i + 1]) continue;
    const auto before = static_cast<std::int64_t>(i);
    if (room(failing, leaving, {failing.group, need, largest}, newcomer) <= before)
      return Verdict::Unknown;
  }
  return Verdict::Holds;
}

Verdict CapacityRoom::drill(const Class* failing, const Newcomer* newcomer) {
  if (has_loads_ || !can_drill(cluster_)) return Verdict::Unknown;
  if (!columns_) columns_ = std::make_shared<ScoreColumns>(cluster_, whole_part(cluster_).nodes);
  NodeId gone = newcomer != nullptr ? newcomer->node : NodeId();
  if (failing != nullptr)
    gone = failing->members.front() == gone ? failing->members[1] : failing->members.front();
  std::vector<NodeKind> others;
  for (const Class& one : classes_) {
    auto count = static_cast<std::int64_t>(one.members.size());
    if (&one == &classes_[class_of_[gone.index()]]) --count;
    const bool has_newcomer = newcomer != nullptr && newcomer->node != gone &&
                              &one == &classes_[class_of_[newcomer->node.index()]];
    if (has_newcomer) --count;
    if (count > 0) others.push_back({one.members.front(), state_[one.members.front()], count});
  }
  std::vector<InstanceRef> leaving;
  NodeKind failed{gone, state_[gone], 1};
  if (newcomer != nullptr) {
    NodeState after = state_[newcomer->node];
    const InstanceRef ref{InstanceId(), newcomer->instance, {newcomer->node, NodeId(), 0}, true};
    if (add_primary(cluster_, newcomer->node, after, ref, Checks::Hard)) return Verdict::Unknown;
    if (newcomer->node == gone) {
      leaving.push_back(ref);
      failed.state = std::move(after);
    } else {
      others.push_back({newcomer->node, std::move(after), 1});
    }
  }
  for (const InstanceId id : state_[gone].primaries)
    leaving.push_back({id, &cluster_[id], state_[id], false});
  return CapacityDrill(cluster_, columns_, std::move(others), std::move(failed)).run(leaving);
}

Verdict CapacityRoom::judge_all(const Newcomer* newcomer) {
  Verdict all = Verdict::Holds;
  const auto hear = [&](Verdict one) {
    if (one != Verdict::Holds && all != Verdict::Fails) all = one;
  };
  const std::size_t own = newcomer != nullptr ? class_of_[newcomer->node.index()] : classes_.size();
  const bool newcomer_is_tested = newcomer != nullptr && is_tested_[newcomer->node.index()];
  std::vector<const Class*> unknown;
  for (std::size_t c = 0; c < classes_.size() && all != Verdict::Fails; ++c) {
    if (classes_[c].tested <= (c == own && newcomer_is_tested ? 1 : 0)) continue;
    const Verdict one = judge_class(classes_[c], classes_[c].leaving, newcomer);
    if (one == Verdict::Unknown) unknown.push_back(&classes_[c]);
    if (one == Verdict::Fails) all = one;
  }
  if (newcomer_is_tested) {
    const Verdict one = judge_class(classes_[own], newcomer->leaving, nullptr);
    if (one == Verdict::Unknown) unknown.push_back(nullptr);
    if (one == Verdict::Fails) all = one;
  }
  for (const Class* one : unknown) {
    if (all != Verdict::Fails) hear(drill(one, newcomer));
  }
  return all;
}

Verdict CapacityRoom::judge() { return is_usable_ ? judge_all(nullptr) : Verdict::Unknown; }

Verdict CapacityRoom::judge(NodeId node, const Instance& instance) {
  if (!is_usable_ || instance.memory_mib < 0 || instance.disk_mib < 0 ||
      has_secondary(instance.disk_template))
    return Verdict::Unknown;
  if (cluster_.has_storage && mirroring_of(instance.disk_template) == Mirroring::External)
    return Verdict::Unknown;  // it changes every node
  const Need need = need_of(instance);
  const std::tuple key(class_of_[node.index()], need, instance.memory_mib,
                       is_shared_for_evacuation(instance.disk_template));
  if (!has_loads_) {
    if (const auto known = judged_.find(key); known != judged_.end()) return known->second;
  }
  Newcomer newcomer{node, free_[node.index()], classes_[class_of_[node.index()]].leaving,
                    &instance};
  newcomer.free.memory_mib -= need.memory_mib;
  newcomer.free.disk_mib -= need.disk_mib;
  insert_newest(newcomer.leaving, instance);
  newcomer.leaving.never =
      newcomer.leaving.never || (!newcomer.leaving.loads.empty() && newcomer.free.disk_mib <= 0);
  return judged_[key] = judge_all(&newcomer);
}

}  // namespace ballast::ganeti::alloc
