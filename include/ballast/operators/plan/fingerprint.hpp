// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <string>
#include <string_view>

#include <fmt/format.h>

namespace ballast::operators {

/// Tells by one text whether two models are the same: what a plan depends on goes in, in a fixed
/// order, one line each.
class Fingerprint {
 public:
  /// Without a line break.
  void add(std::string_view text) { text_.append(text); }
  void line(std::string_view text) { text_.append(text).push_back('\n'); }
  /// "KEY=VALUE".
  template <class T>
  void put(std::string_view key, const T& value) {
    line(fmt::format("{}={}", key, value));
  }
  /// "KEY.NAME=VALUE" for each entry of a map of texts.
  template <class Map>
  void put_all(std::string_view key, const Map& entries) {
    for (const auto& [name, value] : entries) line(fmt::format("{}.{}={}", key, name, value));
  }
  /// SHA-256 of the lines, in hexadecimal digits.
  [[nodiscard]] std::string hex() const;

 private:
  std::string text_;
};

}  // namespace ballast::operators
