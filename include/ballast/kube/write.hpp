// SPDX-License-Identifier: BSD-2-Clause
// Documents of Kubernetes, to be written.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

#include "ballast/doc/tree.hpp"

namespace ballast::kube {

doc::Tree text(std::string_view value);
/// RFC 3339, from seconds since the epoch.
doc::Tree time_text(std::int64_t seconds);
/// A mapping of texts, from a map or a list of pairs.
template <class Pairs>
doc::Tree texts(const Pairs& pairs) {
  doc::Tree map = doc::Tree::map();
  for (const auto& [key, value] : pairs) map.set(key, text(value));
  return map;
}

// Sets the key of a map, unless there is nothing to set.
void put(doc::Tree& map, std::string_view key, std::string_view value);
void put(doc::Tree& map, std::string_view key, std::optional<std::int64_t> number);
void put_time(doc::Tree& map, std::string_view key, std::optional<std::int64_t> seconds);

/// apiVersion, kind and metadata: the name and, unless it is empty, the namespace.
doc::Tree object(std::string_view version, std::string_view kind, std::string_view name,
                 std::string_view name_space);
/// As kubectl prints several.
doc::Tree list_of(std::vector<doc::Tree> objects);
/// `resources` of a container or a claim: its requests.
doc::Tree requests(std::vector<std::pair<std::string, doc::Tree>> amounts);

}  // namespace ballast::kube
