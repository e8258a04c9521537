// SPDX-License-Identifier: BSD-2-Clause
#include "ballast/tidb/search/placement/capacity.hpp"

#include "ballast/core/strings.hpp"
#include "ballast/kube/quantity.hpp"
#include "ballast/tidb/search/placement/node_match.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace ballast::tidb {

namespace {

constexpr std::int64_t kMostVisited = 100000;

}  // namespace

Capacity::Capacity(const Input& input)
    : v10_(input.options.profile == Profile::V10),
      cluster_(input.desired.name),
      volumes_(input.live) {
  const Live& live = input.live;
  active_ = live.nodes_known;
  topology_key_ =
      input.desired.topology_key.empty() ? "kubernetes.io/hostname" : input.desired.topology_key;
  nodes_ = live.nodes;
  for (const Machine& node : nodes_) {
    rooms_.push_back({rooms_.size(),
                      node.cpu_milli - node.used_cpu_milli,
                      node.memory_bytes - node.used_memory_bytes,
                      0,
                      {},
                      {}});
  }
  index_topologies(input.desired);
  for (std::size_t i = 0; i < nodes_.size(); ++i) by_name_.emplace(nodes_[i].name, i);
  const auto room_of = [&](const std::string& name) -> std::optional<std::size_t> {
    const auto found = by_name_.find(name);
    return found == by_name_.end() ? std::nullopt : std::optional(found->second);
  };
  for (const OtherPod& pod : live.other_pods) {
    if (const auto room = room_of(pod.node)) {
      rooms_[*room].cpu_milli -= pod.cpu_milli;
      rooms_[*room].memory_bytes -= pod.memory_bytes;
      ++rooms_[*room].pods;
    }
  }
  for (const Component c : kComponents) {
    for (const LiveSet& set : live.of(c)) {
      for (const LivePod& pod : set.pods) {
        std::string node = pod.node;
        if (node.empty()) node = volumes_.bound_node(set.spec, pod.name);
        const auto room = room_of(node);
        if (!room) continue;
        const Placement& asked = set.spec.placement;
        take(pod.name, {*room,
                        c,
                        pod.requests_known ? pod.cpu_milli : asked.cpu_milli,
                        pod.requests_known ? pod.memory_bytes : asked.memory_bytes,
                        set.name,
                        {}});
      }
    }
  }
}

void Capacity::take(const std::string& name, const Pod& pod) {
  Room& room = rooms_[pod.room];
  room.cpu_milli -= pod.cpu_milli;
  room.memory_bytes -= pod.memory_bytes;
  ++room.pods;
  ++room.of_component[pod.component];
  ++room.of_set[{pod.component, pod.set}];
  for (const std::size_t volume : pod.volumes) volumes_.take(volume);
  pods_[name] = pod;
}

void Capacity::give_back(const std::string& name) {
  const auto found = pods_.find(name);
  if (found == pods_.end()) return;
  const Pod& pod = found->second;
  Room& room = rooms_[pod.room];
  room.cpu_milli += pod.cpu_milli;
  room.memory_bytes += pod.memory_bytes;
  --room.pods;
  --room.of_component[pod.component];
  --room.of_set[{pod.component, pod.set}];
  pods_.erase(found);
}

void Capacity::remove(const std::string& pod) { give_back(pod); }

/// As if the pod had not been placed: its volume is free again, too.
void Capacity::undo(const std::string& name) {
  for (const std::size_t volume : pods_.at(name).volumes) volumes_.give_back(volume);
  give_back(name);
}

std::string Capacity::node_of(const std::string& pod) const {
  const auto found = pods_.find(pod);
  return found == pods_.end() ? "" : nodes_[found->second.room].name;
}

const Machine* Capacity::node(const std::string& name) const {
  const auto found = by_name_.find(name);
  return found == by_name_.end() ? nullptr : &nodes_[found->second];
}

std::string Capacity::volume_refusal(const SetSpec& set, const std::string& pod,
                                     const Room& room) const {
  const std::string& here = nodes_[room.index].name;
  if (const std::string node = volumes_.bound_node(set, pod); !node.empty())
    return node == here ? "" : fmt::format("not {}, where its volume is", node);
  if (!volumes_.needs_local(set) || volumes_.free_for(set, here)) return "";
  return fmt::format("no {} volume of {}", set.storage_class,
                     kube::format_bytes(set.storage_bytes.value_or(0)));
}

/// Nodes by the topologies that anti-affinity speaks of.
void Capacity::index_topologies(const ClusterSpec& spec) {
  for (const Component c : kComponents) {
    for (const SetSpec& set : spec.of(c)) {
      for (const AntiAffinity& anti : set.placement.anti_affinity) {
        const auto [rooms, is_new] = topologies_.try_emplace(anti.topology_key);
        if (!is_new) continue;
        for (std::size_t i = 0; i < nodes_.size(); ++i) {
          const auto label = nodes_[i].labels.find(anti.topology_key);
          if (label != nodes_[i].labels.end()) rooms->second[label->second].push_back(i);
        }
      }
    }
  }
}

