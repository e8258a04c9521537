// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>

#include "ballast/doc/tree.hpp"

namespace ballast::kube {

/// ObjectMeta of a Kubernetes object, for looking things up. Missing parts are empty.
struct ObjectMeta {
  std::string api_version;
  std::string kind;
  std::string name;
  std::string name_space;
  std::string uid;
  std::map<std::string, std::string> labels;
  std::map<std::string, std::string> annotations;
  std::string creation_timestamp;
  std::string deletion_timestamp;
  std::int64_t generation = 0;
};

/// Errors: not a map, `metadata` no map, names, labels or annotations that are no strings.
Result<ObjectMeta> read_metadata(const doc::Tree& object);

/// A name of Kubernetes: lower case letters, digits, "-" and ".", at most 253, a letter or digit at
/// both ends. So nothing in it is anything to a shell, and it never begins an option.
bool is_object_name(std::string_view name);

/// Seconds since the epoch of an RFC 3339 time ("2026-03-01T12:00:00Z", fractions are dropped,
/// offsets accepted); none where it is no such time.
std::optional<std::int64_t> parse_time(std::string_view text);
std::string format_time(std::int64_t seconds);

}  // namespace ballast::kube
