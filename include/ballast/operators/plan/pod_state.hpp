// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "ballast/plan/replay.hpp"

namespace ballast::operators {

/// Pods under the steps create-pod, delete-pod and restart-pod, whose subject is a pod; other steps
/// leave them alone. A step that does not fit what is there is a problem.
class PodState : public plan::ReplayState {
 public:
  /// `is_ready` by name. `required`: ready pods that should be left at any moment.
  PodState(std::map<std::string, bool> is_ready, std::int64_t required)
      : is_ready_(std::move(is_ready)), required_(required) {}

  std::optional<plan::Problem> apply(const plan::Step& step) override;
  /// Nothing: what a pod holds stays in its claims.
  [[nodiscard]] std::vector<std::string> at_stake(const plan::Step& step) override;
  /// Ready pods, without the one that the newest step restarts.
  [[nodiscard]] std::vector<plan::Margin> margins() const override;
  [[nodiscard]] const std::map<std::string, bool>& pods() const { return is_ready_; }

 private:
  std::map<std::string, bool> is_ready_;
  std::string away_;  ///< the pod that restarts
  std::int64_t required_;
};

}  // namespace ballast::operators
