// SPDX-License-Identifier: BSD-2-Clause
#include <fmt/format.h>

#include <algorithm>
#include <string_view>

#include "ballast/core/error.hpp"
#include "ballast/core/glob.hpp"
#include "ballast/ganeti/model/counters.hpp"
#include "ballast/ganeti/model/ids_of.hpp"
#include "ballast/ganeti/model/near_name.hpp"
#include "ballast/ganeti/model/selection.hpp"
#include "ballast/ganeti/rules/placement_rules.hpp"

namespace ballast::ganeti {
namespace {

template <class Named>
bool is_selected(const Selection& selection, const Named& one) {
  return std::ranges::any_of(
      selection, [&](const std::string& pattern) { return is_named(pattern, one.name, one.tags); });
}

/// Works rules out: those by name at once, those by tag as tags turn up.
class RuleMaker {
 public:
  explicit RuleMaker(Cluster& cluster) : cluster_(cluster) {}

  /// The rules that the instance falls under; `group` is that of its node, none: not known.
  std::vector<RuleId> rules_for(const Instance& instance, GroupId group) {
    std::vector<RuleId> found;
    for (std::size_t s = 0; s < cluster_.rules.specs.size(); ++s) {
      const RuleSpec& spec = cluster_.rules.specs[s];
      const bool is_placement = spec.kind == RuleKind::Pin || spec.kind == RuleKind::Apart ||
                                spec.kind == RuleKind::Together;
      if (!is_placement || !is_in_group(spec, group)) continue;
      if (spec.tag_prefix.empty()) {
        if (is_selected(spec.instances, instance)) found.push_back(find_or_make(s, ""));
        continue;
      }
      for (const std::string& tag : instance.tags) {
        if (tag.starts_with(spec.tag_prefix) && tag.size() > spec.tag_prefix.size())
          found.push_back(find_or_make(s, tag));
      }
    }
    std::ranges::sort(found);
    found.erase(std::unique(found.begin(), found.end()), found.end());
    return found;
  }

  [[nodiscard]] bool is_in_group(const RuleSpec& spec, GroupId group) const {
    return spec.group.empty() || group.is_none() || cluster_[group].name == spec.group;
  }

 private:
  RuleId find_or_make(std::size_t spec_index, const std::string& tag) {
    const RuleSpec& spec = cluster_.rules.specs[spec_index];
    const std::string name =
        tag.empty() || spec.name.ends_with(tag) ? spec.name : spec.name + " (" + tag + ")";
    std::vector<PlacementRule>& list = cluster_.rules.list;
    for (std::size_t r = 0; r < list.size(); ++r) {
      if (list[r].spec == spec_index && list[r].tag == tag) return static_cast<RuleId>(r);
    }
    PlacementRule rule;
    rule.kind = spec.kind;
    rule.spec = spec_index;
    rule.name = name;
    rule.tag = tag;
    rule.price = spec.price;
    rule.group = group_named(spec.group);
    if (spec.kind == RuleKind::Pin) rule.allowed = allowed_nodes(spec, tag);
    if (spec.kind == RuleKind::Apart) rule.domain = domains(spec);
    list.push_back(std::move(rule));
    return static_cast<RuleId>(list.size() - 1);
  }

  [[nodiscard]] GroupId group_named(const std::string& name) const {
    const auto group = std::ranges::find(cluster_.groups, name, &Group::name);
    if (name.empty() || group == cluster_.groups.end()) return {};
    return GroupId(static_cast<std::size_t>(group - cluster_.groups.begin()));
  }

  [[nodiscard]] std::vector<bool> allowed_nodes(const RuleSpec& spec,
                                                const std::string& tag) const {
    constexpr std::string_view kOwnPin = "ballast:pin:";
    std::vector<bool> allowed;
    for (const Node& node : cluster_.nodes) {
      bool is_allowed = is_selected(spec.nodes, node);
      if (!tag.empty() && std::ranges::find(node.tags, tag) != node.tags.end()) is_allowed = true;
      // A pin of the instance's own: the rest is a tag of nodes, or names them.
      if (spec.tag_prefix == kOwnPin && !tag.empty()) {
        const std::string rest = tag.substr(kOwnPin.size());
        is_allowed = is_allowed || is_name(rest, node.name) ||
                     std::ranges::find(node.tags, rest) != node.tags.end();
      }
      allowed.push_back(is_allowed);
    }
    return allowed;
  }

