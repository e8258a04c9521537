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

void make_pod_well(LivePod& pod) {
  pod.ready = true;
  pod.healthy = true;
  pod.running = true;
  pod.scheduled = true;
  pod.waiting_reason.clear();
  pod.not_ready_since.reset();
  pod.unhealthy_since.reset();
  pod.ready_since.reset();
}

std::string stuck_because(const LivePod& pod, std::optional<Time> since,
                          const PlanOptions& options) {
  const bool too_long = since && options.now - *since > options.stuck_after_s;
  if (!is_stuck_reason(pod.waiting_reason) && pod.scheduled && !too_long) return "";
  if (!pod.waiting_reason.empty()) return pod.waiting_reason;
  if (!pod.scheduled) return "it is not scheduled";
  return fmt::format("it is not well for longer than {} s", options.stuck_after_s);
}

bool has_lost_majority(const Live& live) {
  const auto all = static_cast<std::int64_t>(live.members.size());
  return all > 0 && live.healthy_members() * 2 <= all;
}

void regain_majority(Live& live) {
  std::vector<Member*> sick;
  for (Member& member : live.members) {
    if (!member.healthy) sick.push_back(&member);
  }
  std::ranges::sort(sick, {}, &Member::name);
  for (Member* member : sick) {
    if (!has_lost_majority(live)) return;
    member->healthy = true;
    member->since.reset();
    for (LiveSet& set : live.of(Component::Pd)) {
      const auto pod = std::ranges::find(set.pods, member->name, &LivePod::name);
      if (pod != set.pods.end()) make_pod_well(*pod);
    }
  }
}

}  // namespace ballast::tidb
