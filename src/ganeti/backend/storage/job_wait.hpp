// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <algorithm>
#include <chrono>
#include <string>
#include <thread>

#include "ballast/core/result.hpp"

namespace ballast::ganeti {

/// Calls `has_ended` (Result<bool>) until it is true, with growing pauses.
template <class HasEnded>
Status wait_for_job(const std::string& job, std::chrono::seconds timeout, HasEnded has_ended) {
  using std::chrono::steady_clock;
  constexpr std::chrono::milliseconds kLongestPause{1000};
  const auto deadline = steady_clock::now() + timeout;
  for (std::chrono::milliseconds pause{50};; pause = std::min(pause * 2, kLongestPause)) {
    const Result<bool> ended = has_ended();
    if (!ended) return fail(ended.error());
    if (*ended) return {};
    if (steady_clock::now() > deadline)
      return fail("job " + job + " has not ended within " + std::to_string(timeout.count()) + " s");
    std::this_thread::sleep_for(pause);
  }
}

}  // namespace ballast::ganeti
