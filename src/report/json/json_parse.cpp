// SPDX-License-Identifier: BSD-2-Clause
#include "json_parse.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <charconv>
#include <iterator>

namespace ballast::report {
namespace {

using Json = nlohmann::json;

constexpr std::size_t kDeepest = 100;
constexpr std::int64_t kLargestExact = std::int64_t{1} << 53;

/// Tells through `consumed` how far the reader has come: the events of the JSON library carry no
/// position.
class CountingIterator {
 public:
  using iterator_category = std::input_iterator_tag;
  using value_type = char;
  using difference_type = std::ptrdiff_t;
  using pointer = const char*;
  using reference = const char&;

  CountingIterator(const char* at, const char** consumed) : at_(at), consumed_(consumed) {}
  reference operator*() const { return *at_; }
  CountingIterator& operator++() {
    *consumed_ = ++at_;
    return *this;
  }
  CountingIterator operator++(int) {
    CountingIterator before = *this;
    ++*this;
    return before;
  }
  friend bool operator==(const CountingIterator& a, const CountingIterator& b) {
    return a.at_ == b.at_;
  }
  friend bool operator!=(const CountingIterator& a, const CountingIterator& b) {
    return a.at_ != b.at_;
  }

 private:
  const char* at_;
  const char** consumed_;
};

Place place_of(std::string_view text, const std::string& file, std::size_t offset) {
  const std::string_view before = text.substr(0, offset);
  const std::size_t line_start = before.rfind('\n') + 1;  // npos + 1 == 0
  return {file, static_cast<std::size_t>(std::ranges::count(before, '\n')) + 1,
          offset - line_start + 1};
}

/// What both passes share: the path of the value that comes next, and where it begins.
class Walker {
 public:
  explicit Walker(std::string_view text)
      : text_(text), consumed_(text.data()), end_of_last_(text.data()) {}

  bool run() {
    const char* end = text_.data() + text_.size();
    return Json::sax_parse(CountingIterator(text_.data(), &consumed_),
                           CountingIterator(end, &consumed_), this);
  }

  // The interface that the JSON library asks for.
  bool null() { return take(Value()); }
  bool boolean(bool value) { return take(Value(value)); }
  bool number_integer(Json::number_integer_t value) { return take(Value(value)); }
  bool number_unsigned(Json::number_unsigned_t value) {
    if (value > static_cast<std::uint64_t>(INT64_MAX)) {
      return refuse_integer(std::to_string(value));
    }
    return take(Value(static_cast<std::int64_t>(value)));
  }
  bool number_float(Json::number_float_t value, const std::string& digits) {
    // The library turns an integer that is too long into a double.
    if (digits.find_first_of(".eE") == std::string::npos) {
      return refuse_integer(digits);
    }
    return take(Value(value));
  }
  bool string(std::string& value) { return take(large_integer_or(std::move(value))); }
  bool binary(Json::binary_t& /*value*/) { return false; }
  bool start_object(std::size_t /*count*/) { return open(Value::map()); }
  bool start_array(std::size_t /*count*/) { return open(Value::list()); }
  bool end_object() { return close(); }
  bool end_array() { return close(); }
  bool key(std::string& value) {
    mark();
    path_.back().key = std::move(value);
    return enter_key();
  }
  bool parse_error(std::size_t position, const std::string& token,
                   const Json::exception& exception) {
    std::string_view what = exception.what();
    what = what.substr(0, what.find("; last read: "));
    const std::size_t detail = what.rfind(" - ");
    what = detail == std::string_view::npos ? std::string_view("broken") : what.substr(detail + 3);
    const bool is_cut = what.starts_with("unexpected end of input");
    set_error(position == 0 ? 0 : position - 1,
              is_cut ? fmt::format("not JSON: {}", what)
                     : fmt::format("{}: not JSON: {}", ballast::quoted(token), what));
    return false;
  }

  [[nodiscard]] const std::string& error() const { return error_; }
  [[nodiscard]] std::size_t error_offset() const { return error_offset_; }

 protected:
  ~Walker() = default;
  virtual bool enter_key() { return true; }
  /// A scalar, or the beginning of a list or map (empty then). `start_` and `path_` are its own.
  virtual bool enter(Value value) = 0;
  virtual bool leave() { return true; }

  bool refuse_integer(const std::string& digits) {
    mark();
    set_error(offset(), fmt::format("{}: expected an integer of at most 63 bits and a sign",
                                    ballast::quoted(digits)));
    return false;
  }
  void set_error(std::size_t offset, std::string message) {
    error_offset_ = std::min(offset, text_.size());
    error_ = std::move(message);
  }
  [[nodiscard]] std::size_t offset() const {
    return static_cast<std::size_t>(start_ - text_.data());
  }

