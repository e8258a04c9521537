// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include "ballast/core/error.hpp"
#include "ballast/tidb/backend/load.hpp"
#include "ballast/tidb/cli/settings.hpp"
#include "ballast/tidb/search/basis/input.hpp"

#include <optional>

namespace ballast::tidb {

/// Reads the files that the settings name into settings.load; the first that cannot be read.
std::optional<Error> read_files(Settings& settings);

/// What is planned on. Without --now: the newest time that the input tells, else the clock.
Input input_of(const Loaded& loaded, const Settings& settings);

}  // namespace ballast::tidb
