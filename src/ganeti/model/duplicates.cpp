// SPDX-License-Identifier: BSD-2-Clause
#include "ballast/ganeti/model/duplicates.hpp"

#include <fmt/format.h>

#include <string_view>
#include <unordered_map>

namespace ballast::ganeti {
namespace {

template <class Named>
std::optional<std::string> find_duplicate(const std::vector<Named>& all, std::string_view kind,
                                          const std::vector<std::size_t>& lines) {
  std::unordered_map<std::string_view, std::size_t> first;
  for (std::size_t i = 0; i < all.size(); ++i) {
    const auto [place, is_first] = first.emplace(all[i].name, i);
    if (is_first) continue;
    const bool has_lines = lines.size() == all.size();
    const auto where = [&](std::size_t index) { return has_lines ? lines[index] : index + 1; };
    return fmt::format("two {}s are named {}, {} {} and {}", kind, all[i].name,
                       has_lines ? "on lines" : "entries", where(place->second), where(i));
  }
  return std::nullopt;
}

}  // namespace

std::optional<std::string> duplicate_name(const Snapshot& snapshot) {
  if (auto node = find_duplicate(snapshot.cluster.nodes, "node", snapshot.node_lines)) return node;
  return find_duplicate(snapshot.cluster.instances, "instance", snapshot.instance_lines);
}

}  // namespace ballast::ganeti
