// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include "ballast/report/document.hpp"
#include "ballast/tidb/search/basis/input.hpp"

#include <vector>

namespace ballast::tidb {

/// sets, services, pods, stores, members and failures, in the order of sets; null for what is not
/// given. Store and member ids are texts (they need 64 bits).
std::vector<report::DataTable> show_tables(const Input& input);

}  // namespace ballast::tidb
