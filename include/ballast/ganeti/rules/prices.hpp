// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include "ballast/ganeti/rules/placement_rules.hpp"

namespace ballast::ganeti {

/// By how much the change raises what breaches of priced rules cost; below 0 where it mends some.
double price_change(const Cluster& cluster, const Relocation& change, const NodeView& view);

/// The same cluster where rules with a price are never to be broken worse, for searches that do not
/// count in points of the score.
Cluster without_prices(const Cluster& cluster);

/// What all breaches cost; 0 without priced rules.
double price_of_breaches(const Cluster& cluster, const State& state);

}  // namespace ballast::ganeti
