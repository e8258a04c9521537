// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include "ballast/tidb/search/capacity.hpp"

#include <cstddef>
#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace ballast::tidb {

/// One instance of a group of operator v2.
struct Instance {
  LivePod pod;      // name as it is shown, "??????" for what is not known
  std::string key;  // unique within the cluster, for the nodes
  /// Index of the topology that it is to come to; for new ones of a group that is spread.
  std::optional<std::size_t> topology;
};

/// One group while the plan goes on.
struct GroupState {
  Component component = Component::Pd;
  const SetSpec* wished = nullptr;  // nullptr: it is deleted
  const LiveSet* live = nullptr;    // nullptr: it is new
  std::vector<Instance> instances;
  std::vector<Capacity::Placed> placed;  // nodes of the additions to come, by key
  std::vector<std::size_t> turns;        // topologies of the additions to come
  std::vector<std::string> fields;       // that change and restart instances, sorted
  int start = 1;                         // phase in which its turn comes
  int end = 0;                           // phase of its last step; 0: none yet
  bool told = false;                     // its objects or its new template are written
  bool done = false;
  bool gated = false;  // its turn never comes

  const SetSpec& spec() const { return wished != nullptr ? *wished : live->spec; }
  std::int64_t target() const { return wished != nullptr ? wished->replicas : 0; }
  std::int64_t total() const { return static_cast<std::int64_t>(instances.size()); }
  std::int64_t updated() const;
  std::int64_t outdated() const { return total() - updated(); }
  std::int64_t available() const;
  /// More than this must be Ready before one may be taken away.
  std::int64_t minimum() const { return target() - (component == Component::Tidb ? 0 : 1); }
};

enum class Move { None, Add, RemoveUpdated, RemoveOutdated, Update };

/// What the operator does next with a group: it never has more than the wished number and the
/// surge, and removes before it updates. TiDB replaces instances instead of updating them in place.
Move next_move(const GroupState& group);

/// Index of the instance that is taken first among the updated or the outdated ones: of the fullest
/// zone, (PD) not leader, not running, not Ready, lowest priority, first by name. `zone_of` may
/// return an empty text; a zone is full by its count for its weight, one of weight 0 is the
/// fullest. Precondition: there is one.
std::size_t weakest(const GroupState& group, bool updated, const std::string& leader,
                    const std::function<std::string(const Instance&)>& zone_of,
                    const std::function<std::int64_t(const std::string&)>& weight_of);

}  // namespace ballast::tidb
