// SPDX-License-Identifier: BSD-2-Clause
// What is wrong with an input, all of it at once.
#pragma once

#include <cstddef>
#include <set>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

#include "ballast/core/error.hpp"

namespace ballast::operators {

struct Diagnostic {
  std::string code;  ///< the tool's own: "F004", "E009"
  std::string path;  ///< "spec.replicas"; "-" or empty: none
  std::string message;
  Place place = {};  ///< empty file: none
  Fault fault = Fault::Input;
  friend bool operator==(const Diagnostic&, const Diagnostic&) = default;
};

/// Collects; reading goes on as far as it makes sense, so that all is reported at once. What is
/// said twice of one place (several parts may inherit it) is kept once.
class Diagnostics {
 public:
  static constexpr std::size_t kMostTold = 20;

  void add(std::string code, std::string path, std::string message, Place place = {});
  [[nodiscard]] bool empty() const { return all_.empty(); }
  /// What has no place first; then by file in the order in which files were first named (to rank()
  /// or by a diagnostic), line, column, code, path and message.
  [[nodiscard]] std::vector<Diagnostic> sorted() const;
  /// For people: of more than kMostTold the first, and one that counts the rest.
  [[nodiscard]] std::vector<Diagnostic> told() const;
  void rank(const std::string& file);

 private:
  [[nodiscard]] std::size_t rank_of(const std::string& file) const;

  std::vector<Diagnostic> all_;
  std::vector<std::string> files_;
  /// What was told with its place: code, message, file, line, column.
  std::set<std::tuple<std::string, std::string, std::string, std::size_t, std::size_t>> placed_;
};

/// "FILE:LINE:COL: CODE PATH: MESSAGE", with "-" for a place or path that there is not.
std::string to_string(const Diagnostic& diagnostic);
std::vector<std::string> lines_of(const std::vector<Diagnostic>& diagnostics);

/// What an assignment of --set made wrong is told of it, not of the file around it.
std::string blamed_on(const std::string& assignment, const std::string& message);

}  // namespace ballast::operators
