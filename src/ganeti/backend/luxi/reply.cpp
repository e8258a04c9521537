// SPDX-License-Identifier: BSD-2-Clause
#include "ballast/ganeti/backend/luxi/reply.hpp"

#include <fmt/format.h>

#include <array>

#include "exception.hpp"

namespace ballast::ganeti {
namespace {

using json::Kind;
using json::Value;

constexpr std::string_view kUnhandled = "Unhandled Ganeti error: ";
constexpr std::string_view kReplacement = "\xEF\xBF\xBD";

/// By number; the state 0 has a value.
constexpr std::array<std::string_view, 5> kStates{"", "Unknown field", "No data for a field",
                                                  "Ganeti reports unavailable data",
                                                  "Ganeti reports resource as offline"};

std::string unconvertible(Value value, std::string_view message) {
  return fmt::format("Cannot convert value '{}', error: {}", json::pretty(value), message);
}

Result<LuxiRow> row_of(Value value) {
  if (!value.is(Kind::Array))
    return fail("Invalid query row result, expected array but got " + json::internal(value));
  LuxiRow row;
  Value cell = value.first();
  for (std::uint32_t left = value.size(); left > 0; --left, cell = cell.after()) {
    if (!cell.is(Kind::Array) || cell.size() != 2) {
      return fail("Invalid query field, expected (status, value) but got " + json::internal(cell));
    }
    row.push_back({cell.first(), cell.first().after()});
  }
  return row;
}

}  // namespace

Result<LuxiReply> parse_luxi_reply(std::string answer) {
  if (answer.find(kReplacement) != std::string::npos)
    return fail(std::string(kUnhandled) + std::string(kUndecodable));
  auto document = json::Document::parse(std::move(answer));
  if (!document) {
    if (document.error().message == json::kBadBytes)
      return fail(std::string(kUnhandled) + std::string(kUndecodable));
    return fail(fmt::format("{}Parsing LUXI response: {}", kUnhandled, document.error().message));
  }
  const auto object = json::to_object((*document)->root());
  if (!object) {
    return fail(fmt::format("{}Parsing LUXI response: {}", kUnhandled, object.error().message));
  }
  const auto is_good = json::required(*object, "success", json::to_bool);
  if (!is_good) return fail(std::string(kUnhandled) + is_good.error().message);
  const auto result = json::required(*object, "result");
  if (!result) return fail(std::string(kUnhandled) + result.error().message);
  if (!*is_good) return fail(exception_text(*result));
  return LuxiReply{std::move(*document), *result};
}

Result<std::vector<LuxiRow>> luxi_rows(Value result) {
  if (!result.is(Kind::Object))
    return fail("Invalid input, expected dict entry but got " + json::internal(result));
  const auto data = json::required(result, "data");
  if (!data) return fail(data.error());
  if (!data->is(Kind::Array))
    return fail("Invalid query result, expected array but got " + json::internal(*data));
  std::vector<LuxiRow> rows;
  Value element = data->first();
  for (std::uint32_t left = data->size(); left > 0; --left, element = element.after()) {
    auto row = row_of(element);
    if (!row) return fail(std::move(row.error()));
    rows.push_back(std::move(*row));
  }
  return rows;
}

std::string internal(const LuxiRow& row) {
  std::string text = "[";
  for (const LuxiCell& cell : row) {
    if (text.size() > 1) text += ',';
    text += '(' + json::internal(cell.status) + ',' + json::internal(cell.value) + ')';
  }
  return text + ']';
}

Status LuxiFields::check(std::size_t index) const {
  const Value status = row_[index].status;
  const auto number = json::to_int(status);
  if (!number) {
    return fail(
        unconvertible(status, "Can't parse value for 'ResultStatus': " + number.error().message));
  }
  if (*number < 0 || *number >= static_cast<std::int64_t>(kStates.size())) {
    return fail(unconvertible(
        status, fmt::format("Invalid string value for type ResultStatus: {}", *number)));
  }
  if (*number != 0) return fail(std::string(kStates[static_cast<std::size_t>(*number)]));
  return {};
}

std::string LuxiFields::conversion_error(std::size_t index, std::string_view message) const {
  return unconvertible(row_[index].value, message);
}

Error LuxiFields::owned(std::string_view attribute, Error error) const {
  error.message = fmt::format("{} '{}', error while reading attribute '{}': {}", kind_, name_,
                              attribute, error.message);
  return error;
}

}  // namespace ballast::ganeti
