// SPDX-License-Identifier: BSD-2-Clause
#include "ballast/fdb/backend/finding.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <tuple>
#include <utility>

#include "ballast/kube/reader.hpp"

namespace ballast::fdb {

void Findings::add(std::string code, const Place& place, std::string path, std::string message) {
  order(place.file);
  list_.push_back({place, std::move(code), std::move(path), std::move(message)});
}

void Findings::add(const Error& error) {
  const bool is_too_much =
      kube::is_limit_error(error) || error.message.find("outside of itself") != std::string::npos;
  add(is_too_much ? "F019" : "F001", error.place, "", error.message);
}

void Findings::order(const std::string& file) {
  if (std::find(files_.begin(), files_.end(), file) == files_.end()) files_.push_back(file);
}

std::size_t Findings::rank(const std::string& file) const {
  return static_cast<std::size_t>(std::find(files_.begin(), files_.end(), file) - files_.begin());
}

std::vector<Finding> Findings::sorted() const {
  std::vector<Finding> list = list_;
  std::stable_sort(list.begin(), list.end(), [this](const Finding& a, const Finding& b) {
    const auto key = [this](const Finding& f) {
      return std::tuple(rank(f.place.file), f.place.line, f.place.column, std::string_view(f.code));
    };
    return key(a) < key(b);
  });
  return list;
}

std::vector<Finding> Findings::told() const {
  std::vector<Finding> list = sorted();
  constexpr std::size_t kMostTold = 20;
  if (list.size() <= kMostTold) return list;
  const std::size_t more = list.size() - kMostTold;
  list.resize(kMostTold);
  list.push_back({{}, "MORE", "", fmt::format("{} more errors are not listed", more)});
  return list;
}

std::string to_string(const Finding& finding) {
  const std::string place = to_string(finding.place);
  return fmt::format("{}: {} {}: {}", place.empty() ? "-" : place, finding.code,
                     finding.path.empty() ? "-" : finding.path, finding.message);
}

}  // namespace ballast::fdb
