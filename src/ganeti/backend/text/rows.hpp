// SPDX-License-Identifier: BSD-2-Clause
// Lines, sections and fields of the text format.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "ballast/core/result.hpp"

namespace ballast::ganeti {

using Lines = std::span<const std::string_view>;

/// Groups, nodes, instances, cluster tags, policies; the last may be empty because it is missing.
struct Sections {
  std::vector<std::string_view> lines;  ///< of the whole file, empty ones too
  std::array<Lines, 5> at;

  /// Counted from 1; `line` must be one of `lines`' elements.
  [[nodiscard]] std::size_t line_number(const std::string_view& line) const {
    return static_cast<std::size_t>(&line - lines.data()) + 1;
  }
};

/// Fails with the reference's words where there are fewer than four sections.
Result<Sections> split_sections(std::string_view content);

/// The first fields of a line, and what follows the last bar that was looked at.
struct Fields {
  static constexpr std::size_t kMost = 15;
  std::array<std::string_view, kMost> at;
  std::size_t count = 0;
  bool has_rest = false;
  std::string_view rest;  ///< after bar number `most`

  /// The field, or `missing` where the line ends earlier.
  [[nodiscard]] std::string_view get(std::size_t index, std::string_view missing) const {
    return index < count ? at[index] : missing;
  }
};
Fields split_fields(std::string_view line, std::size_t most);

/// The place and byte of the first error that first_invalid_utf8 found.
Error invalid_utf8(std::string_view content, std::size_t offset, const std::string& file);

std::vector<std::string> comma_list(std::string_view text);

/// Reads the fields of one row; after the first error all further reads are harmless and the error
/// stays.
class RowReader {
 public:
  explicit RowReader(std::string_view label) : label_(label) {}

  std::int64_t integer(std::string_view text) { return integer(label_, text); }
  double real(std::string_view text) { return real(label_, text); }
  std::int64_t integer(std::string_view label, std::string_view text);
  double real(std::string_view label, std::string_view text);

  /// `message` is called only where the condition does not hold.
  template <class Make>
  void require(bool holds, Make message) {
    if (!holds && !failed()) error_ = Error{message(), {}, Fault::Input};
  }
  void fail_with(Error error) {
    if (!failed()) error_ = std::move(error);
  }

  [[nodiscard]] bool failed() const { return error_.has_value(); }
  /// Precondition: failed().
  [[nodiscard]] const Error& error() const { return *error_; }

 private:
  std::string_view label_;
  std::optional<Error> error_;
};

}  // namespace ballast::ganeti
