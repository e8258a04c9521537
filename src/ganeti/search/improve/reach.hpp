// SPDX-License-Identifier: BSD-2-Clause
// The cheapest way from one placement of an instance to another by the kinds of moves that the
// options allow. It counts steps and copied disks only: whether each step finds room is the model's
// business.
#pragma once

#include <array>
#include <cstdint>

#include "ballast/ganeti/search/balance/candidates.hpp"

namespace ballast::ganeti {

/// Fewest steps, then fewest copies of the whole disk.
struct Way {
  static constexpr int kNone = 1 << 20;  ///< steps where there is no way
  int steps = kNone;
  int copies = 0;
  [[nodiscard]] bool exists() const { return steps < kNone; }
};

/// Where an end of the new placement lies, seen from the old one.
enum class End : std::uint8_t { OldPrimary, OldSecondary, Fresh, OtherFresh };
inline constexpr std::size_t kEnds = 4;

/// The ways of a mirrored instance to each pair of different ends, [primary][secondary].
using WayTable = std::array<std::array<Way, kEnds>, kEnds>;

class Reach {
 public:
  explicit Reach(const BalanceOptions& options);

  [[nodiscard]] const WayTable& mirrored(bool is_primary_online, bool is_secondary_online) const {
    return tables_[(is_primary_online ? 2U : 0U) + (is_secondary_online ? 1U : 0U)];
  }
  /// Of an instance that can be anywhere: one failover, which copies nothing.
  [[nodiscard]] Way shared(bool is_primary_online, bool is_same) const;
  [[nodiscard]] Way way(const Cluster& cluster, InstanceId instance, const Placement& from,
                        const Placement& to) const;

 private:
  std::array<WayTable, 4> tables_;
  bool can_fail_over_;
  bool only_offline_;
};

/// The ends of `primary` and `secondary` as seen from the old ones; any type that compares.
template <class Place>
std::array<End, 2> ends_of(Place old_primary, Place old_secondary, Place primary, Place secondary) {
  const auto end = [&](Place place, End fresh) {
    if (place == old_primary) return End::OldPrimary;
    return place == old_secondary ? End::OldSecondary : fresh;
  };
  const End first = end(primary, End::Fresh);
  return {first, end(secondary, first == End::Fresh ? End::OtherFresh : End::Fresh)};
}

}  // namespace ballast::ganeti
