// SPDX-License-Identifier: BSD-2-Clause
// What is wrong with an input, all of it at once.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "ballast/core/error.hpp"

namespace ballast::fdb {

struct Finding {
  Place place;       ///< empty file: none
  std::string code;  ///< F001...F019
  std::string path;  ///< "spec.processCounts.storage"; may be empty
  std::string message;
};

class Findings {
 public:
  void add(std::string code, const Place& place, std::string path, std::string message);
  /// An error of the YAML or JSON reader: F019 where it is about size or depth, F001 otherwise.
  void add(const Error& error);
  [[nodiscard]] bool any() const { return !list_.empty(); }
  /// By file in the order in which files were first named to `order`, line, column, code.
  [[nodiscard]] std::vector<Finding> sorted() const;
  /// For people: of more than 20 the first, and one that counts the rest.
  [[nodiscard]] std::vector<Finding> told() const;
  void order(const std::string& file);

 private:
  [[nodiscard]] std::size_t rank(const std::string& file) const;
  std::vector<Finding> list_;
  std::vector<std::string> files_;
};

/// "FILE:LINE:COL: CODE PATH: MESSAGE", with "-" for a place or path that there is not.
std::string to_string(const Finding& finding);

}  // namespace ballast::fdb
