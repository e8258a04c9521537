// SPDX-License-Identifier: BSD-2-Clause
// What rules of administrators say, for people.
#pragma once

#include "ballast/ganeti/rules/placement_rules.hpp"

#include <span>
#include <string>
#include <string_view>

namespace ballast::ganeti {

/// Whether the refusal comes from a rule or a memory reserve of administrators.
bool is_administrators_rule(Rule rule);

/// Of the rules that are not in Rules::list (Refusal::rule_spec).
std::string name_of_spec(const Cluster& cluster, std::int32_t spec);

/// Why such a rule refuses, with its name and figures. `others`: who is there already, where that
/// is known.
std::string rule_text(const Cluster& cluster, const Refusal& refusal, std::string_view others = "");

/// "ballast:apart:service (service:dns): dns1, dns2 on n3", with figures.
std::string breach_text(const Cluster& cluster, const State& state, const Breach& breach);

/// "a, b, c and 4 more".
std::string some_of(std::span<const std::string_view> names);

}  // namespace ballast::ganeti
