// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include "ballast/report/document.hpp"
#include "ballast/tidb/search/basis/input.hpp"

#include <string>

namespace ballast::tidb {

/// What there is: sets, services, pods, stores, members, failures, and below them what does not
/// agree.
report::Document show(const Input& input);

/// The same for people; tables without rows are left out.
std::string show_text(const Input& input);

}  // namespace ballast::tidb
