// SPDX-License-Identifier: BSD-2-Clause
// Files of Kubernetes objects.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "ballast/doc/tree.hpp"

namespace ballast::kube {

/// doc::parse_documents, and names of objects are names (is_object_name). Absent or empty ones are
/// nobody's error here.
Result<std::vector<doc::Tree>> parse_documents(std::string_view text, const std::string& file);

/// The same of a file ("-" is standard input).
Result<std::vector<doc::Tree>> load_documents(const std::string& path);

/// Documents flattened to objects: a List (kind ends with "List", or `items`) gives its items.
std::vector<doc::Tree> flatten_lists(std::vector<doc::Tree> documents);

}  // namespace ballast::kube
