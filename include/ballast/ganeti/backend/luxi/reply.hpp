// SPDX-License-Identifier: BSD-2-Clause
// One LUXI answer: success and result, or an exception of the master's.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "ballast/ganeti/backend/json/json.hpp"

namespace ballast::ganeti {

/// A parsed answer and its "result".
struct LuxiReply {
  std::unique_ptr<json::Document> document;
  json::Value result;
};

/// Errors in the reference's words, for transport, form and the master's own exceptions.
Result<LuxiReply> parse_luxi_reply(std::string answer);

struct LuxiCell {
  json::Value status;
  json::Value value;
};
using LuxiRow = std::vector<LuxiCell>;

/// The rows of a query's result; each is a list of (status, value) pairs.
Result<std::vector<LuxiRow>> luxi_rows(json::Value result);

/// A row in the reference's internal notation.
std::string internal(const LuxiRow& row);

/// The fields of one row, in the order of the request. Errors begin with the owner's name and the
/// attribute's.
class LuxiFields {
 public:
  /// `kind`: "Node"; the name is the owner's.
  LuxiFields(const LuxiRow& row, std::string_view kind, std::string_view name)
      : row_(row), kind_(kind), name_(name) {}

  /// The converted value of the field at `index`, without the owner in its error.
  template <class Convert>
  auto bare(std::size_t index, Convert convert) const -> decltype(convert(json::Value())) {
    if (auto status = check(index); !status) return fail(std::move(status.error()));
    auto value = convert(row_[index].value);
    if (value) return value;
    return fail(conversion_error(index, value.error().message));
  }

  template <class Target, class Convert>
  std::optional<Error> read(Target& target, std::size_t index, std::string_view attribute,
                            Convert convert) const {
    auto value = bare(index, convert);
    if (!value) return owned(attribute, std::move(value.error()));
    target = std::move(*value);
    return std::nullopt;
  }

  /// "Node 'NAME', error while reading attribute 'A': MESSAGE"
  [[nodiscard]] Error owned(std::string_view attribute, Error error) const;

 private:
  /// Status 0, or the words for the other ones.
  [[nodiscard]] Status check(std::size_t index) const;
  [[nodiscard]] std::string conversion_error(std::size_t index, std::string_view message) const;

  const LuxiRow& row_;
  std::string_view kind_;
  std::string_view name_;
};

}  // namespace ballast::ganeti
