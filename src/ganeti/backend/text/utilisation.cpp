// SPDX-License-Identifier: BSD-2-Clause
#include <fmt/format.h>

#include <algorithm>

#include "ballast/core/strings.hpp"
#include "ballast/core/utf8.hpp"
#include "ballast/ganeti/backend/text/text.hpp"
#include "rows.hpp"

namespace ballast::ganeti {

Error invalid_utf8(std::string_view content, std::size_t offset, const std::string& file) {
  const std::string_view before = content.substr(0, offset);
  const std::size_t newline = before.rfind('\n');
  const auto lines = static_cast<std::size_t>(std::count(before.begin(), before.end(), '\n'));
  const std::size_t column = newline == std::string_view::npos ? offset : offset - newline - 1;
  return Error{fmt::format("byte {} is not UTF-8", quoted(content.substr(offset, 1))),
               {file, lines + 1, column + 1},
               Fault::Input};
}

Result<std::vector<Utilisation>> read_utilisation(std::string_view content,
                                                  const std::string& file) {
  constexpr std::size_t kColumns = 5;
  if (const std::size_t bad = first_invalid_utf8(content); bad != std::string_view::npos) {
    return fail(invalid_utf8(content, bad, file));
  }
  std::vector<Utilisation> entries;
  while (!content.empty()) {
    const std::size_t end = content.find('\n');
    const std::string_view line = content.substr(0, end);
    content.remove_prefix(end == std::string_view::npos ? content.size() : end + 1);
    const std::vector<std::string_view> fields = split(line, ' ');
    if (fields.size() != kColumns) return fail(fmt::format("Cannot parse line {}", line));
    RowReader row(fields[0]);
    Utilisation entry{std::string(fields[0]), {}};
    entry.load.cpu = row.real(fields[1]);
    entry.load.mem = row.real(fields[2]);
    entry.load.disk = row.real(fields[3]);
    entry.load.net = row.real(fields[4]);
    if (row.failed()) return fail(row.error());
    entries.push_back(std::move(entry));
  }
  return entries;
}

}  // namespace ballast::ganeti
