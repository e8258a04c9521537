// SPDX-License-Identifier: BSD-2-Clause
#include "ballast/ganeti/model/selection.hpp"

#include <algorithm>

#include "ballast/core/glob.hpp"

namespace ballast::ganeti {

bool is_name(std::string_view pattern, std::string_view name) {
  if (matches_glob(pattern, name)) return true;
  for (std::size_t dot = name.find('.'); dot != std::string_view::npos;
       dot = name.find('.', dot + 1)) {
    if (matches_glob(pattern, name.substr(0, dot))) return true;
  }
  return false;
}

bool is_named(std::string_view pattern, std::string_view name,
              const std::vector<std::string>& tags) {
  constexpr std::string_view kTagPattern = "tag:";
  if (!pattern.starts_with(kTagPattern)) return is_name(pattern, name);
  pattern.remove_prefix(kTagPattern.size());
  return std::ranges::any_of(tags,
                             [&](const std::string& tag) { return matches_glob(pattern, tag); });
}

}  // namespace ballast::ganeti
