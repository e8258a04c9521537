// SPDX-License-Identifier: BSD-2-Clause
// What hspace --explain and --thorough add to its answer.
#include <fmt/format.h>

#include <algorithm>

#include "ballast/core/bytes.hpp"
#include "ballast/core/decimal.hpp"
#include "ballast/core/strings.hpp"
#include "ballast/core/table.hpp"
#include "ballast/core/words.hpp"
#include "ballast/ganeti/cli/allocate/allocation_report.hpp"
#include "ballast/ganeti/cli/capacity/report.hpp"

namespace ballast::ganeti::cli {
namespace {

std::string_view word_of(RunKind kind) { return kind == RunKind::Tiered ? "tiered" : "standard"; }

/// Nodes that refuse by one rule, with the one that comes closest.
struct Barrier {
  GroupId group;
  FullNode closest;
  std::vector<NodeId> nodes;
};

bool is_one_barrier(const FullNode& a, const FullNode& b) {
  if (a.refusal.rule != b.refusal.rule || a.refusal.unit != b.refusal.unit) return false;
  if (a.refusal.placement_rule != b.refusal.placement_rule) return false;
  if (a.gets_worse != b.gets_worse) return false;
  return a.refusal.rule != Rule::GlobalNPlusOne || a.refusal.node == b.refusal.node;
}

/// Where the rule looked; N+1 looks at a third node, but the place is the candidate.
NodeId place_of(const FullNode& one) {
  return one.refusal.rule == Rule::GlobalNPlusOne || one.secondary.is_none() ? one.primary
                                                                             : one.secondary;
}

std::vector<Barrier> barriers_of(const Cluster& cluster, const std::vector<FullNode>& all) {
  std::vector<Barrier> barriers;
  const auto missing = [](const FullNode& one) {
    return one.refusal.wanted - one.refusal.available;
  };
  for (const FullNode& one : all) {
    const GroupId group = cluster[one.primary].group;
    auto found = std::find_if(barriers.begin(), barriers.end(), [&](const Barrier& other) {
      return other.group == group && is_one_barrier(other.closest, one);
    });
    if (found == barriers.end()) found = barriers.insert(barriers.end(), Barrier{group, one, {}});
    if (missing(one) < missing(found->closest)) found->closest = one;
    const NodeId node = place_of(one);
    if (std::find(found->nodes.begin(), found->nodes.end(), node) == found->nodes.end())
      found->nodes.push_back(node);
  }
  std::stable_sort(barriers.begin(), barriers.end(), [](const Barrier& a, const Barrier& b) {
    if (a.group != b.group) return a.group < b.group;
    return a.nodes.size() > b.nodes.size();
  });
  return barriers;
}

std::string nodes_text(const Cluster& cluster, const std::vector<NodeId>& nodes) {
  constexpr std::size_t kMost = 4;
  std::vector<std::string> names;
  for (const NodeId node : nodes) {
    if (names.size() == kMost) break;
    names.push_back(cluster[node].name);
  }
  std::string text = join(names, ", ");
  if (nodes.size() > kMost) text += fmt::format(" and {} more", nodes.size() - kMost);
  return text;
}

std::string global_text(const Cluster& cluster, const FullNode& one) {
  const std::string& node = cluster[one.refusal.node].name;
  if (one.gets_worse) {
    return fmt::format(
        "node {} cannot be emptied as it is, and would leave one more instance without a place",
        node);
  }
  const std::string who = one.is_stuck_new ? "one of the new instances"
                                           : fmt::format("instance {}", one.stuck_instance);
  if (one.was_so_before) {
    return fmt::format(
        "node {} cannot be emptied, {} ({} MiB) finds no place; that is so without new instances "
        "too: --no-worse leaves such nodes aside",
        node, who, fixed(one.refusal.wanted, 0));
  }
  return fmt::format(
      "node {} could no longer be emptied, {} ({} MiB) would find no place; until then it can",
      node, who, fixed(one.refusal.wanted, 0));
}

std::string barrier_text(const CapacityFindings& findings, const CapacityWhy& why,
                         const Barrier& barrier) {
  const Cluster& cluster = findings.cluster;
  if (why.is_suppressed) {
    const std::string whose =
        barrier.closest.stuck_instance.empty()
            ? std::string()
            : fmt::format(", the largest for instance {}", barrier.closest.stuck_instance);
    return fmt::format(
        "nothing was tried, as N+1 is broken already: {} MiB reserved for failovers{}, {} MiB "
        "unallocated; --no-worse, --accept-existing-errors or --independent-groups place all the "
        "same",
        fixed(barrier.closest.refusal.wanted, 0), whose,
        fixed(barrier.closest.refusal.available, 0));
  }
  if (barrier.closest.refusal.rule == Rule::GlobalNPlusOne)
    return global_text(cluster, barrier.closest);
  Instance wanted;
  wanted.disk_template = findings.options.disk_template;
  const std::string closest =
      barrier.nodes.size() > 1
          ? fmt::format(" (closest: {})", cluster[place_of(barrier.closest)].name)
          : "";
  return cause_text(cluster, wanted, barrier.closest.refusal) + closest;
}

/// Groups without any candidate, and why.
std::vector<std::pair<GroupId, std::string>> closed_groups(const CapacityFindings& findings,
                                                           const CapacityWhy& why) {
  std::vector<std::pair<GroupId, std::string>> closed;
  if (why.is_suppressed) return closed;
  const Cluster& cluster = findings.cluster;
  for (std::size_t g = 0; g < cluster.groups.size(); ++g) {
    const GroupId group(g);
    const Part part = part_of(cluster, findings.state, group);
    if (part.nodes.empty()) continue;
    const bool is_told = std::any_of(why.nodes.begin(), why.nodes.end(), [&](const FullNode& one) {
      return cluster[one.primary].group == group;
    });
    if (is_told) continue;
    const bool is_up = std::any_of(part.nodes.begin(), part.nodes.end(),
                                   [&](NodeId node) { return !cluster[node].is_offline; });
    if (cluster[group].alloc_policy == AllocPolicy::Unallocable)
      closed.emplace_back(group, "takes no new instances: its policy is unallocable");
    else if (!is_up)
      closed.emplace_back(group, "all nodes are offline");
    else if (has_secondary(findings.options.disk_template) && part.nodes.size() < 2)
      closed.emplace_back(group, "has no second node for a mirror");
    else
      closed.emplace_back(group, findings.options.independent_groups
                                     ? "left aside: it is not N+1 redundant"
                                     : "is not full: the limit ended the run");
  }
  return closed;
}

std::string size_text(const InstanceSize& size) {
  return fmt::format("MEM {}, DSK {}, CPU {}", size.memory_mib, size.disk_mib, size.vcpus);
}

}  // namespace

std::string thorough_text(const CapacityFindings& findings) {
  const ThoroughFigures& figures = *findings.thorough;
  std::string text = fmt::format(
      "Thorough search, in standard instances:\n"
      "  - these tiers: {}\n  - the usual tiers: {}\n  - the standard size alone: {}\n",
      fixed(figures.worth, 2), fixed(figures.usual_worth, 2), figures.standard_placed);
  if (figures.smaller.empty()) return text;
  text += "  - of a smaller size more fit:\n";
  for (const SmallerSize& one : figures.smaller)
    text += fmt::format("    {:3} of {}\n", one.placed, size_text(one.size));
  return text;
}

std::string why_text(const CapacityFindings& findings, const CapacityWhy& why) {
  std::string text =
      fmt::format("Why no more after the {} run ({}):\n", word_of(why.kind), size_text(why.size));
  for (const Barrier& barrier : barriers_of(findings.cluster, why.nodes)) {
    text += fmt::format("  - group {}, {} ({}): {}\n", findings.cluster[barrier.group].name,
                        counted(barrier.nodes.size(), "node"),
                        nodes_text(findings.cluster, barrier.nodes),
                        barrier_text(findings, why, barrier));
  }
  for (const auto& [group, reason] : closed_groups(findings, why))
    text += fmt::format("  - group {} {}\n", findings.cluster[group].name, reason);
  return text;
}

std::vector<report::Finding> why_findings(const CapacityFindings& findings) {
  std::vector<report::Finding> all;
  for (const CapacityWhy& why : findings.why) {
    for (const Barrier& barrier : barriers_of(findings.cluster, why.nodes)) {
      report::Finding finding;
      finding.code = "no-more-room";
      finding.text =
          fmt::format("After the {} run, {} in group {}: {}.", word_of(why.kind),
                      nodes_text(findings.cluster, barrier.nodes),
                      findings.cluster[barrier.group].name, barrier_text(findings, why, barrier));
      finding.subject.set("group", findings.cluster[barrier.group].name);
      if (!barrier.closest.refusal.node.is_none())
        finding.subject.set("node", findings.cluster[barrier.closest.refusal.node].name);
      if (!barrier.closest.stuck_instance.empty())
        finding.subject.set("instance", barrier.closest.stuck_instance);
      finding.figures.set("nodes", barrier.nodes.size());
      all.push_back(std::move(finding));
    }
  }
  return all;
}

report::DataTable why_table(const CapacityFindings& findings) {
  report::DataTable table{"no_more_room",
                          {"run", "group", "primary", "secondary", "reason", "node", "instance",
                           "was_so_before", "text"},
                          {}};
  for (const CapacityWhy& why : findings.why) {
    for (const FullNode& one : why.nodes) {
      const Cluster& cluster = findings.cluster;
      const auto name = [&](NodeId node) {
        return node.is_none() ? Value() : Value(cluster[node].name);
      };
      table.rows.push_back(
          {word_of(why.kind), cluster[cluster[one.primary].group].name, name(one.primary),
           name(one.secondary), text_of(one.refusal.reason), name(one.refusal.node),
           one.stuck_instance.empty() ? Value() : Value(one.stuck_instance), one.was_so_before,
           barrier_text(findings, why, {cluster[one.primary].group, one, {place_of(one)}})});
    }
  }
  return table;
}

report::DataTable smaller_sizes_table(const ThoroughFigures& thorough) {
  report::DataTable table{
      "smaller_sizes", {"count", "memory_bytes", "disk_bytes", "vcpus", "spindles"}, {}};
  for (const SmallerSize& one : thorough.smaller) {
    table.rows.push_back({one.placed, one.size.memory_mib * kBytesPerMib,
                          one.size.disk_mib * kBytesPerMib, one.size.vcpus, one.size.spindles});
  }
  return table;
}

}  // namespace ballast::ganeti::cli
