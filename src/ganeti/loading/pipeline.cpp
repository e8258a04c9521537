// SPDX-License-Identifier: BSD-2-Clause
#include "ballast/ganeti/loading/pipeline.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <unordered_map>
#include <unordered_set>

#include "ballast/core/strings.hpp"
#include "steps.hpp"

namespace ballast::ganeti {
namespace {

void apply_utilisation(Cluster& cluster, const PipelineOptions& options) {
  const Load start = options.ignore_dynamic ? Load{0, 0, 0, 0} : Load{1, 1, 1, 1};
  for (Instance& instance : cluster.instances) instance.load = start;
  if (options.ignore_dynamic || options.utilisation.empty()) return;
  std::unordered_map<std::string_view, Instance*> by_name;  // nullptr: several have the name
  for (Instance& instance : cluster.instances) {
    const auto [place, is_new] = by_name.emplace(instance.name, &instance);
    if (!is_new) place->second = nullptr;
  }
  for (const Utilisation& entry : options.utilisation) {
    const auto place = by_name.find(entry.name);
    if (place != by_name.end() && place->second != nullptr) place->second->load = entry.load;
  }
}

/// Full names of what the texts mean; texts that mean nothing go to `unknown`.
std::unordered_set<std::string> resolve_all(const std::vector<Instance>& instances,
                                            const std::vector<std::string>& texts,
                                            std::vector<std::string>& unknown) {
  std::unordered_set<std::string> names;
  for (const std::string& text : texts) {
    if (const auto index = resolve_name(instances, text)) {
      names.insert(instances[*index].name);
    } else {
      unknown.push_back(text);
    }
  }
  return names;
}

Status set_movable(Cluster& cluster, const PipelineOptions& options) {
  std::vector<std::string> unknown;
  const auto selected = resolve_all(cluster.instances, options.selected_instances, unknown);
  const auto excluded = resolve_all(cluster.instances, options.excluded_instances, unknown);
  if (!unknown.empty())
    return fail("Unknown instance(s): " + shown_list(std::span<const std::string>(unknown)));
  for (Instance& instance : cluster.instances) {
    instance.is_movable = is_movable_by_default(instance.disk_template);
    if (!selected.empty() && !selected.contains(instance.name)) instance.is_movable = false;
    if (!excluded.empty() && excluded.contains(instance.name)) instance.is_movable = false;
  }
  return {};
}

/// The longest suffix of the first name that begins with a dot and ends all others.
std::string common_suffix(const Cluster& cluster) {
  std::string_view common;
  bool is_first = true;
  const auto narrow = [&](std::string_view name) {
    if (is_first) {
      common = name;
      is_first = false;
    }
    std::size_t length = 0;
    const std::size_t most = std::min(common.size(), name.size());
    while (length < most && common[common.size() - 1 - length] == name[name.size() - 1 - length])
      ++length;
    common.remove_prefix(common.size() - length);
  };
  for (const Node& node : cluster.nodes) narrow(node.name);
  for (const Instance& instance : cluster.instances) narrow(instance.name);
  const std::size_t dot = common.find('.');
  return dot == std::string_view::npos ? std::string() : std::string(common.substr(dot));
}

void set_aliases(Cluster& cluster) {
  cluster.common_suffix = common_suffix(cluster);
  const std::size_t cut = cluster.common_suffix.size();
  for (Node& node : cluster.nodes) node.alias.assign(node.name, 0, node.name.size() - cut);
  for (Instance& instance : cluster.instances)
    instance.alias.assign(instance.name, 0, instance.name.size() - cut);
}

/// Memory statistics; the message where the node's figures do not add up.
std::optional<std::string> finish_statistics(const Cluster& cluster, const Node& node,
                                             NodeState& state) {
  constexpr std::int64_t kMostLostMib = 512;
  constexpr std::int64_t kMostLostDiskMib = 1024;
  state.inst_mem = 0;
  std::int64_t disk = 0;
  for (const InstanceId id : state.primaries) {
    const Instance& instance = cluster[id];
    if (instance.uses_memory()) state.inst_mem += instance.memory_mib;
    disk += instance.disk_mib;
  }
  for (const InstanceId id : state.secondaries) disk += cluster[id].disk_mib;
  state.lost_mem = recorded_free_mem(node, state) - node.free_mem;
  state.mem_fraction = static_cast<double>(unallocated_mem(node, state)) / node.total_mem;
  const std::int64_t lost_disk = truncated(node.total_disk) - state.free_disk - disk;
  if (state.lost_mem <= kMostLostMib && lost_disk <= kMostLostDiskMib) return std::nullopt;
  return fmt::format("node {} is missing {} MB ram and {} GB disk", node.name, state.lost_mem,
                     lost_disk >> 10U);
}

/// With nothing to fail over to it no node lacks anything.
void correct_n1(const Node& node, NodeState& state) {
  state.fails_n1 = state.reserved_mem > 0 && unallocated_mem(node, state) <= state.reserved_mem;
}

}  // namespace

Result<std::vector<std::string>> run_pipeline(Snapshot& snapshot, const PipelineOptions& options) {
  Cluster& cluster = snapshot.cluster;
  apply_utilisation(cluster, options);
  if (const Status status = set_movable(cluster, options); !status) return fail(status.error());
  set_aliases(cluster);
  set_tags(snapshot, options.exclusion_prefixes);
  set_storage(snapshot, options);
  attach_instances(snapshot);
  if (options.measured_loads) {
    if (const Status status = options.measured_loads(snapshot); !status)
      return fail(status.error());
  }
  if (options.static_kvm_memory > 0) {
    for (Node& node : cluster.nodes) {
      if (node.hypervisor == "kvm") node.node_mem = options.static_kvm_memory;
    }
  }
  std::vector<std::string> messages;
  for (std::size_t i = cluster.nodes.size(); i-- > 0;) {
    auto message = finish_statistics(cluster, cluster.nodes[i], snapshot.state.nodes[i]);
    if (message) messages.push_back(std::move(*message));
    if (options.corrected_n1) correct_n1(cluster.nodes[i], snapshot.state.nodes[i]);
  }
  return messages;
}

Status set_offline(Snapshot& snapshot, const std::vector<std::string>& names) {
  std::vector<Node>& nodes = snapshot.cluster.nodes;
  std::unordered_set<std::string> offline;
  std::vector<std::string> bad;
  for (const std::string& text : names) {
    if (const auto index = resolve_name(nodes, text)) {
      offline.insert(nodes[*index].name);
    } else {
      bad.push_back(text);
    }
  }
  std::reverse(bad.begin(), bad.end());
  if (!bad.empty()) return fail("wrong node name(s) set as offline: " + join(bad, ","));
  for (Node& node : nodes) {
    if (offline.contains(node.name)) node.is_offline = true;
  }
  return {};
}

void set_min_disk(Snapshot& snapshot, double ratio) {
  for (Node& node : snapshot.cluster.nodes) node.low_disk = floored(ratio * node.total_disk);
  for (NodeState& state : snapshot.state.nodes) {
    for (Capacity& capacity : state.capacities) {
      capacity.low_water_mib = floored(ratio * static_cast<double>(capacity.total_mib));
    }
  }
}

void set_max_cpu(Snapshot& snapshot, double ratio) {
  for (Node& node : snapshot.cluster.nodes) node.vcpu_ratio = ratio;
}

}  // namespace ballast::ganeti
