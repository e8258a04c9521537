// SPDX-License-Identifier: BSD-2-Clause
// Global N+1 from counts: how many instances the other nodes of a group surely take, and how many
// at most. Where both agree, no failure has to be played through.
#pragma once

#include <map>
#include <optional>
#include <span>
#include <vector>

#include "ballast/ganeti/model/cluster.hpp"
#include "capacity_summary.hpp"

namespace ballast::ganeti::alloc {

class CapacityRoom {
 public:
  /// `tested`: the nodes that must be evacuable.
  CapacityRoom(const Cluster& cluster, const State& state, std::span<const NodeId> tested);

  [[nodiscard]] Verdict judge() {
    return is_usable_ ? judge_all(NodeId(), nullptr) : Verdict::Unknown;
  }
  /// With one more instance, not mirrored, on `node`.
  [[nodiscard]] Verdict judge(NodeId node, const Instance& instance);

 private:
  /// What one instance asks of the node that takes it; `disk_mib` is 0 where it takes none.
  struct Need {
    std::int64_t memory_mib = 0;
    std::int64_t disk_mib = 0;
    friend auto operator<=>(const Need&, const Need&) = default;
  };
  /// How many instances of at most `largest` must come before none that needs `need` fits.
  struct Question {
    GroupId group;
    Need need;
    Need largest;
    friend auto operator<=>(const Question&, const Question&) = default;
  };
  struct Counts {
    std::vector<std::int64_t> by_node;
    std::int64_t total = 0;
  };
  struct Free {
    std::int64_t memory_mib = 0;
    std::int64_t disk_mib = 0;
  };
  struct Load {
    NodeId secondary;
    std::int64_t memory_mib = 0;
  };
  /// What has to leave a node that fails: first those that only move, then those made anew.
  struct Leaving {
    std::vector<Need> needs;          ///< in the order of the test
    std::vector<std::int64_t> order;  ///< recorded memory of each, by which the latter are sorted
    std::size_t shared = 0;           ///< how many of them only move
    std::vector<Load> loads;          ///< of mirrored instances, by secondary
    bool never = false;               ///< cannot be emptied, whatever room there is
  };

  [[nodiscard]] bool is_understood() const;
  [[nodiscard]] Leaving leaving_of(NodeId node) const;
  static Need need_of(const Instance& instance);
  static void insert_newest(Leaving& leaving, const Instance& instance);
  static std::int64_t count(const Free& free, const Question& question);
  const Counts& counts(const Question& question);
  Verdict judge_all(NodeId changed, const Instance* instance);
  Verdict judge_node(NodeId node, const Leaving& leaving, NodeId changed, const Free& changed_free);
  std::int64_t room(NodeId node, const Leaving& leaving, const Question& question, NodeId changed,
                    const Free& changed_free);

  const Cluster& cluster_;
  const State& state_;
  std::vector<NodeId> tested_;
  std::vector<std::vector<NodeId>> by_group_;
  std::vector<Free> free_;
  std::vector<Leaving> leaving_;
  std::map<Question, Counts> counts_;
  bool is_usable_ = false;
};

}  // namespace ballast::ganeti::alloc
