// SPDX-License-Identifier: BSD-2-Clause
#include "ballast/tidb/search/placement/group_spread.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace ballast::tidb {

std::string name_of(const Topology& topology) {
  std::string name;
  for (const auto& [key, value] : topology.labels) name += (name.empty() ? "" : "/") + value;
  return name;
}

std::optional<std::size_t> topology_of(const std::vector<Topology>& spread, const Machine& node) {
  const auto found = std::ranges::find_if(spread, [&](const Topology& topology) {
    return std::ranges::all_of(topology.labels, [&](const auto& label) {
      const auto own = node.labels.find(label.first);
      return own != node.labels.end() && own->second == label.second;
    });
  });
  if (found == spread.end()) return std::nullopt;
  return static_cast<std::size_t>(found - spread.begin());
}

std::size_t emptiest(const std::vector<Topology>& spread, const std::vector<std::int64_t>& counts) {
  std::size_t best = 0;
  for (std::size_t i = 1; i < spread.size(); ++i) {
    // (count + 1) / weight, without division
    if ((counts[i] + 1) * spread[best].weight < (counts[best] + 1) * spread[i].weight) best = i;
  }
  return best;
}

std::string counts_text(const std::vector<Topology>& spread,
                        const std::vector<std::int64_t>& counts) {
  std::string text;
  for (std::size_t i = 0; i < spread.size(); ++i)
    text += fmt::format("{}{} {}", i == 0 ? "" : ", ", name_of(spread[i]), counts[i]);
  return text;
}

}  // namespace ballast::tidb
