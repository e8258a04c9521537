// SPDX-License-Identifier: BSD-2-Clause
#include "ballast/ganeti/cli/progress.hpp"

#include "ballast/core/decimal.hpp"

#include <fmt/format.h>

#include <unistd.h>

namespace ballast::ganeti::cli {
namespace {

constexpr std::chrono::milliseconds kSilence{1000};
constexpr std::chrono::milliseconds kBetween{200};

}  // namespace

Progress::Progress(Output& output)
    : output_(output),
      is_terminal_(::isatty(STDERR_FILENO) == 1),
      next_(std::chrono::steady_clock::now() + kSilence) {}

Progress::~Progress() {
  if (is_shown_) output_.note("\r\x1b[K");
}

void Progress::step(std::size_t number, double score) {
  if (!is_terminal_ || std::chrono::steady_clock::now() < next_) return;
  next_ = std::chrono::steady_clock::now() + kBetween;
  is_shown_ = true;
  output_.note(fmt::format("\r\x1b[Kstep {}, score {}", number, fixed(score, 8)));
}

}  // namespace ballast::ganeti::cli
