// SPDX-License-Identifier: BSD-2-Clause
// Dates of snapshots: written out, or within the names of files.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace ballast::ganeti::cli {

/// Days since 1970-01-01 of the first date within the text, YYYY-MM-DD or YYYYMMDD, where no other
/// digits stand around it; a time of day may follow as THH:MM, THHMM, _HHMM or -HHMM. None: no
/// date.
std::optional<double> find_date(std::string_view text);

/// "2026-11-28".
std::string date_text(std::int64_t day);

}  // namespace ballast::ganeti::cli
