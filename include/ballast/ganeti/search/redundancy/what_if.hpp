// SPDX-License-Identifier: BSD-2-Clause
// What if a node, a group or a storage unit were gone: who runs on where, who does not and why,
// before anybody plans anything. The steps and choices are those of the global N+1 check, so for
// one node both agree; unlike it, this one looks at several losses at once, does not restart
// anything on offline nodes, and goes on after the first instance that is stuck.
#pragma once

#include <cstdint>
#include <vector>

#include "ballast/ganeti/model/cluster.hpp"
#include "ballast/ganeti/model/refusal.hpp"

namespace ballast::ganeti {

struct LostUnit {
  StorageKeyId unit;
  NodeId node;  ///< none: on every node
};

/// All of it at once.
struct Loss {
  std::vector<NodeId> nodes;  ///< those of lost groups, too
  std::vector<LostUnit> units;
};

enum class Fate : std::uint8_t {
  FailsOver,    ///< runs on its secondary, without a mirror
  Restarts,     ///< shared storage: runs on another node
  LosesMirror,  ///< runs where it was; its other copy is gone
  Recreatable,  ///< its disks are gone; there is room to make it anew, from a backup
  Stuck,        ///< its disks are there, but no node takes it
  Lost,         ///< its disks are gone, and no node has room to make it anew
};

struct Affected {
  InstanceId instance;
  Fate fate = Fate::FailsOver;
  Placement before;
  NodeId now;                     ///< where it runs, or could be made anew; none: nowhere
  std::vector<Refusal> refusals;  ///< of the nodes that were tried in vain
};

/// A surviving node that takes over something, or should have.
struct Survivor {
  NodeId node;
  std::size_t arrivals = 0;
  std::int64_t free_mib =
      0;  ///< unallocated memory, without what the loss takes off it, before any arrives
  std::int64_t wanted_mib = 0;  ///< memory of the instances that come or should fail over to it
  std::int64_t left_mib = 0;    ///< unallocated memory after those that find room
  double vcpu_ratio = 0;
  double vcpu_limit = 0;
  bool loses_n1 = false;  ///< was N+1 happy, is no longer

  [[nodiscard]] bool lacks_memory() const { return wanted_mib >= free_mib && wanted_mib > 0; }
  [[nodiscard]] bool exceeds_cpu() const { return vcpu_ratio > vcpu_limit; }
  [[nodiscard]] bool is_over_committed() const {
    return lacks_memory() || exceeds_cpu() || loses_n1;
  }
};

struct WhatIf {
  std::vector<Affected> affected;   ///< by instance index
  std::vector<Survivor> survivors;  ///< by node index
};

WhatIf what_if(const Cluster& cluster, const State& state, const Loss& loss);

/// Neither running elsewhere nor untouched: stuck, lost, or to be made anew.
bool is_down(Fate fate);

/// The refusal that says most: of the most frequent rule, the one with most room.
const Refusal* telling_refusal(const std::vector<Refusal>& refusals);

}  // namespace ballast::ganeti
