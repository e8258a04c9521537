// SPDX-License-Identifier: BSD-2-Clause
// Global N+1 from counts: how many instances the other nodes of a group surely take, and how many
// at most. Where both agree, no failure has to be played through; else it is, on kinds of nodes.
// Equal nodes with equal instances are looked at once.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <tuple>
#include <vector>

#include "ballast/ganeti/model/cluster.hpp"
#include "ballast/ganeti/score/sheet.hpp"
#include "ballast/ganeti/search/redundancy/emptying_summary.hpp"

namespace ballast::ganeti::alloc {

class CapacityRoom {
 public:
  /// `tested`: the nodes that must be evacuable. Cluster and state must outlive this; the state may
  /// change, if it is told.
  CapacityRoom(const Cluster& cluster, const State& state, std::span<const NodeId> tested);

  /// False: the change has effects beyond the node, this must be made anew.
  [[nodiscard]] bool update(NodeId node);

  [[nodiscard]] Verdict judge();
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
  /// Nodes that are alike; one whose mirrored instances have their own partners is alone.
  struct Class {
    GroupId group;
    Free free;
    Leaving leaving;
    std::vector<NodeId> members;
    std::int64_t tested = 0;
  };
  /// A node with what a new instance leaves of its room; none: nothing new.
  struct Newcomer {
    NodeId node;
    Free free;
    Leaving leaving;  ///< the new one included
    const Instance* instance;
  };

  [[nodiscard]] bool is_understood(NodeId node) const;
  [[nodiscard]] Leaving leaving_of(NodeId node) const;
  [[nodiscard]] std::string signature(NodeId node, const Leaving& leaving) const;
  void enter(NodeId node);
  static Need need_of(const Instance& instance);
  static void insert_newest(Leaving& leaving, const Instance& instance);
  static std::int64_t count(const Free& free, const Question& question);
  std::int64_t total(const Question& question);
  Verdict judge_all(const Newcomer* newcomer);
  /// `failing` is a class; the newcomer itself fails where that is none.
  Verdict drill(const Class* failing, const Newcomer* newcomer);
  Verdict judge_class(const Class& failing, const Leaving& leaving, const Newcomer* newcomer);
  std::int64_t room(const Class& failing, const Leaving& leaving, const Question& question,
                    const Newcomer* newcomer);

  const Cluster& cluster_;
  const State& state_;
  std::vector<bool> is_tested_;
  std::vector<Free> free_;
  std::vector<std::size_t> class_of_;
  std::vector<Class> classes_;
  std::map<std::string, std::size_t> by_signature_;
  std::shared_ptr<const ScoreColumns> columns_;  ///< for drills
  std::map<Question, std::int64_t> totals_;
  std::map<std::tuple<std::size_t, Need, std::int64_t, bool>, Verdict> judged_;
  bool is_usable_ = true;
  bool has_loads_ = false;
};

}  // namespace ballast::ganeti::alloc
