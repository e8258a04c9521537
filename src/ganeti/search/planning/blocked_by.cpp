// SPDX-License-Identifier: BSD-2-Clause
#include "ballast/ganeti/search/planning/blocked_by.hpp"

#include "ballast/core/decimal.hpp"
#include "ballast/ganeti/model/unit_rules.hpp"
#include "ballast/ganeti/search/planning/refusal_text.hpp"
#include "ballast/ganeti/search/planning/rule_text.hpp"

#include <fmt/format.h>

namespace ballast::ganeti {
namespace {

bool is_in_mib(Rule rule) {
  switch (rule) {
    case Rule::MemoryUnallocated:
    case Rule::SecondaryMemory:
    case Rule::NPlusOne:
    case Rule::ForthcomingMemory:
    case Rule::DiskFree:
    case Rule::DiskLowWater:
    case Rule::ForthcomingDisk:
    case Rule::ForthcomingDiskLowWater:
    case Rule::NodeReserve:
    case Rule::MemoryReserve:
      return true;
    default:
      return unit_rule(rule) != nullptr;
  }
}

/// "40960 MiB"; ratios with two decimals.
std::string amount(Rule rule, double value) {
  if (is_in_mib(rule)) return fixed(value, 0) + " MiB";
  return value == static_cast<double>(static_cast<std::int64_t>(value)) ? fixed(value, 0)
                                                                        : fixed(value, 2);
}

}  // namespace

void set_rule(plan::Blocked& blocked, const Cluster& cluster, const Refusal& refusal) {
  blocked.gate = name_of(refusal.rule);
  if (refusal.rule == Rule::Pinned && refusal.placement_rule >= 0) {
    const auto& rule = cluster.rules[refusal.placement_rule];
    std::vector<std::string_view> allowed;
    for (std::size_t n = 0; n < rule.allowed.size(); ++n) {
      if (rule.allowed[n]) allowed.push_back(cluster.nodes[n].name);
    }
    blocked.required = allowed.empty() ? "no node at all" : some_of(allowed);
    blocked.observed = cluster[refusal.node].name;
    return;
  }
  if (refusal.wanted == 0 && refusal.available == 0) return;
  // Where as much as is wanted is there, and still it is refused, something must be left.
  const std::string_view more = refusal.wanted == refusal.available ? "more than " : "";
  blocked.required = fmt::format("{}{}", more, amount(refusal.rule, refusal.wanted));
  blocked.observed = amount(refusal.rule, refusal.available) +
                     (refusal.node.is_none() ? "" : " on " + cluster[refusal.node].name);
}

void set_without_copy(plan::Blocked& blocked, DiskTemplate disk_template) {
  blocked.gate = "disk_template";
  blocked.observed = std::string(text_of(disk_template));
}

double lack_of(const Refusal& refusal) {
  constexpr double kOther = 2;  // a rule without figures
  if (refusal.wanted <= 0) return kOther;
  const double lack = (refusal.wanted - refusal.available) / refusal.wanted;
  return lack < 0 ? kOther : lack;
}

}  // namespace ballast::ganeti
