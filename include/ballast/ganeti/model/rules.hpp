// SPDX-License-Identifier: BSD-2-Clause
// What administrators forbid beyond Ganeti's own rules: where instances may run, which ones stay
// together or apart, which nodes, instances and units are not to be touched, how much memory a node
// keeps. Soft errors never lift them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "ballast/ganeti/model/ids.hpp"
#include "ballast/ganeti/model/storage.hpp"

namespace ballast::ganeti {

enum class RuleKind : std::uint8_t {
  Pin,            ///< instances stay on nodes
  Apart,          ///< no two instances run on one node, or at one location
  Together,       ///< instances run on one node
  ExcludeNodes,   ///< nothing moves to these nodes
  KeepInstances,  ///< these instances do not move at all
  ForbidUnits,    ///< no disk is put on these units
  ReserveMemory,  ///< memory that stays unallocated
};

/// Names of nodes or instances, in any of these forms: the whole name, the name up to a dot, a glob
/// ("web*"), or "tag:" and a tag or a glob of tags.
using Selection = std::vector<std::string>;

/// A rule as it was given.
struct RuleSpec {
  RuleKind kind = RuleKind::Pin;
  std::string name;  ///< for people: "rule oracle", "ballast:apart:service"
  Selection instances;
  Selection nodes;
  /// Each different tag that begins with this is a rule of its own, for the instances that have it;
  /// a pin: the nodes that have the same tag. Empty: one rule for `instances`.
  std::string tag_prefix;
  std::string location;  ///< apart: at each location tag that begins with this; empty: on each node
  std::string group;     ///< only there, by name; empty: everywhere
  std::optional<double> price;    ///< score that each breach costs; none: the rule is never broken
  std::vector<StorageKey> units;  ///< ForbidUnits
  std::optional<std::int64_t> memory_mib;  ///< ReserveMemory: MiB, or
  std::optional<double> memory_share;      ///< a share of the node's memory, 0 to 1
  bool must_match = false;                 ///< names that mean nothing are worth a warning
};

/// A rule of the kinds Pin, Apart and Together, worked out for one cluster.
struct PlacementRule {
  RuleKind kind = RuleKind::Pin;
  std::size_t spec = 0;  ///< index into Rules::specs
  std::string name;
  std::string tag;  ///< of rules by tag; else empty
  std::optional<double> price;
  GroupId group;                     ///< to which it is confined; none: to no group
  std::vector<bool> allowed;         ///< Pin: by NodeId
  std::vector<std::int32_t> domain;  ///< Apart: by NodeId; nodes of one number count as one place,
                                     ///< -1: no place
};

/// Index into Rules::list.
using RuleId = std::int32_t;

struct Rules {
  std::vector<RuleSpec> specs;
  std::vector<PlacementRule> list;
  bool limits_nodes = false;  ///< some node or unit takes nothing, or keeps memory
  bool keeps_instances = false;

  [[nodiscard]] const PlacementRule& operator[](RuleId id) const {
    return list[static_cast<std::size_t>(id)];
  }
  [[nodiscard]] bool empty() const { return list.empty() && !limits_nodes && !keeps_instances; }
  [[nodiscard]] bool has(RuleKind kind) const;
  [[nodiscard]] bool has_prices() const;
};

}  // namespace ballast::ganeti
