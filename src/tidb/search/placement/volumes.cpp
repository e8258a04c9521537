// SPDX-License-Identifier: BSD-2-Clause
#include "ballast/tidb/search/placement/volumes.hpp"

#include "ballast/kube/quantity.hpp"

#include <fmt/format.h>

namespace ballast::tidb {

Volumes::Volumes(const Live& live) : known_(live.volumes_known), volumes_(live.volumes) {
  for (std::size_t i = 0; i < volumes_.size(); ++i) {
    const Volume& volume = volumes_[i];
    by_name_.emplace(volume.name, i);
    if (!volume.claim.empty()) by_claim_.emplace(volume.claim, i);
    if (volume.node.empty()) continue;
    of_node_[volume.node].push_back(i);
    local_classes_.insert(volume.storage_class);
  }
  for (const Claim& claim : live.claims) {
    if (!claim.volume.empty()) bound_.emplace(claim.name, claim.volume);
  }
}

std::string Volumes::bound_node(const SetSpec& set, const std::string& pod) const {
  for (const std::string& claim_template : set.claim_templates) {
    const std::string claim = claim_name(claim_template, pod);
    if (const auto bound = bound_.find(claim); bound != bound_.end()) {
      const auto volume = by_name_.find(bound->second);
      if (volume != by_name_.end() && !volumes_[volume->second].node.empty())
        return volumes_[volume->second].node;
    }
    const auto volume = by_claim_.find(claim);
    if (volume != by_claim_.end() && !volumes_[volume->second].node.empty())
      return volumes_[volume->second].node;
  }
  return "";
}

bool Volumes::needs_local(const SetSpec& set) const {
  return known_ && !set.claim_templates.empty() && local_classes_.contains(set.storage_class);
}

std::optional<std::size_t> Volumes::free_for(const SetSpec& set, std::string_view node) const {
  const auto here = of_node_.find(node);
  if (here == of_node_.end() || !needs_local(set)) return std::nullopt;
  std::optional<std::size_t> best;
  for (const std::size_t i : here->second) {
    const Volume& volume = volumes_[i];
    if (!volume.available || volume.storage_class != set.storage_class ||
        volume.bytes < set.storage_bytes.value_or(0)) {
      continue;
    }
    if (!best || volume.bytes < volumes_[*best].bytes) best = i;
  }
  return best;
}

std::map<std::string, std::int64_t> Volumes::free_on(std::string_view node) const {
  std::map<std::string, std::int64_t> free;
  const auto here = of_node_.find(node);
  if (here == of_node_.end()) return free;
  for (const std::size_t i : here->second) {
    const Volume& volume = volumes_[i];
    if (volume.available)
      ++free[fmt::format("{} {}", volume.storage_class, kube::format_bytes(volume.bytes))];
  }
  return free;
}

}  // namespace ballast::tidb
