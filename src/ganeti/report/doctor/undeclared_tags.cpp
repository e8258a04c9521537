// SPDX-License-Identifier: BSD-2-Clause
// Tags that look meant (several nodes or instances carry PREFIX:VALUE in a pattern that would
// matter) while no tag of the cluster declares them: they are ignored without a word.
#include "ballast/core/shell.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>

#include "ballast/core/words.hpp"
#include "ballast/ganeti/moves/move.hpp"
#include "checks.hpp"

namespace ballast::ganeti::doctor {
namespace {

/// Carriers by value, for one prefix.
using Carriers = std::map<std::string, std::vector<std::size_t>, std::less<>>;
using ByPrefix = std::map<std::string, Carriers, std::less<>>;

template <class Tagged>
ByPrefix carriers_of(const std::vector<Tagged>& all) {
  ByPrefix result;
  for (std::size_t i = 0; i < all.size(); ++i) {
    for (const std::string& tag : all[i].tags) {
      const std::size_t colon = tag.find(':');
      if (colon == std::string::npos || colon == 0 || colon + 1 == tag.size()) continue;
      const std::string prefix = tag.substr(0, colon);
      if (prefix != "htools" && prefix != "ganeti" && prefix != "ballast")
        result[prefix][tag].push_back(i);
    }
  }
  return result;
}

bool is_declared(const Cluster& cluster, std::string_view role, std::string_view prefix) {
  return std::any_of(cluster.tags.begin(), cluster.tags.end(), [&](const std::string& tag) {
    return tag.starts_with(role) && std::string_view(tag).substr(role.size()) == prefix;
  });
}

/// A rule of administrators goes by the tags.
bool is_ruled(const Cluster& cluster, std::string_view prefix) {
  return std::ranges::any_of(cluster.rules.specs, [&](const RuleSpec& spec) {
    return !spec.tag_prefix.empty() && spec.tag_prefix.starts_with(prefix) &&
           spec.tag_prefix.size() > prefix.size() && spec.tag_prefix[prefix.size()] == ':';
  });
}

/// Moves of the plan whose new primary lacks a tag of that prefix that the old primary has.
struct Crossing {
  std::size_t moves = 0;
  std::size_t migrations = 0;  ///< moves that change the primary
  std::size_t crossing = 0;
};

bool has_tag(const Node& node, const std::string& tag) {
  return std::find(node.tags.begin(), node.tags.end(), tag) != node.tags.end();
}

Crossing crossings(const Patient& patient, const Carriers& values) {
  Crossing result;
  for (const auto& steps : patient.rebalancing.steps) {
    for (const BalanceStep& step : steps) {
      ++result.moves;
      if (step.before.primary == step.after.primary) continue;
      ++result.migrations;
      const Node& from = patient.cluster[step.before.primary];
      const Node& to = patient.cluster[step.after.primary];
      const bool crosses = std::any_of(values.begin(), values.end(), [&](const auto& value) {
        return has_tag(from, value.first) && !has_tag(to, value.first);
      });
      if (crosses) ++result.crossing;
    }
  }
  return result;
}

std::vector<std::string> values_of(const Carriers& carriers) {
  std::vector<std::string> values;
  for (const auto& [value, ids] : carriers) values.push_back(value);
  return values;
}

/// Several values on several nodes divide them into kinds: places or machine types.
bool divides_nodes(const Carriers& values) {
  return values.size() > 1 && std::any_of(values.begin(), values.end(), [](const auto& value) {
           return value.second.size() > 1;
         });
}

Finding undeclared_on_nodes(const Patient& patient, const std::string& prefix,
                            const Carriers& values) {
  std::set<std::size_t> nodes;
  for (const auto& [value, ids] : values) nodes.insert(ids.begin(), ids.end());
  const Crossing crossing = crossings(patient, values);
  Finding finding;
  finding.severity = crossing.crossing > 0 ? Severity::Warning : Severity::Note;
  finding.code = "node-tags-undeclared";
  finding.text = fmt::format(
      "{} carry {}:* tags ({}) that no tag of the cluster declares, so they "
      "are ignored",
      counted(nodes.size(), "node"), prefix, listed(values_of(values)));
  if (crossing.crossing > 0) {
    finding.text += fmt::format("; {} of {} of the balancing plan would cross", crossing.crossing,
                                counted(crossing.moves, "move"));
  }
  finding.subject.set("tag", prefix);
  finding.figures.set("nodes", nodes.size())
      .set("values", values.size())
      .set("moves", crossing.moves)
      .set("migrations", crossing.migrations)
      .set("crossing_moves", crossing.crossing);
  finding.action = fmt::format(
      "gnt-cluster add-tags {} if instances must not migrate between them, {} if they are places "
      "to "
      "spread over",
      shell_word("htools:migration:" + prefix), shell_word("htools:nlocation:" + prefix));
  return finding;
}

/// Instances with one value on one node: what an exclusion tag would forbid.
std::size_t together(const Patient& patient, const Carriers& values) {
  std::size_t pairs = 0;
  for (const auto& [value, ids] : values) {
    std::map<NodeId, std::size_t> on_node;
    for (const std::size_t i : ids) ++on_node[patient.state.placements[i].primary];
    for (const auto& [node, count] : on_node) pairs += count - 1;
  }
  return pairs;
}

/// Replicas: each value is carried by a few instances, never by most of them.
bool looks_like_replicas(const Carriers& values, std::size_t instances) {
  constexpr std::size_t kMostReplicas = 7;
  std::size_t shared = 0;
  for (const auto& [value, ids] : values) {
    if (ids.size() > kMostReplicas || ids.size() * 2 > instances + 2) return false;
    if (ids.size() > 1) ++shared;
  }
  return shared > 0;
}

Finding undeclared_on_instances(const Patient& patient, const std::string& prefix,
                                const Carriers& values) {
  std::size_t carriers = 0;
  for (const auto& [value, ids] : values) carriers += ids.size();
  const std::size_t same_node = together(patient, values);
  Finding finding;
  finding.severity = same_node > 0 ? Severity::Warning : Severity::Note;
  finding.code = "instance-tags-undeclared";
  finding.text = fmt::format(
      "{} carry {}:* tags ({}) that no tag of the cluster declares, so "
      "nothing keeps them apart; {} {} on a node with another of the same tag",
      counted(carriers, "instance"), prefix, listed(values_of(values)), same_node,
      of_count(same_node, "is", "are"));
  finding.subject.set("tag", prefix);
  finding.figures.set("instances", carriers)
      .set("values", values.size())
      .set("together", same_node);
  finding.action = fmt::format("gnt-cluster add-tags {} if replicas must not share a node",
                               shell_word("htools:iextags:" + prefix));
  return finding;
}

}  // namespace

void look_at_undeclared_tags(const Patient& patient, Findings& findings) {
  const Cluster& cluster = patient.cluster;
  for (const auto& [prefix, values] : carriers_of(cluster.nodes)) {
    const bool is_known = is_declared(cluster, "htools:migration:", prefix) ||
                          is_declared(cluster, "htools:nlocation:", prefix) ||
                          is_ruled(cluster, prefix);
    if (!is_known && divides_nodes(values))
      findings.push_back(undeclared_on_nodes(patient, prefix, values));
  }
  for (const auto& [prefix, values] : carriers_of(cluster.instances)) {
    const bool is_known = is_declared(cluster, "htools:iextags:", prefix) ||
                          is_declared(cluster, "htools:desiredlocation:", prefix) ||
                          is_ruled(cluster, prefix);
    if (!is_known && looks_like_replicas(values, cluster.instances.size()))
      findings.push_back(undeclared_on_instances(patient, prefix, values));
  }
}

}  // namespace ballast::ganeti::doctor
