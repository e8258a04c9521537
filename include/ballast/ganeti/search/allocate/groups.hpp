// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include "ballast/ganeti/search/allocate/engine.hpp"

namespace ballast::ganeti::alloc {

struct GroupChoice {
  GroupId group;
  Solution solution;
  std::vector<std::string> messages;
};

struct WantedInstance {
  Record record;
  std::int64_t required_nodes = 0;
};

/// The group with the best policy, then metric, of all populated ones (or of `allowed`); an error
/// where none works.
Outcome<GroupChoice> choose_group(const ScopedCluster& scope, const WantedInstance& wanted,
                                  const EngineOptions& options,
                                  const std::optional<std::vector<GroupId>>& allowed);

/// Only that group's nodes, and the instances whose primary is there; the choice may have no
/// result.
Outcome<GroupChoice> try_group(const ScopedCluster& scope, const WantedInstance& wanted,
                               const EngineOptions& options, GroupId group);

/// By name or UUID; exactly one must match.
Outcome<GroupId> find_group(const Cluster& cluster, const std::string& name);

ScopedCluster part_of_scope(const ScopedCluster& scope, GroupId group);

}  // namespace ballast::ganeti::alloc
