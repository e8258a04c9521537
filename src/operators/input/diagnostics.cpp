// SPDX-License-Identifier: BSD-2-Clause
#include "ballast/operators/input/diagnostics.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "ballast/core/visible.hpp"

namespace ballast::operators {

void Diagnostics::add(std::string code, std::string path, std::string message, Place place) {
  const bool is_first = place.line == 0 ||
                        placed_.emplace(code, message, place.file, place.line, place.column).second;
  if (!is_first) return;
  rank(place.file);
  all_.push_back({std::move(code), std::move(path), std::move(message), std::move(place)});
}

void Diagnostics::rank(const std::string& file) {
  if (!file.empty() && std::ranges::find(files_, file) == files_.end()) files_.push_back(file);
}

std::size_t Diagnostics::rank_of(const std::string& file) const {
  if (file.empty()) return 0;
  return static_cast<std::size_t>(std::ranges::find(files_, file) - files_.begin()) + 1;
}

std::vector<Diagnostic> Diagnostics::sorted() const {
  std::vector<Diagnostic> result = all_;
  std::ranges::stable_sort(result, [this](const Diagnostic& a, const Diagnostic& b) {
    const auto key = [this](const Diagnostic& d) {
      return std::tuple(rank_of(d.place.file), d.place.line, d.place.column,
                        std::string_view(d.code), std::string_view(d.path),
                        std::string_view(d.message));
    };
    return key(a) < key(b);
  });
  result.erase(std::unique(result.begin(), result.end()), result.end());
  return result;
}

std::vector<Diagnostic> Diagnostics::told() const {
  std::vector<Diagnostic> result = sorted();
  if (result.size() <= kMostTold) return result;
  const std::size_t more = result.size() - kMostTold;
  result.resize(kMostTold);
  result.push_back({"MORE", "-", fmt::format("{} more errors are not listed", more)});
  return result;
}

std::string to_string(const Diagnostic& diagnostic) {
  const std::string place = to_string(diagnostic.place);
  // Keys and texts of the input are part of it: one line, whatever is in them.
  return visible(fmt::format("{}: {} {}: {}", place.empty() ? "-" : place, diagnostic.code,
                             diagnostic.path.empty() ? "-" : diagnostic.path, diagnostic.message));
}

std::vector<std::string> lines_of(const std::vector<Diagnostic>& diagnostics) {
  std::vector<std::string> lines;
  for (const Diagnostic& diagnostic : diagnostics) lines.push_back(to_string(diagnostic));
  return lines;
}

std::string blamed_on(const std::string& assignment, const std::string& message) {
  return fmt::format("--set {}: {}", quoted(assignment), message);
}

}  // namespace ballast::operators
