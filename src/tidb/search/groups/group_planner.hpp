// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include "ballast/tidb/search/basis/outcome.hpp"
#include "ballast/tidb/search/placement/capacity.hpp"
#include "group_state.hpp"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace ballast::tidb {

/// The simulation behind a plan under profile v2. A phase is one pass of the operator: the groups
/// of a component move at the same time, and within a group all moves come at once that leave
/// enough instances available. A component waits for the ones before it only where its version
/// changes.
class GroupPlanner {
 public:
  explicit GroupPlanner(const Input& input);
  Outcome run();

 private:
  /// False: the component is blocked and its planning has ended.
  using Going = bool;

  // groups.cpp: who moves when
  std::vector<GroupState> groups(Component c) const;
  GroupState state_of(Component c, const SetSpec* wished, const LiveSet* live) const;
  void component(Component c);
  void open_gates(Component c);
  bool changes(const GroupState& group) const;
  void defer(Component c);
  Going take_turn(GroupState& group);
  Going begin(GroupState& group);
  void sort_by_phase();
  void notes();
  void summary();

  // group_pass.cpp: all that one pass does
  Going pass(GroupState& group);
  Going run_pass(GroupState& group);
  Going take(GroupState& group, Move move);
  void settle(GroupState& group);
  bool wait_until_available(GroupState& group);
  Going wait_for_broken(GroupState& group, std::size_t first);
  Going finish(GroupState& group, std::size_t first);
  void tell_dangers(const GroupState& group, std::size_t first);

  // group_steps.cpp: what a move is
  void create(GroupState& group);
  void update_template(GroupState& group);
  void update_config(GroupState& group);
  void expand(GroupState& group);
  Going place(GroupState& group, std::int64_t count);
  Going place_by_weight(GroupState& group, std::int64_t count);
  Going add(GroupState& group);
  Going remove(GroupState& group, std::size_t index);
  Going update(GroupState& group, bool broken);
  Going mark(GroupState& group, std::size_t index);
  Instance fresh(GroupState& group);
  void drain(const GroupState& group, const Instance& instance, Line& step);

  // group_rules.cpp: what must hold
  Going may_restart_member(const GroupState& group, const Instance& instance);
  Going may_remove_member(const GroupState& group, const Instance& instance);
  Going may_remove_store(const GroupState& group, const Instance& instance);
  std::int64_t others_marked(const GroupState& group, const Instance& instance);
  Going refuse(const GroupState& group, const std::string& object, std::string code,
               std::string required, std::string observed);
  Going block(const GroupState& group, const std::string& object, std::string code,
              std::string required, std::string observed);
  Store* store_of(const GroupState& group, const Instance& instance);
  Member* member_of(const GroupState& group, const Instance& instance);

  Line make(Action action, const GroupState& group, std::string object, std::string detail,
            std::string code, std::string reason);
  void emit(GroupState& group, Line step);
  void warn(std::string code, std::string subject, std::string text);
  std::string kubectl(std::string_view rest) const { return tidb::kubectl(input_, rest); }
  std::string watch_of(const GroupState& group, const std::string& pod) const;
  std::size_t weakest_of(const GroupState& group, bool updated, bool leaves) const;
  std::optional<std::size_t> topology_of(const GroupState& group, const Instance& instance) const;
  std::vector<std::int64_t> spread_of(const GroupState& group) const;
  bool is_spread_known(const GroupState& group) const;

  const Input& input_;
  Live live_;
  Outcome out_;
  Capacity capacity_;
  std::vector<GroupState> groups_[kComponentCount];
  std::string stop_code_;
  int phase_ = 0;
  std::int64_t members_away_ = 0;  // healthy ones taken away in this phase
  std::int64_t next_key_ = 0;
  bool took_available_ = false;  // the last removal took one that was available
  bool over_maximum_ = false;    // ... because there were too many
};

}  // namespace ballast::tidb
