// SPDX-License-Identifier: BSD-2-Clause
// One to four random rules of administrators for a random cluster, whose nodes are n0, n1, ... and
// whose instances are i0, i1, ....
#pragma once

#include <array>
#include <string>
#include <vector>

#include "ballast/core/random.hpp"
#include "ballast/ganeti/rules/placement_rules.hpp"

namespace ballast::test {

inline ganeti::Selection some_names(Random& rnd, char kind, std::size_t count, unsigned percent) {
  ganeti::Selection names;
  for (std::size_t i = 0; i < count; ++i) {
    if (rnd.chance(percent)) names.push_back(kind + std::to_string(i));
  }
  return names;
}

inline std::vector<ganeti::RuleSpec> random_rules(Random& rnd, const ganeti::Cluster& cluster) {
  std::vector<ganeti::RuleSpec> specs;
  const std::int64_t count = rnd.between(1, 4);
  for (std::int64_t r = 0; r < count; ++r) {
    ganeti::RuleSpec spec;
    constexpr std::array kKinds{ganeti::RuleKind::Pin,           ganeti::RuleKind::Apart,
                                ganeti::RuleKind::Together,      ganeti::RuleKind::ExcludeNodes,
                                ganeti::RuleKind::KeepInstances, ganeti::RuleKind::ReserveMemory};
    spec.kind = kKinds[rnd.below(kKinds.size())];
    spec.name = "rule " + std::to_string(r);
    const bool is_about_nodes =
        spec.kind == ganeti::RuleKind::ExcludeNodes || spec.kind == ganeti::RuleKind::ReserveMemory;
    if (!is_about_nodes) spec.instances = some_names(rnd, 'i', cluster.instances.size(), 40);
    if (is_about_nodes || spec.kind == ganeti::RuleKind::Pin)
      spec.nodes = some_names(rnd, 'n', cluster.nodes.size(), 50);
    if (spec.nodes.empty()) spec.nodes.emplace_back("n0");
    if (spec.instances.empty()) spec.instances.emplace_back("i0");
    if (spec.kind == ganeti::RuleKind::ReserveMemory) spec.memory_mib = rnd.between(0, 8000);
    specs.push_back(std::move(spec));
  }
  return specs;
}

}  // namespace ballast::test