  [[nodiscard]] std::vector<std::int32_t> domains(const RuleSpec& spec) const {
    std::vector<std::int32_t> domain;
    std::vector<std::string_view> known;
    for (const NodeId id : node_ids(cluster_)) {
      if (spec.location.empty()) {
        domain.push_back(id.value());
        continue;
      }
      const auto& tags = cluster_[id].tags;
      const auto tag = std::ranges::find_if(
          tags, [&](const std::string& one) { return one.starts_with(spec.location + ":"); });
      if (tag == tags.end()) {
        domain.push_back(-1);
        continue;
      }
      const auto place = std::ranges::find(known, std::string_view(*tag));
      domain.push_back(static_cast<std::int32_t>(place - known.begin()));
      if (place == known.end()) known.emplace_back(*tag);
    }
    return domain;
  }

  Cluster& cluster_;
};

void reset(Snapshot& snapshot) {
  Cluster& cluster = snapshot.cluster;
  cluster.rules = {};
  for (Node& node : cluster.nodes) {
    node.takes_nothing = false;
    node.memory_reserve = 0;
    for (StorageUnit& unit : node.units) unit.is_forbidden = false;
  }
  for (Instance& instance : cluster.instances) {
    instance.rules.clear();
    instance.is_kept = false;
  }
  for (NodeState& node : snapshot.state.nodes) node.rule_members.clear();
}

std::int64_t reserve_of(const RuleSpec& spec, const Node& node) {
  if (spec.memory_mib) return *spec.memory_mib;
  return floored(spec.memory_share.value_or(0) * node.total_mem);
}

bool is_of_group(const Cluster& cluster, const RuleSpec& spec, GroupId group) {
  return spec.group.empty() || cluster[group].name == spec.group;
}

/// Rules of nodes and units. What is selected by nothing means all nodes.
void apply_to_node(Snapshot& snapshot, std::size_t spec_index, std::size_t index) {
  Cluster& cluster = snapshot.cluster;
  const RuleSpec& spec = cluster.rules.specs[spec_index];
  const auto number = static_cast<std::int32_t>(spec_index);
  Node& node = cluster.nodes[index];
  if (!is_of_group(cluster, spec, node.group)) return;
  if (!spec.nodes.empty() && !is_selected(spec.nodes, node)) return;
  switch (spec.kind) {
    case RuleKind::ExcludeNodes:
      node.takes_nothing = true;
      node.excluded_by = number;
      break;
    case RuleKind::ReserveMemory:
      node.memory_reserve = reserve_of(spec, node);  // the last that speaks of the node counts
      node.reserve_by = number;
      break;
    case RuleKind::ForbidUnits:
      for (StorageUnit& unit : node.units) {
        if (std::ranges::find(spec.units, cluster[unit.key]) == spec.units.end()) continue;
        unit.is_forbidden = true;
        unit.forbidden_by = number;
      }
      break;
    default:
      break;
  }
}

void apply_to_instances(Snapshot& snapshot, std::size_t spec_index) {
  Cluster& cluster = snapshot.cluster;
  const RuleSpec& spec = cluster.rules.specs[spec_index];
  if (spec.kind != RuleKind::KeepInstances) return;
  for (std::size_t i = 0; i < cluster.instances.size(); ++i) {
    Instance& instance = cluster.instances[i];
    const GroupId group = cluster[snapshot.state.placements[i].primary].group;
    if (!is_of_group(cluster, spec, group) || !is_selected(spec.instances, instance)) continue;
    instance.is_kept = true;
    instance.kept_by = static_cast<std::int32_t>(spec_index);
  }
}

struct Known {
  std::string_view name;
  const std::vector<std::string>* tags;
};

template <class Named>
std::vector<Known> known_of(const std::vector<Named>& all) {
  std::vector<Known> known;
  for (const Named& one : all) known.push_back({one.name, &one.tags});
  return known;
}

void warn_of_strangers(const RuleSpec& spec, const Selection& selection,
                       const std::vector<Known>& all, std::string_view what,
                       std::vector<std::string>& warnings) {
  for (const std::string& pattern : selection) {
    const bool is_known = std::ranges::any_of(
        all, [&](const Known& one) { return is_named(pattern, one.name, *one.tags); });
    if (!is_known)
      warnings.push_back(fmt::format("{}: no {} is {}{}", spec.name, what, quoted(pattern),
                                     near_name(pattern, all)));
  }
}

Status check_spec(const Cluster& cluster, const RuleSpec& spec) {
  const bool has_group =
      spec.group.empty() ||
      std::ranges::any_of(cluster.groups, [&](const Group& g) { return g.name == spec.group; });
  if (!has_group)
    return fail(fmt::format("{}: there is no group {}", spec.name, quoted(spec.group)));
  for (const StorageKey& key : spec.units) {
    const bool is_held = std::ranges::any_of(cluster.nodes, [&](const Node& node) {
      return std::ranges::any_of(node.units,
                                 [&](const StorageUnit& unit) { return cluster[unit.key] == key; });
    });
    if (!is_held)
      return fail(fmt::format("{}: no node has a storage unit {}", spec.name, to_string(key)));
  }
  return {};
}

/// Pins that no node fulfils.
void warn_of_empty_pins(const Cluster& cluster, std::vector<std::string>& warnings) {
  for (const PlacementRule& rule : cluster.rules.list) {
    if (rule.kind != RuleKind::Pin || std::ranges::find(rule.allowed, true) != rule.allowed.end())
      continue;
    warnings.push_back(fmt::format("{}: no node is allowed", rule.name));
  }
}

}  // namespace

bool Rules::has(RuleKind kind) const {
  return std::ranges::any_of(list, [&](const PlacementRule& rule) { return rule.kind == kind; });
}

bool Rules::has_prices() const {
  return std::ranges::any_of(list,
                             [](const PlacementRule& rule) { return rule.price.has_value(); });
}

Result<std::vector<std::string>> set_rules(Snapshot& snapshot, std::vector<RuleSpec> specs,
                                           Newcomers newcomers) {
  Cluster& cluster = snapshot.cluster;
  reset(snapshot);
  std::vector<std::string> warnings;
  const std::vector<Known> nodes = known_of(cluster.nodes);
  std::vector<Known> instances = known_of(cluster.instances);
  for (const Instance* one : newcomers) instances.push_back({one->name, &one->tags});
  for (const RuleSpec& spec : specs) {
    if (const Status checked = check_spec(cluster, spec); !checked) return fail(checked.error());
    if (!spec.must_match) continue;
    warn_of_strangers(spec, spec.instances, instances, "instance", warnings);
    warn_of_strangers(spec, spec.nodes, nodes, "node", warnings);
  }
  cluster.rules.specs = std::move(specs);
  for (std::size_t s = 0; s < cluster.rules.specs.size(); ++s) {
    for (std::size_t n = 0; n < cluster.nodes.size(); ++n) apply_to_node(snapshot, s, n);
    apply_to_instances(snapshot, s);
  }
  RuleMaker maker(cluster);
  for (std::size_t i = 0; i < cluster.instances.size(); ++i) {
    const NodeId primary = snapshot.state.placements[i].primary;
    cluster.instances[i].rules = maker.rules_for(cluster.instances[i], cluster[primary].group);
    count_up(snapshot.state[primary].rule_members, cluster.instances[i].rules);
  }
  for (Instance* one : newcomers) one->rules = maker.rules_for(*one, GroupId());
  cluster.rules.limits_nodes = std::ranges::any_of(cluster.nodes, [](const Node& node) {
    return node.takes_nothing || node.memory_reserve > 0 ||
           std::ranges::any_of(node.units,
                               [](const StorageUnit& unit) { return unit.is_forbidden; });
  });
  cluster.rules.keeps_instances = std::ranges::any_of(
      cluster.instances, [](const Instance& instance) { return instance.is_kept; });
  warn_of_empty_pins(cluster, warnings);
  return warnings;
}

}  // namespace ballast::ganeti
