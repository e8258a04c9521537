// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include "ballast/ganeti/cli/options/output.hpp"

#include <chrono>
#include <cstddef>
#include <cstdint>

namespace ballast::ganeti::cli {

/// One line on standard error that is overwritten as a long search goes on; only on a terminal,
/// only after the first second. It is wiped out by the destructor.
class Progress {
 public:
  explicit Progress(Output& output);
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;
  ~Progress();
  void step(std::size_t number, double score);
  void search(double score, std::int64_t trials);

 private:
  [[nodiscard]] bool is_due();

  Output& output_;
  bool is_terminal_;
  bool is_shown_ = false;
  std::chrono::steady_clock::time_point next_;
};

}  // namespace ballast::ganeti::cli
