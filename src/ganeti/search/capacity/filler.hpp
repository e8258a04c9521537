// SPDX-License-Identifier: BSD-2-Clause
// The loops that fill a cluster: the reference's bursts, tests and tiers.
#pragma once

#include <map>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "ballast/ganeti/moves/trial_state.hpp"
#include "ballast/ganeti/search/capacity/capacity.hpp"
#include "ballast/ganeti/search/redundancy/nplus1.hpp"
#include "finder.hpp"
#include "no_worse.hpp"
#include "room.hpp"

namespace ballast::ganeti::alloc {

/// Thrown inside, told as a value outside.
struct CapacityStop {
  CapacityFailure failure;
};

/// What every run of one plan shares.
struct CapacityScene {
  CapacityOptions options;
  std::vector<CapacityCandidate> candidates;
  RedundancyOptions redundancy;  ///< which nodes need not be evacuable
};

class CapacityFiller {
 public:
  /// A limit on the number of new instances; none: no limit. Negative: as
  /// CapacityOptions::max_length.
  using Limit = std::optional<std::int64_t>;

  CapacityFiller(const Cluster& cluster, const State& state, const CapacityScene& scene);
  CapacityFiller(const CapacityFiller&) = delete;
  CapacityFiller& operator=(const CapacityFiller&) = delete;

  /// One size until nothing fits. Why the last attempt failed; where the limit ended the run, the
  /// counts of a last attempt that would have succeeded.
  ReasonCounts fill(const InstanceSize& size, Limit limit);
  /// As fill, then with ever smaller sizes.
  ReasonCounts fill_shrinking(const InstanceSize& size, Limit limit);

  /// Whether one more of that size could be placed now.
  [[nodiscard]] bool fits(const InstanceSize& size) { return ask(size).placed.has_value(); }

  [[nodiscard]] std::size_t placed() const { return cluster_.instances.size() - existing_; }
  [[nodiscard]] const InstanceSize& last_size() const { return last_size_; }
  FilledCluster take() { return {std::move(cluster_), trial_.take(), existing_}; }

 private:
  struct Ended {
    ReasonCounts failures{};
    bool nothing_fits = false;  ///< else the limit ended it
  };
  /// A size that has been filled, and the smaller one that is being tried below it.
  struct Tier {
    InstanceSize size;
    ReasonCounts failures;
    Limit limit;
  };

  Ended fill_plainly(const InstanceSize& size, bool is_tested, Limit limit);
  /// One without a test of redundancy.
  Attempt attempt_plain(const InstanceSize& size, bool with_failures);
  /// One that keeps the cluster redundant; the counts of failures as attempt_accepted().
  Attempt attempt_tested(const Wanted& wanted, Limit limit);
  Ended fill_in_bursts(const InstanceSize& size, Limit limit);
  [[nodiscard]] std::int64_t burst_of(const InstanceSize& size, bool is_huge) const;
  void add(const Wanted& wanted, Placed&& placed);
  void forget();
  /// Takes the last instances off again, all of one size and placed by attempt_plain().
  void remove_all_after(std::size_t count);
  CapacityRoom& room();
  [[nodiscard]] bool is_redundant();
  /// With the candidate in place.
  [[nodiscard]] bool stays_redundant(const Wanted& wanted, const Placed& placed);
  std::optional<InstanceSize> fit_by(FailReason reason, const InstanceSize& size);
  std::optional<InstanceSize> fit_by_any(const Tier& tier);
  Attempt ask(const InstanceSize& size);
  [[nodiscard]] const State& state() const { return trial_.state(); }
  [[nodiscard]] bool is_mirrored() const {
    return scene_.options.disk_template == DiskTemplate::Drbd;
  }

  const CapacityScene& scene_;
  Cluster cluster_;
  TrialState trial_;
  std::size_t existing_;
  CapacityFinder finder_;
  std::vector<NodeId> nodes_;
  bool keeps_burst_ = false;          ///< what was placed since the burst began may be taken back
  std::vector<NodeId> tested_;        ///< must be evacuable
  NoWorse worse_;                     ///< need not be, but may not get worse
  std::optional<CapacityRoom> room_;  ///< of the present state
  bool has_broken_instance_ = false;  ///< a redundancy test may end the reference
  InstanceSize last_size_;
  /// Nodes that the next attempts without a test will choose for that size, the next one last:
  /// bursts are repeated in smaller ones from the same state on.
  std::vector<NodeId> ahead_;
  InstanceSize ahead_size_;
  /// What is known of the present state, forgotten with each new instance: sizes that nothing
  /// takes, and what fit_by found.
  std::map<InstanceSize, ReasonCounts> failed_;
  std::map<std::pair<FailReason, InstanceSize>, std::optional<InstanceSize>> fitting_;
};

/// One step smaller where that answers the reason; none: it cannot.
std::optional<InstanceSize> shrunk(const InstanceSize& size, FailReason reason);

/// All reasons, the most frequent last; of equally frequent ones in their own order.
std::vector<FailReason> by_frequency(const ReasonCounts& counts);

}  // namespace ballast::ganeti::alloc
