// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include "ballast/tidb/search/placement/volumes.hpp"

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace ballast::tidb {

/// Where the pods of a plan find room. It is told each pod that comes, goes or grows, in plan
/// order; volumes that a leaving pod used stay taken (reclaim policy Retain).
class Capacity {
 public:
  explicit Capacity(const Input& input);

  /// False without a node list: then everything fits.
  bool is_active() const { return active_; }

  struct Placed {
    std::string pod;
    std::string node;
    std::string volume;
  };
  /// The first pod that finds no node, and why not.
  struct Refusal {
    std::string pod;
    std::string text;
  };

  /// New pods of a set, in this order: all of them are placed, or none. `total` is the sum of the
  /// targets of all sets of the component.
  std::optional<Refusal> add(const SetSpec& set, const std::vector<std::string>& pods,
                             std::int64_t total, std::vector<Placed>& placed);
  /// Pods of a set that restart with other requests, in this order. A pod on a local volume stays
  /// on its node.
  std::optional<Refusal> restart(const SetSpec& set, const std::vector<std::string>& pods,
                                 std::int64_t total);
  void remove(const std::string& pod);

  /// Machine of a running or placed pod; empty where it is not known.
  std::string node_of(const std::string& pod) const;
  const Machine* node(const std::string& name) const;

  /// "n1: cpu 3.5, memory 20Gi, volumes local-storage 200Gi x1" per node.
  std::vector<std::string> leftovers() const;

 private:
  using SetKey = std::pair<Component, std::string>;
  struct Room {
    std::size_t index = 0;  // of the node
    std::int64_t cpu_milli = 0;
    std::int64_t memory_bytes = 0;
    std::int64_t pods = 0;
    std::map<Component, std::int64_t> of_component;
    std::map<SetKey, std::int64_t> of_set;
  };
  struct Pod {
    std::size_t room = 0;
    Component component = Component::Pd;
    std::int64_t cpu_milli = 0;
    std::int64_t memory_bytes = 0;
    std::string set;
    std::vector<std::size_t> volumes;
  };
  struct Search {
    const SetSpec& set;
    const std::vector<std::string>& pods;
    std::int64_t total;
    std::int64_t visited = 0;
  };

  void take(const std::string& name, const Pod& pod);
  void give_back(const std::string& name);
  void undo(const std::string& name);
  std::vector<std::size_t> candidates(const SetSpec& set, const std::string& pod,
                                      std::int64_t total) const;
  std::string refusal_on(const SetSpec& set, const std::string& pod, const Room& room) const;
  std::string volume_refusal(const SetSpec& set, const std::string& pod, const Room& room) const;
  bool anti_affinity_holds(const SetSpec& set, const Room& room) const;
  std::string topology_of(const Room& room) const;
  std::map<std::string, std::int64_t> per_topology(Component component) const;
  bool below_limit(const SetSpec& set, const std::string& topology,
                   const std::map<std::string, std::int64_t>& counts, std::int64_t total) const;
  void choose(const SetSpec& set, const std::string& name, std::size_t room);
  bool search(Search& state, std::size_t index);
  Refusal explain(const SetSpec& set, const std::string& pod, std::int64_t total) const;
  void index_topologies(const ClusterSpec& spec);
  std::map<std::string, std::string> labels_of(const SetKey& set) const;

  bool active_ = false;
  bool v10_ = false;
  std::string topology_key_;
  std::string cluster_;
  std::vector<Machine> nodes_;
  std::map<std::string, std::size_t> by_name_;  // of nodes_
  std::vector<Room> rooms_;
  /// Topology key -> value -> nodes.
  std::map<std::string, std::map<std::string, std::vector<std::size_t>>> topologies_;
  Volumes volumes_;
  std::map<std::string, Pod> pods_;
};

}  // namespace ballast::tidb
