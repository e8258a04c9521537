// SPDX-License-Identifier: BSD-2-Clause
// Which groups a node or a zone holds, for taking it out of service.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "ballast/fdb/model/cluster.hpp"
#include "ballast/fdb/search/moments/weak_moments.hpp"
#include "ballast/fdb/search/step/options.hpp"
#include "ballast/fdb/search/step/trace_step.hpp"

namespace ballast::fdb {

/// Groups whose pod runs on the node, by ID. Needs pods that were given.
std::vector<std::string> groups_on_node(const Cluster& cluster, std::string_view node);

/// Groups of the fault domain, by ID: the logical domain where the group is bound to one, else the
/// zone that the database saw.
std::vector<std::string> groups_in_zone(const Cluster& cluster, std::string_view zone);

/// What is taken out of service, by any of these; everything together in one round.
struct DrainSelection {
  std::vector<std::string> nodes;
  std::vector<std::string> zones;
  std::vector<ProcessClass> classes;
  std::vector<Condition> conditions;
  std::vector<std::pair<std::string, std::string>> node_labels;  ///< key, value

  [[nodiscard]] bool is_empty() const {
    return nodes.empty() && zones.empty() && classes.empty() && conditions.empty() &&
           node_labels.empty();
  }
};

/// One part of a selection and the groups that it names, by ID.
struct DrainPart {
  std::string option;  ///< "--node"
  std::string value;
  std::string text;  ///< "node worker-3"
  std::vector<std::string> groups;
};

/// Parts in the order of the fields. Conditions are those of one update of the status.
std::vector<DrainPart> select_groups(const Cluster& cluster, const DrainSelection& selection,
                                     const PlanOptions& options);
/// Of all parts, each once, by ID.
std::vector<std::string> groups_of(const std::vector<DrainPart>& parts);

/// The wish with those groups named for removal, besides the ones that it names already.
ClusterSpec with_removals(ClusterSpec spec, const std::vector<std::string>& groups);

struct DrainedGroup {
  std::string id;
  ProcessClass process_class = ProcessClass::Unset;
  std::string zone;
  std::optional<std::int64_t> stored_bytes;
  bool is_leaving_already = false;  ///< marked and excluded in the snapshot
  std::optional<int> excluded_at;   ///< number of the step, from 1; nothing: no step does it
  std::optional<int> removed_at;
};

struct Drain {
  std::vector<DrainedGroup>
      groups;  ///< in the order of their removal, then of their exclusion, then of their IDs
  int fault_tolerance = 0;
  std::vector<WeakMoment> weak_moments;  ///< empty: data leaves each group before its pod does
};

/// What the plan `steps` does to `groups`, and how far the fault tolerance holds meanwhile.
Drain follow_drain(const Cluster& cluster, const ClusterSpec& desired,
                   const std::vector<std::string>& groups, const std::vector<TraceStep>& steps);

}  // namespace ballast::fdb
