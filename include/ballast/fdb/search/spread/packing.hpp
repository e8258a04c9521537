// SPDX-License-Identifier: BSD-2-Clause
// Bin packing of one class over logical fault domains: who is replaced, where new groups go. The
// number of replacements is the least that brings every domain between floor(N / D) and ceil(N /
// D).
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "ballast/fdb/model/condition.hpp"
#include "ballast/fdb/model/process_class.hpp"

namespace ballast::fdb {

/// A group of the class that is not marked.
struct PackingMember {
  std::string id;
  int number = 0;
  std::optional<int> domain;  ///< index; nothing: unbound
  bool wants_replacement = false;
  bool is_coordinator = false;
  std::optional<std::int64_t> stored_bytes;
  std::optional<Time> created;
};

enum class PackingReason : std::uint8_t { Dropped, Unbound, OverMaximum, Rebalance };
/// "fault-domain-dropped" and so on.
std::string_view code(PackingReason reason);

struct PackingVictim {
  std::string id;
  PackingReason reason = PackingReason::Dropped;
};

/// Groups to replace so that `wanted` groups fit `domains` domains, in the order in which the rules
/// find them. Precondition: domains >= 1.
std::vector<PackingVictim> packing_victims(const std::vector<PackingMember>& members, int wanted,
                                           int domains);

/// Domains of `count` new groups, each the least full one, lowest index first. `occupied[z]` counts
/// the groups that stay.
std::vector<int> packing_places(std::vector<int> occupied, int count);

/// `storage-0`: the domain's key, which is also the zone ID of its pods.
std::string domain_key(ProcessClass c, int domain);
/// The index in a key of the class's own form; nothing otherwise.
std::optional<int> domain_of_key(ProcessClass c, std::string_view key);

}  // namespace ballast::fdb
