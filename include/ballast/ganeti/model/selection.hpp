// SPDX-License-Identifier: BSD-2-Clause
// How rules and options name nodes and instances.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace ballast::ganeti {

/// The whole name, the name up to one of its dots, or a glob of either.
bool is_name(std::string_view pattern, std::string_view name);

/// The same, or "tag:" and one of the tags, or a glob of them.
bool is_named(std::string_view pattern, std::string_view name,
              const std::vector<std::string>& tags);

}  // namespace ballast::ganeti
