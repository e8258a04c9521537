// SPDX-License-Identifier: BSD-2-Clause
#include "ballast/tidb/backend/diagnostics.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <tuple>

namespace ballast::tidb {

void Diagnostics::add(std::string code, std::string path, std::string message, Place place) {
  // What several sets inherit is reported once, where it is written.
  const bool is_first = place.line == 0 ||
                        placed_.emplace(code, message, place.file, place.line, place.column).second;
  if (!is_first) return;
  const auto found = std::ranges::find(files_, place.file);
  const std::size_t file_rank = place.file.empty() || found == files_.end()
                                    ? 0
                                    : static_cast<std::size_t>(found - files_.begin()) + 1;
  all_.push_back(
      {std::move(code), std::move(path), std::move(message), std::move(place), file_rank});
}

void Diagnostics::rank(const std::string& file) {
  if (std::ranges::find(files_, file) == files_.end()) files_.push_back(file);
}

std::vector<Diagnostic> Diagnostics::sorted() const {
  std::vector<Diagnostic> result = all_;
  const auto key = [](const Diagnostic& d) {
    return std::tie(d.file_rank, d.place.line, d.place.column, d.code, d.path, d.message);
  };
  std::ranges::sort(result,
                    [&](const Diagnostic& a, const Diagnostic& b) { return key(a) < key(b); });
  result.erase(std::unique(result.begin(), result.end()), result.end());
  return result;
}

std::vector<Diagnostic> Diagnostics::told() const {
  std::vector<Diagnostic> result = sorted();
  if (result.size() <= kMostTold) return result;
  const std::size_t more = result.size() - kMostTold;
  result.resize(kMostTold);
  result.push_back({"MORE", "-", fmt::format("{} more errors are not listed", more), {}, 0});
  return result;
}

std::string to_string(const Diagnostic& diagnostic) {
  const std::string place = to_string(diagnostic.place);
  return fmt::format("{}: {} {}: {}", place.empty() ? "-" : place, diagnostic.code,
                     diagnostic.path.empty() ? "-" : diagnostic.path, diagnostic.message);
}

}  // namespace ballast::tidb
