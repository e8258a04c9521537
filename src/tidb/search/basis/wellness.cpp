// SPDX-License-Identifier: BSD-2-Clause
#include "ballast/tidb/search/basis/wellness.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <string_view>

namespace ballast::tidb {

namespace {

/// Container states that do not pass by themselves.
bool is_stuck_reason(std::string_view reason) {
  static constexpr std::array<std::string_view, 5> kReasons{"ImagePullBackOff", "ErrImagePull",
                                                            "InvalidImageName", "CrashLoopBackOff",
                                                            "CreateContainerConfigError"};
  return std::ranges::find(kReasons, reason) != kReasons.end();
}

}  // namespace

std::string stuck_because(const LivePod& pod, std::optional<Time> since,
                          const PlanOptions& options) {
  const bool too_long = since && options.now - *since > options.stuck_after_s;
  if (!is_stuck_reason(pod.waiting_reason) && pod.scheduled && !too_long) return "";
  if (!pod.waiting_reason.empty()) return pod.waiting_reason;
  if (!pod.scheduled) return "it is not scheduled";
  return fmt::format("it is not well for longer than {} s", options.stuck_after_s);
}

}  // namespace ballast::tidb
