// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <span>
#include <string>

#include "ballast/core/finding.hpp"

namespace ballast::ganeti::cli {

/// "Doctor: ..." and for each finding its severity, code and sentence, then what to do, indented;
/// the most severe first.
std::string doctor_text(std::span<const Finding> findings);

}  // namespace ballast::ganeti::cli
