// SPDX-License-Identifier: BSD-2-Clause
#include "ballast/kube/object.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <utility>

namespace ballast::kube {
namespace {

using doc::Tree;

using Texts = std::map<std::string, std::string>;

tl::unexpected<Error> wrong_kind(std::string_view path, const Tree& node,
                                 std::string_view expected) {
  const std::string shown = node.is_scalar() && !node.is_null()
                                ? quoted(node.text())
                                : std::string(to_string(node.kind()));
  return fail(fmt::format("{}: {}: expected {}", path, shown, expected), node.place());
}

Status read_text(const Tree& map, std::string_view prefix, std::string_view key,
                 std::string& text) {
  const Tree* node = map.find(key);
  if (node == nullptr || node->is_null()) return {};
  if (node->kind() != Tree::Kind::String)
    return wrong_kind(fmt::format("{}{}", prefix, key), *node, "text");
  text = node->text();
  return {};
}

Status read_texts(const Tree& metadata, std::string_view key, Texts& texts) {
  const Tree* map = metadata.find(key);
  if (map == nullptr || map->is_null()) return {};
  const std::string path = fmt::format("metadata.{}", key);
  if (!map->is_map()) return wrong_kind(path, *map, "a mapping");
  for (const auto& [name, value] : map->entries()) {
    if (value.kind() != Tree::Kind::String)
      return wrong_kind(fmt::format("{}.{}", path, name), value, "text");
    texts.emplace(name, value.text());
  }
  return {};
}

Status read_inner(const Tree& metadata, ObjectMeta& result) {
  const std::pair<std::string_view, std::string*> fields[] = {
      {"name", &result.name},
      {"namespace", &result.name_space},
      {"uid", &result.uid},
      {"creationTimestamp", &result.creation_timestamp},
      {"deletionTimestamp", &result.deletion_timestamp}};
  for (const auto& [key, text] : fields) {
    if (Status status = read_text(metadata, "metadata.", key, *text); !status) return status;
  }
  if (Status status = read_texts(metadata, "labels", result.labels); !status) return status;
  if (Status status = read_texts(metadata, "annotations", result.annotations); !status)
    return status;
  const Tree* generation = metadata.find("generation");
  if (generation == nullptr || generation->is_null()) return {};
  const auto value = generation->as_int();
  if (!value) return wrong_kind("metadata.generation", *generation, "a whole number");
  result.generation = *value;
  return {};
}

/// Reads fixed-width numbers and signs from the front of a text.
class Cursor {
 public:
  explicit Cursor(std::string_view text) : text_(text) {}

  std::optional<int> number(std::size_t digits) {
    if (text_.size() < digits) return std::nullopt;
    int value = 0;
    for (const char c : text_.substr(0, digits)) {
      if (c < '0' || c > '9') return std::nullopt;
      value = value * 10 + (c - '0');
    }
    text_.remove_prefix(digits);
    return value;
  }

  /// One of `characters`; '\0' where the next is none.
  char one_of(std::string_view characters) {
    if (text_.empty() || characters.find(text_.front()) == std::string_view::npos) return '\0';
    const char c = text_.front();
    text_.remove_prefix(1);
    return c;
  }

  std::size_t skip_digits() {
    std::size_t count = 0;
    while (one_of("0123456789") != '\0') ++count;
    return count;
  }

  [[nodiscard]] bool at_end() const { return text_.empty(); }

 private:
  std::string_view text_;
};

std::optional<std::chrono::sys_days> read_date(Cursor& cursor) {
  const auto year = cursor.number(4);
  if (!year || cursor.one_of("-") == '\0') return std::nullopt;
  const auto month = cursor.number(2);
  if (!month || cursor.one_of("-") == '\0') return std::nullopt;
  const auto day = cursor.number(2);
  if (!day) return std::nullopt;
  const std::chrono::year_month_day date(std::chrono::year(*year),
                                         std::chrono::month(static_cast<unsigned>(*month)),
                                         std::chrono::day(static_cast<unsigned>(*day)));
  return date.ok() ? std::optional(std::chrono::sys_days(date)) : std::nullopt;
}

/// Seconds of the day; 60 is a leap second.
std::optional<int> read_clock(Cursor& cursor) {
  const auto hour = cursor.number(2);
  if (!hour || *hour > 23 || cursor.one_of(":") == '\0') return std::nullopt;
  const auto minute = cursor.number(2);
  if (!minute || *minute > 59 || cursor.one_of(":") == '\0') return std::nullopt;
  const auto second = cursor.number(2);
  if (!second || *second > 60) return std::nullopt;
  if (cursor.one_of(".") != '\0' && cursor.skip_digits() == 0) return std::nullopt;
  return (*hour * 60 + *minute) * 60 + *second;
}

std::optional<int> read_offset(Cursor& cursor) {
  if (cursor.one_of("Zz") != '\0') return 0;
  const char sign = cursor.one_of("+-");
  if (sign == '\0') return std::nullopt;
  const auto hour = cursor.number(2);
  if (!hour || *hour > 23 || cursor.one_of(":") == '\0') return std::nullopt;
  const auto minute = cursor.number(2);
  if (!minute || *minute > 59) return std::nullopt;
  const int seconds = (*hour * 60 + *minute) * 60;
  return sign == '-' ? -seconds : seconds;
}

}  // namespace

Result<ObjectMeta> read_metadata(const Tree& object) {
  if (!object.is_map()) return wrong_kind("object", object, "a mapping");
  ObjectMeta result;
  if (Status status = read_text(object, "", "apiVersion", result.api_version); !status)
    return fail(status.error());
  if (Status status = read_text(object, "", "kind", result.kind); !status)
    return fail(status.error());
  const Tree* metadata = object.find("metadata");
  if (metadata == nullptr || metadata->is_null()) return result;
  if (!metadata->is_map()) return wrong_kind("metadata", *metadata, "a mapping");
  if (Status status = read_inner(*metadata, result); !status) return fail(status.error());
  return result;
}

bool is_object_name(std::string_view name) {
  constexpr std::size_t kLongest = 253;
  const auto is_alphanumeric = [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9');
  };
  return !name.empty() && name.size() <= kLongest && is_alphanumeric(name.front()) &&
         is_alphanumeric(name.back()) && std::ranges::all_of(name, [&](char c) {
           return is_alphanumeric(c) || c == '-' || c == '.';
         });
}

std::optional<std::int64_t> parse_time(std::string_view text) {
  Cursor cursor(text);
  const auto date = read_date(cursor);
  if (!date || cursor.one_of("Tt ") == '\0') return std::nullopt;
  const auto clock = read_clock(cursor);
  if (!clock) return std::nullopt;
  const auto offset = read_offset(cursor);
  if (!offset || !cursor.at_end()) return std::nullopt;
  return std::int64_t{date->time_since_epoch().count()} * 86400 + *clock - *offset;
}

std::string format_time(std::int64_t seconds) {
  const auto time = std::chrono::sys_seconds(std::chrono::seconds(seconds));
  const auto day = std::chrono::floor<std::chrono::days>(time);
  const std::chrono::year_month_day date(day);
  const auto rest = (time - day).count();
  return fmt::format("{:04}-{:02}-{:02}T{:02}:{:02}:{:02}Z", static_cast<int>(date.year()),
                     static_cast<unsigned>(date.month()), static_cast<unsigned>(date.day()),
                     rest / 3600, rest / 60 % 60, rest % 60);
}

}  // namespace ballast::kube
