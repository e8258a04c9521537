// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

#include "ballast/core/strings.hpp"
#include "ballast/ganeti/backend/objects/object_reader.hpp"

namespace ballast::ganeti::json {

/// A dictionary that must hold exactly the keys asked for: values first, then nothing may be left
/// over.
class Dictionary {
 public:
  explicit Dictionary(Value object) : object_(object) {}

  template <class Target, class Convert>
  Dictionary& read(Target& target, std::string_view key, Convert convert) {
    allowed_.emplace_back(key);
    if (error_) return *this;
    const auto found = required(object_, key);
    if (!found) {
      error_ = found.error();
    } else {
      take(target, key, convert(*found));
    }
    return *this;
  }

  /// The same for a key that may be missing or null.
  template <class Target, class Convert>
  Dictionary& read_optional(Target& target, std::string_view key, Convert convert) {
    allowed_.emplace_back(key);
    if (error_) return *this;
    const Value found = optional(object_, key);
    if (!found.is_missing()) take(target, key, convert(found));
    return *this;
  }

  /// The first error; superfluous keys come last.
  MaybeError finish() {
    if (error_) return std::move(error_);
    std::sort(allowed_.begin(), allowed_.end());
    std::vector<std::string> extra;
    Value at = object_.first();
    for (std::uint32_t left = object_.size(); left > 0; --left, at = at.after().after()) {
      std::string key = at.text();
      if (!std::binary_search(allowed_.begin(), allowed_.end(), key))
        extra.push_back(std::move(key));
    }
    if (extra.empty()) return std::nullopt;
    std::sort(extra.begin(), extra.end());
    extra.erase(std::unique(extra.begin(), extra.end()), extra.end());
    return Error{"Superfluous dictionary keys: " + shown_list(extra) + ", but only " +
                     shown_list(allowed_) + " allowed.",
                 {},
                 Fault::Input};
  }

 private:
  template <class Target, class Converted>
  void take(Target& target, std::string_view key, Converted value) {
    if (value) {
      target = std::move(*value);
      return;
    }
    error_ = Error{"Can't parse value for '" + std::string(key) + "': " + value.error().message,
                   {},
                   Fault::Input};
  }

  Value object_;
  std::vector<std::string> allowed_;
  MaybeError error_;
};

/// A converter for lists of what `convert` reads.
template <class Element>
auto list_of(Result<Element> (*convert)(Value)) {
  return [convert](Value value) -> Result<std::vector<Element>> {
    if (!value.is(Kind::Array)) return fail("Unable to read list");
    std::vector<Element> result;
    Value element = value.first();
    for (std::uint32_t left = value.size(); left > 0; --left, element = element.after()) {
      auto converted = convert(element);
      if (!converted) return fail(std::move(converted.error()));
      result.push_back(std::move(*converted));
    }
    return result;
  };
}

}  // namespace ballast::ganeti::json
