// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include "ballast/core/error.hpp"

#include <cstddef>
#include <set>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

namespace ballast::tidb {

/// One thing that is wrong with the input: a code (E001 ...), the path of the value, what was
/// expected.
struct Diagnostic {
  std::string code;
  std::string path;
  std::string message;
  Place place;
  std::size_t file_rank = 0;  // files in the order given; 0: no place

  friend bool operator==(const Diagnostic&, const Diagnostic&) = default;
};

/// Everything that is wrong, collected; reading goes on as far as it makes sense, so that all is
/// reported at once.
class Diagnostics {
 public:
  void add(std::string code, std::string path, std::string message, Place place = {});
  [[nodiscard]] bool empty() const { return all_.empty(); }
  /// Sorted by file, line, column, code, path; equal ones once.
  [[nodiscard]] std::vector<Diagnostic> sorted() const;
  /// For people: of more than kMostTold the first, and one that counts the rest.
  [[nodiscard]] std::vector<Diagnostic> told() const;
  static constexpr std::size_t kMostTold = 20;
  /// Files rank in the order in which they are named here.
  void rank(const std::string& file);

 private:
  std::vector<Diagnostic> all_;
  std::vector<std::string> files_;
  /// What was told with its place: code, message, file, line, column.
  std::set<std::tuple<std::string, std::string, std::string, std::size_t, std::size_t>> placed_;
};

/// "FILE:LINE:COL: CODE PATH: MESSAGE", with "-" for a place that is not known.
std::string to_string(const Diagnostic& diagnostic);

}  // namespace ballast::tidb
