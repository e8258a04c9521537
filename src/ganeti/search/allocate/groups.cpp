// SPDX-License-Identifier: BSD-2-Clause
#include "ballast/ganeti/search/allocate/groups.hpp"

#include <algorithm>
#include <set>
#include <string_view>
#include <unordered_set>

#include "ballast/core/strings.hpp"
#include "ballast/ganeti/model/group_name.hpp"
#include "ballast/ganeti/model/ids_of.hpp"
#include "ballast/ganeti/shown/shown.hpp"

namespace ballast::ganeti::alloc {
namespace {

struct Tried {
  GroupId group;
  Outcome<Solution> outcome;
};

std::vector<GroupId> populated_groups(const ScopedCluster& scope) {
  std::set<GroupId> groups;
  for (const NodeId node : scope.nodes) groups.insert((*scope.cluster)[node].group);
  return {groups.begin(), groups.end()};
}

std::vector<NodeId> nodes_of(const ScopedCluster& scope, GroupId group) {
  std::vector<NodeId> nodes;
  for (const NodeId node : scope.nodes) {
    if ((*scope.cluster)[node].group == group) nodes.push_back(node);
  }
  return nodes;
}

bool has_networks(const Group& group, const Instance& instance) {
  if (instance.nics.empty()) return true;
  const std::unordered_set<std::string_view> networks(group.networks.begin(), group.networks.end());
  return std::ranges::all_of(instance.nics, [&](const Nic& nic) {
    return nic.network.empty() || networks.contains(nic.network);
  });
}

std::string unconnected(std::string_view start, const Group& group, const Instance& instance) {
  return std::string(start) + group.name + " is not connected to a network required by instance " +
         instance.name;
}

std::string group_text(const Cluster& cluster, GroupId id, const Outcome<Solution>& outcome) {
  const Group& group = cluster[id];
  if (!outcome) return "Group " + group.name + ": error " + outcome.error();
  return "Group " + group.name + " (" + std::string(text_of(group.alloc_policy)) +
         "): " + describe(cluster, *outcome);
}

Outcome<Solution> search_nodes(const ScopedCluster& scope, std::span<const NodeId> nodes,
                               const WantedInstance& wanted, const EngineOptions& options) {
  const auto candidates = candidates_of(scope, nodes, wanted.required_nodes, options);
  if (!candidates) return tl::unexpected(candidates.error());
  return search_candidates(scope, wanted.record, *candidates, options);
}

/// Best policy first, then metric; of equals the highest group.
std::optional<std::size_t> best_of(const Cluster& cluster, const std::vector<Tried>& tried) {
  std::vector<std::size_t> valid;
  for (std::size_t i = tried.size(); i-- > 0;) {
    const bool is_usable = cluster[tried[i].group].alloc_policy != AllocPolicy::Unallocable;
    if (is_usable && tried[i].outcome && tried[i].outcome->chosen) valid.push_back(i);
  }
  if (valid.empty()) return std::nullopt;
  const auto order = reference_order(valid.size(), [&](std::size_t a, std::size_t b) {
    const Tried& first = tried[valid[a]];
    const Tried& second = tried[valid[b]];
    const AllocPolicy policy = cluster[first.group].alloc_policy;
    const AllocPolicy other = cluster[second.group].alloc_policy;
    return policy != other
               ? policy > other
               : is_greater(first.outcome->chosen->metric, second.outcome->chosen->metric);
  });
  return valid[order.front()];
}

std::string no_groups_text(const ScopedCluster& scope,
                           const std::optional<std::vector<GroupId>>& allowed) {
  std::string text = "no groups for evacuation: allowed groups was ";
  if (allowed) {
    text += "Just [";
    for (std::size_t i = 0; i < allowed->size(); ++i)
      text += (i ? "," : "") + std::to_string((*allowed)[i].value());
    text += "]";
  } else {
    text += "Nothing";
  }
  text += ", all groups: [";
  const std::vector<GroupId> populated = populated_groups(scope);
  for (const GroupId group : populated) {
    text += (group != populated.front() ? "," : "") + shown_of(*scope.cluster, group);
  }
  return text + "]";
}

}  // namespace

Outcome<GroupChoice> choose_group(const ScopedCluster& scope, const WantedInstance& wanted,
                                  const EngineOptions& options,
                                  const std::optional<std::vector<GroupId>>& allowed) {
  const Cluster& cluster = *scope.cluster;
  std::vector<GroupId> groups = populated_groups(scope);
  if (allowed) {
    std::erase_if(groups, [&](GroupId g) {
      return std::find(allowed->begin(), allowed->end(), g) == allowed->end();
    });
  }
  std::vector<std::string> messages;
  std::vector<Tried> tried;
  for (const GroupId group : groups) {
    const bool is_connected = has_networks(cluster[group], *wanted.record.instance);
    if (!is_connected && options.is_dedicated) {
      tried.push_back({group, tl::unexpected(unconnected("The group ", cluster[group],
                                                         *wanted.record.instance))});
    } else if (!is_connected) {
      messages.push_back(unconnected("group ", cluster[group], *wanted.record.instance));
    } else if (options.is_dedicated) {
      const ScopedCluster part = part_of_scope(scope, group);
      tried.push_back({group, search_nodes(part, part.nodes, wanted, options)});
    } else {
      tried.push_back({group, search_nodes(scope, nodes_of(scope, group), wanted, options)});
    }
  }
  for (const Tried& one : tried) messages.push_back(group_text(cluster, one.group, one.outcome));
  if (const auto best = best_of(cluster, tried)) {
    return GroupChoice{tried[*best].group, std::move(*tried[*best].outcome), std::move(messages)};
  }
  if (groups.empty() && !options.is_dedicated)
    return tl::unexpected(no_groups_text(scope, allowed));
  return tl::unexpected(join(messages, ", "));
}

Outcome<GroupChoice> try_group(const ScopedCluster& scope, const WantedInstance& wanted,
                               const EngineOptions& options, GroupId group) {
  const Cluster& cluster = *scope.cluster;
  if (!has_networks(cluster[group], *wanted.record.instance)) {
    return tl::unexpected(unconnected("The group ", cluster[group], *wanted.record.instance));
  }
  const ScopedCluster part = part_of_scope(scope, group);
  auto outcome = search_nodes(part, part.nodes, wanted, options);
  if (!outcome) return tl::unexpected(outcome.error());
  std::string text = group_text(cluster, group, outcome);
  return GroupChoice{group, std::move(*outcome), {std::move(text)}};
}

Outcome<GroupId> find_group(const Cluster& cluster, const std::string& name) {
  std::vector<GroupId> found;
  for (const GroupId id : group_ids(cluster)) {
    if (is_called(cluster[id], name)) found.push_back(id);
  }
  if (found.size() == 1) return found.front();
  return tl::unexpected("Wrong number of elems found with name " + name);
}

ScopedCluster part_of_scope(const ScopedCluster& scope, GroupId group) {
  ScopedCluster part;
  part.cluster = scope.cluster;
  part.nodes = nodes_of(scope, group);
  part.states.assign(scope.states.size(), nullptr);
  for (const NodeId node : part.nodes) part.states[node.index()] = scope.states[node.index()];
  const auto slots = scope.instances.slots();
  for (std::size_t key = 0; key < slots.size(); ++key) {
    if (slots[key].instance && part.has(slots[key].placement.primary))
      part.instances.set(static_cast<std::int32_t>(key), slots[key]);
  }
  return part;
}

}  // namespace ballast::ganeti::alloc
