// SPDX-License-Identifier: BSD-2-Clause
// What is known of an instance's moves before their target is: which kinds are possible at all, and
// what they change on the nodes that the instance leaves. Depends on these two nodes only, so it is
// kept until one of them changes.
#pragma once

#include <array>
#include <map>

#include "ballast/ganeti/score/tag_pairs.hpp"
#include "ballast/ganeti/search/balance/candidates.hpp"
#include "ballast/ganeti/search/balance/fast_arrays.hpp"
#include "fast_kernels.hpp"

namespace ballast::ganeti::fast {

inline constexpr std::size_t index_of(MoveKind kind) { return static_cast<std::size_t>(kind); }

struct Source {
  bool is_considered = false;
  bool is_irregular = false;            ///< evaluated on the model, candidate by candidate
  std::array<bool, kKinds> possible{};  ///< necessary, not sufficient
  std::array<bool, kKinds> relaxed{};   ///< the target's soft checks are lifted
  std::array<double, kKinds> offset{};  ///< at least this much is added to the score besides the
                                        ///< deviations and reserved memory
  double reserved_left = 0;             ///< MiB that the secondary reserves without the instance
  double peer_entry = 0;  ///< MiB that the primary reserves for the secondary's instances
};

class SourceReader {
 public:
  SourceReader(const Cluster& cluster, const State& state, const BalanceOptions& options,
               const Layout& layout);

  [[nodiscard]] Source read(InstanceId instance) const;
  /// What the target adds to `offset`, exactly (tags and locations), for a possible move of a
  /// regular instance.
  [[nodiscard]] double target_offset(InstanceId instance, MoveKind kind, NodeId target) const;
  /// A check that the arrays do not know refuses the target.
  [[nodiscard]] bool is_refused(InstanceId instance, MoveKind kind, NodeId target,
                                bool relaxed) const;
  /// Counts (location tag, exclusion tag) pairs again; call when the state has changed.
  void count_pairs();
  [[nodiscard]] bool counts_pairs() const { return layout_.has_location_tags; }

 private:
  struct Ends;

  void read_possible(const Ends& ends, Source& source) const;
  void read_offsets(const Ends& ends, Source& source) const;
  [[nodiscard]] bool fits_on_secondary(const Ends& ends, bool relaxed, double reserved_left) const;
  [[nodiscard]] bool fits_on_primary(const Ends& ends, bool relaxed, bool ignore_disks,
                                     double peer_entry) const;
  [[nodiscard]] double tag_change(const Instance& instance, NodeId from, NodeId to) const;
  [[nodiscard]] double pair_change(const Instance& instance, NodeId from, NodeId to) const;
  [[nodiscard]] double leaving(const Instance& instance, const Placement& placement) const;
  [[nodiscard]] bool is_irregular(InstanceId instance) const;
  [[nodiscard]] bool takes_unknown_path(InstanceId instance) const;
  [[nodiscard]] bool overflows(const Amounts& amounts, NodeId node) const;
  [[nodiscard]] bool is_online(NodeId node) const { return !cluster_[node].is_offline; }

  const Cluster& cluster_;
  const State& state_;
  const BalanceOptions& options_;
  const Layout& layout_;
  TagPairs pairs_;  ///< over the online nodes
};

}  // namespace ballast::ganeti::fast
