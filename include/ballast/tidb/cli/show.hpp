// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include "ballast/core/value.hpp"
#include "ballast/tidb/search/input.hpp"

#include <string>

namespace ballast::tidb {

/// What there is: sets, services, pods, stores, members, failures, and below them what does not
/// agree.
std::string show_text(const Input& input);
Value show_value(const Input& input);

}  // namespace ballast::tidb