std::map<std::string, std::string> Capacity::labels_of(const SetKey& set) const {
  std::map<std::string, std::string> labels{
      {"app.kubernetes.io/name", "tidb-cluster"},
      {"app.kubernetes.io/managed-by", "tidb-operator"},
      {"app.kubernetes.io/instance", cluster_},
      {"app.kubernetes.io/component", std::string(name_of(set.first))}};
  if (set.second != kDefaultSet) labels["tidb.pingcap.com/statefulset-name"] = set.second;
  return labels;
}

bool Capacity::anti_affinity_holds(const SetSpec& set, const Room& room) const {
  for (const AntiAffinity& anti : set.placement.anti_affinity) {
    const auto here = nodes_[room.index].labels.find(anti.topology_key);
    const auto rooms = topologies_.find(anti.topology_key);
    if (here == nodes_[room.index].labels.end() || rooms == topologies_.end()) continue;
    for (const std::size_t near : rooms->second.at(here->second)) {
      for (const auto& [other, count] : rooms_[near].of_set) {
        if (count > 0 && matches_all(anti.selector, labels_of(other))) return false;
      }
    }
  }
  return true;
}

std::string Capacity::refusal_on(const SetSpec& set, const std::string& pod,
                                 const Room& room) const {
  const Placement& asked = set.placement;
  if (std::string text = node_refusal(nodes_[room.index], asked); !text.empty()) return text;
  if (room.cpu_milli < asked.cpu_milli) return "cpu";
  if (room.memory_bytes < asked.memory_bytes) return "memory";
  if (nodes_[room.index].max_pods && room.pods >= *nodes_[room.index].max_pods)
    return "no room for one more pod";
  if (std::string text = volume_refusal(set, pod, room); !text.empty()) return text;
  return anti_affinity_holds(set, room) ? "" : "anti-affinity";
}

std::string Capacity::topology_of(const Room& room) const {
  const auto label = nodes_[room.index].labels.find(topology_key_);
  return label == nodes_[room.index].labels.end() ? nodes_[room.index].name : label->second;
}

std::map<std::string, std::int64_t> Capacity::per_topology(Component component) const {
  std::map<std::string, std::int64_t> counts;
  for (const Room& room : rooms_) {
    const auto count = room.of_component.find(component);
    if (count != room.of_component.end() && count->second > 0)
      counts[topology_of(room)] += count->second;
  }
  return counts;
}

/// The rule of tidb-scheduler for PD and TiKV; `total` is n.
bool Capacity::below_limit(const SetSpec& set, const std::string& topology,
                           const std::map<std::string, std::int64_t>& counts,
                           std::int64_t total) const {
  const auto found = counts.find(topology);
  const std::int64_t count = found == counts.end() ? 0 : found->second;
  if (v10_) return total < 3 || count + 1 < (total + 1) / 2;
  if (set.component == Component::Pd) return count < std::max<std::int64_t>(1, (total + 1) / 2 - 1);
  if (total < 3) return true;
  return count < (counts.size() < 3 ? 1 : (total + 2) / 3);
}

/// Nodes that can take the pod, best first.
std::vector<std::size_t> Capacity::candidates(const SetSpec& set, const std::string& pod,
                                              std::int64_t total) const {
  std::vector<std::size_t> result;
  for (std::size_t i = 0; i < rooms_.size(); ++i) {
    if (refusal_on(set, pod, rooms_[i]).empty()) result.push_back(i);
  }
  const auto counts = per_topology(set.component);
  if (set.placement.scheduler == "tidb-scheduler" && set.component != Component::Tidb) {
    std::erase_if(result, [&](std::size_t i) {
      return !below_limit(set, topology_of(rooms_[i]), counts, total);
    });
    const auto count_at = [&](std::size_t i) {
      const auto found = counts.find(topology_of(rooms_[i]));
      return found == counts.end() ? std::int64_t{0} : found->second;
    };
    if (!result.empty()) {
      const std::int64_t fewest = count_at(*std::ranges::min_element(result, {}, count_at));
      std::erase_if(result, [&](std::size_t i) { return count_at(i) != fewest; });
    }
  }
  const auto key = [&](std::size_t i) {
    const Room& room = rooms_[i];
    const auto found = room.of_component.find(set.component);
    return std::tuple(found == room.of_component.end() ? std::int64_t{0} : found->second,
                      -room.memory_bytes, -room.cpu_milli,
                      std::string_view(nodes_[room.index].name));
  };
  std::ranges::sort(result, {}, key);
  return result;
}

void Capacity::choose(const SetSpec& set, const std::string& name, std::size_t room) {
  Pod pod{room, set.component, set.placement.cpu_milli, set.placement.memory_bytes, set.name, {}};
  if (volumes_.bound_node(set, name).empty()) {
    if (const auto volume = volumes_.free_for(set, nodes_[room].name))
      pod.volumes.push_back(*volume);
  }
  take(name, pod);
}

bool Capacity::search(Search& state, std::size_t index) {
  if (index == state.pods.size()) return true;
  const std::string& name = state.pods[index];
  for (const std::size_t room : candidates(state.set, name, state.total)) {
    if (++state.visited > kMostVisited) return false;
    choose(state.set, name, room);
    if (search(state, index + 1)) return true;
    undo(name);
  }
  return false;
}

