// SPDX-License-Identifier: BSD-2-Clause
// A state on which steps are tried and taken back: what each step replaced is kept, so that no copy
// of the whole state is needed.
#pragma once

#include <utility>
#include <variant>
#include <vector>

#include "ballast/ganeti/moves/ends.hpp"

namespace ballast::ganeti {

class TrialState {
 public:
  explicit TrialState(State start) : state_(std::move(start)) {}

  /// Its nodes stay where they are in memory.
  [[nodiscard]] const State& state() const { return state_; }

  /// What was done before a mark is not touched by back_to(). Marks end with forget().
  using Mark = std::size_t;
  [[nodiscard]] Mark mark() const { return replaced_.size(); }

  void make(InstanceId instance, MoveEffect&& effect) {
    for (MoveEffect::Changed& changed : changed_nodes(effect))
      replace(changed.node, std::move(changed.state));
    replaced_.emplace_back(std::pair(instance, std::exchange(state_[instance], effect.placement)));
  }
  void replace(NodeId node, NodeState&& after) {
    std::swap(state_[node], after);
    replaced_.emplace_back(MoveEffect::Changed{node, std::move(after)});
  }
  /// A new instance, the state's last; its nodes are replaced apart.
  void add(const Placement& placement) {
    state_.placements.push_back(placement);
    replaced_.emplace_back(Added{});
  }
  /// Takes back all that was done since the mark, the last first; `visit` gets the nodes that are
  /// as before again, each as often as it was replaced.
  template <class Visit>
  void back_to(Mark mark, Visit&& visit) {
    for (; replaced_.size() > mark; replaced_.pop_back()) {
      if (auto* node = std::get_if<MoveEffect::Changed>(&replaced_.back())) {
        state_[node->node] = std::move(node->state);
        visit(node->node);
      } else if (const auto* moved =
                     std::get_if<std::pair<InstanceId, Placement>>(&replaced_.back())) {
        state_[moved->first] = moved->second;
      } else {
        state_.placements.pop_back();
      }
    }
  }
  void back_to(Mark mark) {
    back_to(mark, [](NodeId) {});
  }
  /// What was done stays.
  void forget() { replaced_.clear(); }
  [[nodiscard]] State take() { return std::move(state_); }

 private:
  struct Added {};

  State state_;
  std::vector<std::variant<MoveEffect::Changed, std::pair<InstanceId, Placement>, Added>> replaced_;
};

}  // namespace ballast::ganeti
