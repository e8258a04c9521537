// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include "ballast/plan/replay.hpp"
#include "ballast/tidb/search/basis/input.hpp"
#include "ballast/tidb/search/basis/outcome.hpp"

#include "peers.hpp"

#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace ballast::tidb {

/// What runs, held against rules as steps are applied to it. After the first rule that breaks
/// nothing more is told: the states are then not those of the plan.
class Rules : public plan::StateOf<Line> {
 public:
  Rules(const Input& input, const Outcome& outcome) : input_(input), peers_(input, outcome) {}

  std::optional<plan::Problem> apply(const Line& step) final;
  [[nodiscard]] std::optional<plan::Problem> ending() const final;
  [[nodiscard]] std::vector<plan::Margin> margins() const final { return peers_.margins(); }

 protected:
  virtual void take(const Line& step) = 0;
  /// The rule that the end breaks; empty: none.
  [[nodiscard]] virtual std::string end() const = 0;

  void breaks(std::string rule) { broken_ = std::move(rule); }
  /// Waits that are taken as ending well may heal more than the replay can see.
  [[nodiscard]] bool safe() const {
    return !input_.options.allow_unsafe && !input_.options.assume_healthy;
  }

  const Input& input_;

 private:
  Peers peers_;
  std::string broken_;
};

/// Of StatefulSets: operator 1.x.
std::unique_ptr<Rules> set_rules(const Input& input, const Outcome& outcome);
/// Of groups of instances without ordinals (profile v2): one instance of a group moves in a phase,
/// no more than the wished number and the surge exist, and phases never go back.
std::unique_ptr<Rules> group_rules(const Input& input, const Outcome& outcome);

}  // namespace ballast::tidb
