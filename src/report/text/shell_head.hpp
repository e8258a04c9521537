// SPDX-License-Identifier: BSD-2-Clause
// What every script begins with.
#pragma once

#include <cstddef>
#include <string>

namespace ballast::report {

struct ScriptHead {
  std::size_t steps = 0;    ///< 0: there is nothing to go through
  bool has_gates = false;   ///< some step is waited for
  bool has_checks = false;  ///< the state before some step is looked at
  std::string tools;        ///< programs without which no gate can be read, by blanks
};

/// Options (--resume-from, --timeout, --interval), and the functions begin, unexpected, failed and
/// await that the steps are made of.
std::string script_functions(const ScriptHead& head);

}  // namespace ballast::report
