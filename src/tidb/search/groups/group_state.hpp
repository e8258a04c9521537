// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include "ballast/tidb/search/placement/capacity.hpp"

#include <cstddef>
#include <cstdint>
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
  bool marked = false;   // to be deleted once the roll-out is done; counts no more
  bool offline = false;  // its store is on its way out; counts no more
  bool fresh = false;    // created or updated in the pass that goes on: not available yet
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
  bool gated = false;     // its turn never comes
  bool paused = false;    // the last pass ended for want of available instances
  bool waited = false;    // for instances that were Ready only since a moment
  bool restarts = false;  // TiDB: a roll-out goes on, with surge instead of unavailability

  const SetSpec& spec() const { return wished != nullptr ? *wished : live->spec; }
  std::int64_t target() const { return wished != nullptr ? wished->replicas : 0; }
  /// Those that exist, those that are to leave among them.
  std::int64_t existing() const { return static_cast<std::int64_t>(instances.size()); }
};

/// The figures by which the operator decides in one pass over a group.
struct GroupCounts {
  std::int64_t updated = 0;
  std::int64_t outdated = 0;
  std::int64_t unavailable_updated = 0;   // not Ready, or fresh
  std::int64_t unavailable_outdated = 0;  // not running
  std::int64_t desired = 0;
  std::int64_t surge = 0;
  std::int64_t most_unavailable = 1;

  std::int64_t actual() const { return updated + outdated; }
  std::int64_t available() const { return actual() - unavailable_updated - unavailable_outdated; }
  std::int64_t maximum() const;
  /// More than this must be available before an instance that is well may be taken away.
  std::int64_t minimum() const { return desired - most_unavailable; }
};
GroupCounts counts_of(const GroupState& group);

/// What the operator does next in a pass. It never waits between instances that it adds or removes,
/// but for a removal that leaves too few available ones.
enum class Move {
  Finish,         // all as wished: what is marked is deleted
  Wait,           // the pass ends, instances must become available first
  Add,            // on the newest template
  Update,         // in place, one that is well
  UpdateBroken,   // in place, one that does not run
  RemoveUpdated,  // at once
  MarkOutdated,   // deleted when the roll-out is done
};
Move next_move(const GroupCounts& counts);

/// Whether the pass ends after the removal of an instance that was available.
bool is_short_after_removal(const GroupCounts& counts);

/// Index of the instance that is taken first among the updated or the outdated ones that count: of
/// the strongest preference first, an instance of a `preferred` index, (PD) not leader, not
/// running, not Ready, of the lowest priority; first by name. Precondition: there is one.
std::size_t weakest(const GroupState& group, bool updated, const std::string& leader,
                    const std::vector<std::size_t>& preferred);

/// Indexes of the instances whose removal leaves the topologies as even as they can be: those of no
/// topology, else of the one that is furthest above its share by weight; one that is alone in its
/// topology comes last. `topology_of` is an index into `weights`, or none.
std::vector<std::size_t> fullest(
    const GroupState& group, const std::vector<std::int64_t>& weights,
    const std::function<std::optional<std::size_t>(const Instance&)>& topology_of);

}  // namespace ballast::tidb