Capacity::Refusal Capacity::explain(const SetSpec& set, const std::string& pod,
                                    std::int64_t total) const {
  std::map<std::string, std::int64_t> reasons;
  std::int64_t most_cpu = 0;
  std::int64_t most_memory = 0;
  for (const Room& room : rooms_) {
    std::string reason = refusal_on(set, pod, room);
    if (reason == "cpu") most_cpu = std::max(most_cpu, room.cpu_milli);
    if (reason == "memory") most_memory = std::max(most_memory, room.memory_bytes);
    if (reason.empty())
      reason = fmt::format("at the limit of {} pods per topology for {} in all",
                           name_of(set.component), total);
    ++reasons[reason];
  }
  std::vector<std::pair<std::int64_t, std::string>> sorted;
  for (const auto& [reason, count] : reasons) {
    std::string text = reason;
    if (reason == "cpu")
      text = fmt::format("cpu {} free of {} needed", kube::format_cpu(most_cpu),
                         kube::format_cpu(set.placement.cpu_milli));
    if (reason == "memory")
      text = fmt::format("memory {} free of {} needed", kube::format_bytes(most_memory),
                         kube::format_bytes(set.placement.memory_bytes));
    sorted.emplace_back(-count, text);
  }
  std::ranges::sort(sorted);
  std::vector<std::string> parts;
  for (const auto& [count, text] : sorted) parts.push_back(fmt::format("{} {}", -count, text));
  return {pod, fmt::format("0 of {} nodes: {}", rooms_.size(), join(parts, ", "))};
}

std::optional<Capacity::Refusal> Capacity::add(const SetSpec& set,
                                               const std::vector<std::string>& pods,
                                               std::int64_t total, std::vector<Placed>& placed) {
  if (!active_) return std::nullopt;
  Search state{set, pods, total};
  if (search(state, 0)) {
    for (const std::string& name : pods) {
      const Pod& pod = pods_.at(name);
      placed.push_back({name, nodes_[pod.room].name,
                        pod.volumes.empty() ? "" : volumes_.name(pod.volumes.front())});
    }
    return std::nullopt;
  }
  // What the search could not do, the first choices show best: where they end is the pod to name.
  std::vector<std::string> chosen;
  Refusal refusal;
  for (const std::string& name : pods) {
    const auto rooms = candidates(set, name, total);
    if (rooms.empty()) {
      refusal = explain(set, name, total);
      break;
    }
    choose(set, name, rooms.front());
    chosen.push_back(name);
  }
  if (refusal.pod.empty()) refusal = {pods.back(), "no placement found for all pods together"};
  for (const std::string& name : chosen) {
    undo(name);
  }
  return refusal;
}

std::optional<Capacity::Refusal> Capacity::restart(const SetSpec& set,
                                                   const std::vector<std::string>& pods,
                                                   std::int64_t total) {
  if (!active_) return std::nullopt;
  for (const std::string& name : pods) {
    const auto old = pods_.find(name);
    if (old == pods_.end()) continue;
    const Pod before = old->second;
    give_back(name);
    const std::string bound = volumes_.bound_node(set, name);
    std::size_t room = before.room;
    std::vector<std::string> reasons;
    if (!bound.empty()) {
      const Placement& asked = set.placement;
      const Room& there = rooms_[room];
      if (std::string text = node_refusal(nodes_[there.index], asked); !text.empty())
        reasons.push_back(std::move(text));
      if (there.cpu_milli < asked.cpu_milli) {
        reasons.push_back(fmt::format("cpu {} free of {} needed", kube::format_cpu(there.cpu_milli),
                                      kube::format_cpu(asked.cpu_milli)));
      }
      if (there.memory_bytes < asked.memory_bytes) {
        reasons.push_back(fmt::format("memory {} free of {} needed",
                                      kube::format_bytes(there.memory_bytes),
                                      kube::format_bytes(asked.memory_bytes)));
      }
      if (!reasons.empty()) {
        return Refusal{
            name, fmt::format("bound to {} by its local volume: {}", bound, join(reasons, ", "))};
      }
    } else {
      const auto rooms = candidates(set, name, total);
      if (rooms.empty()) return explain(set, name, total);
      room = rooms.front();
    }
    Pod after = before;
    after.room = room;
    after.cpu_milli = set.placement.cpu_milli;
    after.memory_bytes = set.placement.memory_bytes;
    take(name, after);
  }
  return std::nullopt;
}

std::vector<std::string> Capacity::leftovers() const {
  std::vector<std::string> lines;
  for (const Room& room : rooms_) {
    std::string text =
        fmt::format("{}: cpu {}, memory {}", nodes_[room.index].name,
                    kube::format_cpu(room.cpu_milli), kube::format_bytes(room.memory_bytes));
    for (const auto& [volume, count] : volumes_.free_on(nodes_[room.index].name))
      text += fmt::format(", {} x {}", count, volume);
    lines.push_back(std::move(text));
  }
  return lines;
}

}  // namespace ballast::tidb