  Path path_;

 private:
  static Value large_integer_or(std::string text) {
    if (text.size() < 16 || text.size() > 20) return {std::move(text)};
    std::int64_t value = 0;
    const char* end = text.data() + text.size();
    const auto [stop, error] = std::from_chars(text.data(), end, value);
    const bool is_large = value > kLargestExact || value < -kLargestExact;
    if (error != std::errc() || stop != end || !is_large || std::to_string(value) != text)
      return {std::move(text)};
    return {value};
  }

  /// Between two tokens there are only blanks, commas and colons.
  void mark() {
    const char* end = text_.data() + text_.size();
    start_ = end_of_last_;
    while (start_ != end && std::string_view(" \t\r\n,:").find(*start_) != std::string_view::npos)
      ++start_;
    end_of_last_ = consumed_;
  }
  void next_index() {
    if (!path_.empty() && path_.back().is_index) ++path_.back().index;
  }
  bool take(Value value) {
    mark();
    if (!enter(std::move(value))) return false;
    next_index();
    return true;
  }
  bool open(Value value) {
    mark();
    if (path_.size() == kDeepest) {
      set_error(offset(), fmt::format("nested more than {} deep", kDeepest));
      return false;
    }
    const bool is_list = value.is_list();
    if (!enter(std::move(value))) return false;
    path_.push_back({"", 0, is_list});
    return true;
  }
  bool close() {
    mark();
    path_.pop_back();
    if (!leave()) return false;
    next_index();
    return true;
  }

  std::string_view text_;
  const char* consumed_;
  const char* end_of_last_;
  const char* start_ = nullptr;
  std::string error_;
  std::size_t error_offset_ = 0;
};

class Builder final : public Walker {
 public:
  using Walker::Walker;
  Value take_root() { return std::move(root_); }

 private:
  bool enter(Value value) override {
    const bool is_open = value.is_list() || value.is_map();
    Value* placed = &root_;
    if (!open_.empty()) {
      if (auto* list = open_.back()->get<ValueList>()) placed = &list->emplace_back();
      if (auto* map = open_.back()->get<ValueMap>()) {
        placed = &map->emplace_back(path_.back().key, Value()).second;
      }
    }
    *placed = std::move(value);
    if (is_open) open_.push_back(placed);
    return true;
  }
  bool leave() override {
    const auto* map = open_.back()->get<ValueMap>();
    open_.pop_back();
    return map == nullptr || has_unique_keys(*map);
  }
  bool has_unique_keys(const ValueMap& map) {
    std::vector<std::string_view> keys;
    keys.reserve(map.size());
    for (const auto& [key, value] : map) keys.push_back(key);
    std::ranges::sort(keys);
    const auto twice = std::ranges::adjacent_find(keys);
    if (twice == keys.end()) return true;
    set_error(offset(), fmt::format("{}: key given twice in the object that ends here",
                                    ballast::quoted(*twice)));
    return false;
  }

  Value root_;
  std::vector<Value*>
      open_;  // each is the last element of its parent, which does not grow while it is open
};

class Locator final : public Walker {
 public:
  Locator(std::string_view text, const Path& wanted) : Walker(text), wanted_(wanted) {}
  [[nodiscard]] std::size_t found() const { return found_; }

 private:
  bool enter(Value /*value*/) override {
    if (path_.size() > wanted_.size() ||
        !std::ranges::equal(path_, std::span(wanted_).first(path_.size())))
      return true;
    found_ = offset();
    return path_.size() < wanted_.size();
  }

  const Path& wanted_;
  std::size_t found_ = 0;
};

}  // namespace

std::string to_string(const Path& path) {
  std::string text;
  for (const PathPart& part : path) {
    if (part.is_index) {
      text += fmt::format("[{}]", part.index);
    } else {
      text += (text.empty() ? "" : ".") + part.key;
    }
  }
  return text.empty() ? "the document" : text;
}

Result<Value> parse_json(std::string_view text, const std::string& file) {
  Builder builder(text);
  if (!builder.run()) return fail(builder.error(), place_of(text, file, builder.error_offset()));
  return builder.take_root();
}

Place locate(std::string_view text, const std::string& file, const Path& path) {
  Locator locator(text, path);
  locator.run();
  return place_of(text, file, locator.found());
}

}  // namespace ballast::report
