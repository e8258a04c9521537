// SPDX-License-Identifier: BSD-2-Clause
#include "ballast/operators/plan/pod_state.hpp"

#include <algorithm>

namespace ballast::operators {

std::optional<plan::Problem> PodState::apply(const plan::Step& step) {
  const bool is_new = step.action == "create-pod";
  const bool is_gone = step.action == "delete-pod";
  const bool is_again = step.action == "restart-pod";
  away_.clear();
  if (!is_new && !is_gone && !is_again) return std::nullopt;
  const std::string& name = step.subject.name;
  if (is_new && is_ready_.contains(name))
    return plan::Problem{plan::ProblemKind::OtherState, "pod " + name + " is there already"};
  if (!is_new && !is_ready_.contains(name))
    return plan::Problem{plan::ProblemKind::UnknownName, "there is no pod " + name};
  if (is_gone) {
    is_ready_.erase(name);
    return std::nullopt;
  }
  is_ready_[name] = true;
  if (is_again) away_ = name;
  return std::nullopt;
}

std::vector<std::string> PodState::at_stake(const plan::Step& /*step*/) { return {}; }

std::vector<plan::Margin> PodState::margins() const {
  const auto left = std::ranges::count_if(
      is_ready_, [this](const auto& pod) { return pod.second && pod.first != away_; });
  return {{"replicas", "ready pods", left, required_}};
}

}  // namespace ballast::operators
