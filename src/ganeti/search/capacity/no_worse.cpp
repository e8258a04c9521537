// SPDX-License-Identifier: BSD-2-Clause
#include "no_worse.hpp"

#include <algorithm>

#include "ballast/ganeti/search/redundancy/what_if.hpp"

namespace ballast::ganeti::alloc {
namespace {

std::size_t without_place(const Cluster& cluster, const State& state, NodeId node) {
  const WhatIf answer = what_if(cluster, state, {{node}, {}});
  return static_cast<std::size_t>(std::count_if(
      answer.affected.begin(), answer.affected.end(),
      [](const Affected& one) { return one.fate == Fate::Stuck || one.fate == Fate::Lost; }));
}

}  // namespace

NoWorse::NoWorse(const Cluster& cluster, const State& state, std::span<const NodeId> nodes) {
  for (const NodeId node : nodes) nodes_.emplace_back(node, without_place(cluster, state, node));
}

NodeId NoWorse::first_worse(const Cluster& cluster, const State& state) const {
  const auto worse = std::find_if(nodes_.begin(), nodes_.end(), [&](const auto& before) {
    return without_place(cluster, state, before.first) > before.second;
  });
  return worse == nodes_.end() ? NodeId() : worse->first;
}

}  // namespace ballast::ganeti::alloc
