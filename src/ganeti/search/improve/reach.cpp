// SPDX-License-Identifier: BSD-2-Clause
#include "reach.hpp"

#include "ballast/ganeti/moves/ends.hpp"
#include <tuple>

namespace ballast::ganeti {

namespace {

struct Pair {
  std::size_t primary;
  std::size_t secondary;
};

Pair moved(const Pair& from, MoveKind kind, std::size_t target) {
  const auto [primary, secondary] = ends_after(kind, from.primary, from.secondary, target);
  return {primary, secondary};
}

/// Relaxes all single moves until nothing gets cheaper.
class TableMaker {
 public:
  TableMaker(const BalanceOptions& options, bool is_primary_online, bool is_secondary_online)
      : options_(options), online_{is_primary_online, is_secondary_online, true, true} {}

  WayTable make() {
    table_[0][1] = {0, 0};
    do {
      is_changed_ = false;
      for (std::size_t x = 0; x < kEnds; ++x) {
        for (std::size_t y = 0; y < kEnds; ++y) {
          if (x != y && table_[x][y].exists()) relax_from({x, y});
        }
      }
    } while (is_changed_);
    return table_;
  }

 private:
  void relax_from(const Pair& from) {
    if (options_.evacuation && online_[from.primary] && online_[from.secondary]) return;
    const Way here = table_[from.primary][from.secondary];
    const MoveKinds kinds =
        kinds_for(Mirroring::Internal, options_, online_[from.primary], online_[from.secondary]);
    if (kinds.failover) relax(moved(from, MoveKind::Failover, 0), {here.steps + 1, here.copies});
    for (std::size_t target = 0; target < kEnds; ++target) {
      if (!online_[target] || target == from.primary || target == from.secondary) continue;
      for (const MoveKind kind : kinds.per_target())
        relax(moved(from, kind, target), {here.steps + 1, here.copies + 1});
    }
  }

  void relax(const Pair& to, const Way& way) {
    Way& known = table_[to.primary][to.secondary];
    if (std::tie(way.steps, way.copies) >= std::tie(known.steps, known.copies)) return;
    known = way;
    is_changed_ = true;
  }

  const BalanceOptions& options_;
  std::array<bool, kEnds> online_;
  WayTable table_;
  bool is_changed_ = false;
};

}  // namespace

Reach::Reach(const BalanceOptions& options)
    : can_fail_over_(options.instance_moves), only_offline_(options.evacuation) {
  for (std::size_t i = 0; i < tables_.size(); ++i)
    tables_[i] = TableMaker(options, (i & 2U) != 0, (i & 1U) != 0).make();
}

Way Reach::shared(bool is_primary_online, bool is_same) const {
  if (is_same) return {0, 0};
  if (!can_fail_over_ || (only_offline_ && is_primary_online)) return {};
  return {1, 0};
}

Way Reach::way(const Cluster& cluster, InstanceId instance, const Placement& from,
               const Placement& to) const {
  if (!has_secondary(cluster[instance].disk_template))
    return shared(!cluster[from.primary].is_offline, from.primary == to.primary);
  const auto ends = ends_of(from.primary, from.secondary, to.primary, to.secondary);
  return mirrored(!cluster[from.primary].is_offline,
                  !cluster[from.secondary].is_offline)[static_cast<std::size_t>(ends[0])]
                                                      [static_cast<std::size_t>(ends[1])];
}

}  // namespace ballast::ganeti
