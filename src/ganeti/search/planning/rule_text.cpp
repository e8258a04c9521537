// SPDX-License-Identifier: BSD-2-Clause
#include "ballast/ganeti/search/planning/rule_text.hpp"

#include "ballast/core/decimal.hpp"
#include "ballast/core/words.hpp"
#include "ballast/ganeti/model/units_of.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

namespace ballast::ganeti {
namespace {

std::string whole(double value) { return fixed(value, 0); }

const PlacementRule* rule_of(const Cluster& cluster, RuleId id) {
  return id < 0 ? nullptr : &cluster.rules[id];
}

std::string name_of_rule(const Cluster& cluster, RuleId id) {
  const PlacementRule* rule = rule_of(cluster, id);
  return rule == nullptr ? "rule" : rule->name;
}

std::int32_t forbidden_by(const Cluster& cluster, NodeId node, StorageKeyId unit) {
  const StorageUnit* held = find_unit(cluster[node], unit);
  return held == nullptr ? -1 : held->forbidden_by;
}

/// "2 nodes (ora1, ora2)"
std::string allowed_text(const Cluster& cluster, RuleId id) {
  const PlacementRule* rule = rule_of(cluster, id);
  if (rule == nullptr) return "other nodes";
  std::vector<std::string_view> nodes;
  for (std::size_t n = 0; n < rule->allowed.size(); ++n) {
    if (rule->allowed[n]) nodes.push_back(cluster.nodes[n].alias);
  }
  if (nodes.empty()) return "no node at all";
  return fmt::format("{} ({})", counted(nodes.size(), "node"), some_of(nodes));
}

std::string names_of(const Cluster& cluster, const std::vector<InstanceId>& instances) {
  std::vector<std::string_view> names;
  for (const InstanceId id : instances) names.push_back(cluster[id].alias);
  return some_of(names);
}

/// Where instances are that ought to be at one place: "app1 on n1, cache1 on n2".
std::string parted_text(const Cluster& cluster, const State& state,
                        const std::vector<InstanceId>& instances) {
  std::vector<std::string> texts;
  for (const InstanceId id : instances)
    texts.push_back(cluster[id].alias + " on " + cluster[state[id].primary].alias);
  const std::vector<std::string_view> views(texts.begin(), texts.end());
  return some_of(views);
}

/// "n3", or the location that the rule speaks of.
std::string place_text(const Cluster& cluster, const Breach& breach) {
  const PlacementRule& rule = *rule_of(cluster, breach.rule);
  const std::string& location = cluster.rules.specs[rule.spec].location;
  if (location.empty()) return cluster[breach.node].alias;
  for (const std::string& tag : cluster[breach.node].tags) {
    if (tag.starts_with(location + ":")) return tag;
  }
  return cluster[breach.node].alias;
}

}  // namespace

std::string name_of_spec(const Cluster& cluster, std::int32_t spec) {
  return spec < 0 ? "a rule" : cluster.rules.specs[static_cast<std::size_t>(spec)].name;
}

bool is_administrators_rule(Rule rule) {
  return rule >= Rule::MemoryReserve && rule <= Rule::UnitForbidden;
}

std::string some_of(std::span<const std::string_view> names) {
  constexpr std::size_t kMost = 5;
  std::string text;
  for (std::size_t i = 0; i < std::min(kMost, names.size()); ++i)
    text += (i == 0 ? "" : ", ") + std::string(names[i]);
  if (names.size() > kMost) text += fmt::format(" and {} more", names.size() - kMost);
  return text;
}

std::string rule_text(const Cluster& cluster, const Refusal& refusal, std::string_view others) {
  const std::string where =
      refusal.node.is_none() ? std::string() : " on " + cluster[refusal.node].alias;
  const std::string wanted = whole(refusal.wanted);
  const std::string available = whole(refusal.available);
  const std::string name = refusal.rule_spec >= 0 ? name_of_spec(cluster, refusal.rule_spec)
                                                  : name_of_rule(cluster, refusal.placement_rule);
  const std::string whom = others.empty() ? "" : fmt::format(" ({})", others);
  const bool is_one = refusal.wanted == 1;
  switch (refusal.rule) {
    case Rule::MemoryReserve:
      return fmt::format("{}: {} MiB of memory would be left{}, {} MiB must stay free", name,
                         available, where, wanted);
    case Rule::Pinned:
      return fmt::format("{}: pinned to {}, not{}", name,
                         allowed_text(cluster, refusal.placement_rule), where);
    case Rule::KeptApart:
      return fmt::format("{}: {} to be kept apart from {}{}{}", name, wanted,
                         is_one ? "runs" : "run", where, whom);
    case Rule::KeptTogether:
      return fmt::format("{}: {} to be kept together with {}{}{}, {} where it would go", name,
                         wanted, is_one ? "runs" : "run", where, whom, available);
    case Rule::NodeExcluded:
      return fmt::format("{}: nothing moves to {}", name, cluster[refusal.node].alias);
    case Rule::UnitForbidden:
      return fmt::format("disk {}: {} keeps {} unused{}, {} MiB wanted", refusal.disk, name,
                         to_string(cluster[refusal.unit]), where, wanted);
    default:
      return name + " keeps it where it is" + where;
  }
}

std::string breach_text(const Cluster& cluster, const State& state, const Breach& breach) {
  const std::string name = name_of_rule(cluster, breach.rule);
  switch (breach.kind) {
    case RuleKind::Pin:
      return fmt::format("{}: {} on {}, pinned to {}", name, names_of(cluster, breach.instances),
                         cluster[breach.node].alias, allowed_text(cluster, breach.rule));
    case RuleKind::Apart:
      return fmt::format("{}: {} on {}, to be kept apart", name,
                         names_of(cluster, breach.instances), place_text(cluster, breach));
    case RuleKind::Together:
      return fmt::format("{}: {}, to be kept together", name,
                         parted_text(cluster, state, breach.instances));
    case RuleKind::ReserveMemory:
      return fmt::format("{}: {} MiB of memory unallocated on {}, {} MiB must stay free",
                         name_of_spec(cluster, cluster[breach.node].reserve_by),
                         breach.available_mib, cluster[breach.node].alias, breach.wanted_mib);
    case RuleKind::ForbidUnits:
      return fmt::format("{} keeps {} unused on {}: {}",
                         name_of_spec(cluster, forbidden_by(cluster, breach.node, breach.unit)),
                         to_string(cluster[breach.unit]), cluster[breach.node].alias,
                         names_of(cluster, breach.instances));
    default:
      return name;
  }
}

}  // namespace ballast::ganeti
