// SPDX-License-Identifier: BSD-2-Clause
#include "text.hpp"

#include "ballast/core/json_string.hpp"
#include "ballast/core/visible.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <cstdint>

namespace ballast::report {
namespace {

constexpr std::int64_t kLargestExact = std::int64_t{1} << 53;

void append_string(std::string& all, std::string_view text) {
  all += json_string(text, [](std::string& out, char32_t code, std::string_view bytes) {
    if (code == U'\n' || code == U'\t') {
      out += json_short_escape(code);
    } else if (is_hidden(code)) {
      out += json_escape(code);
    } else {
      out += code == 0xFFFD ? "\xEF\xBF\xBD" : bytes;
    }
  });
}

void append_double(std::string& out, double value) {
  if (std::isnan(value)) {
    out += "\"NaN\"";
  } else if (std::isinf(value)) {
    out += value > 0 ? "\"Infinity\"" : "\"-Infinity\"";
  } else {
    std::array<char, 32> buffer{};
    const auto end = std::to_chars(buffer.data(), buffer.data() + buffer.size(), value).ptr;
    const std::string_view digits(buffer.data(), static_cast<std::size_t>(end - buffer.data()));
    out += digits;
    // Without it a reader would take 2.0 for an integer.
    if (digits.find_first_of(".e") == std::string_view::npos) out += ".0";
  }
}

class Writer {
 public:
  explicit Writer(bool is_canonical) : is_canonical_(is_canonical) {}

  std::string run(const Value& value) {
    write(value, 0);
    return std::move(out_);
  }

 private:
  void write(const Value& value, std::size_t depth) {
    if (value.is_null()) {
      out_ += "null";
    } else if (const auto* flag = value.get<bool>()) {
      out_ += *flag ? "true" : "false";
    } else if (const auto* integer = value.get<std::int64_t>()) {
      const bool is_exact = *integer <= kLargestExact && *integer >= -kLargestExact;
      out_ += is_exact ? fmt::format("{}", *integer) : fmt::format("\"{}\"", *integer);
    } else if (const auto* number = value.get<double>()) {
      append_double(out_, *number);
    } else if (const auto* text = value.get<std::string>()) {
      append_string(out_, *text);
    } else if (const auto* list = value.get<ValueList>()) {
      write_list(*list, depth);
    } else if (const auto* map = value.get<ValueMap>()) {
      write_map(*map, depth);
    }
  }

  void write_list(const ValueList& list, std::size_t depth) {
    out_ += '[';
    for (const Value& item : list) {
      if (&item != &list.front()) out_ += ',';
      break_line(depth + 1);
      write(item, depth + 1);
    }
    if (!list.empty()) break_line(depth);
    out_ += ']';
  }

  void write_map(const ValueMap& map, std::size_t depth) {
    std::vector<const ValueMap::value_type*> entries;
    entries.reserve(map.size());
    for (const auto& entry : map) entries.push_back(&entry);
    if (is_canonical_) {
      std::ranges::stable_sort(
          entries, {}, [](const auto* entry) -> const std::string& { return entry->first; });
    }
    out_ += '{';
    for (const auto* entry : entries) {
      if (entry != entries.front()) out_ += ',';
      break_line(depth + 1);
      append_string(out_, entry->first);
      out_ += is_canonical_ ? ":" : ": ";
      write(entry->second, depth + 1);
    }
    if (!map.empty()) break_line(depth);
    out_ += '}';
  }

  void break_line(std::size_t depth) {
    if (is_canonical_) return;
    out_ += '\n';
    out_.append(2 * depth, ' ');
  }

  bool is_canonical_;
  std::string out_;
};

}  // namespace

std::string json_indented(const Value& value) { return Writer(false).run(value); }

std::string json_canonical(const Value& value) { return Writer(true).run(value); }

}  // namespace ballast::report
