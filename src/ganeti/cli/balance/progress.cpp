// SPDX-License-Identifier: BSD-2-Clause
#include "progress.hpp"

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

bool Progress::is_due() {
  if (!is_terminal_ || std::chrono::steady_clock::now() < next_) return false;
  next_ = std::chrono::steady_clock::now() + kBetween;
  return is_shown_ = true;
}

void Progress::step(std::size_t number, double score) {
  if (is_due()) output_.note(fmt::format("\r\x1b[Kstep {}, score {}", number, fixed(score, 8)));
}

void Progress::search(double score, std::int64_t trials) {
  if (is_due())
    output_.note(fmt::format("\r\x1b[K{} changes tried, score {}", trials, fixed(score, 8)));
}

}  // namespace ballast::ganeti::cli
