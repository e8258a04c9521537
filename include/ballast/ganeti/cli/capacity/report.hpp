// SPDX-License-Identifier: BSD-2-Clause
// Everything that hspace says, as texts: the tool decides when. Each text comes in two forms, for
// people and as HTS_KEY=VALUE lines.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "ballast/ganeti/search/capacity/thorough.hpp"
#include "ballast/ganeti/search/capacity/why_full.hpp"
#include "ballast/ganeti/search/planning/cluster_totals.hpp"
#include "ballast/report/document.hpp"

namespace ballast::ganeti::cli {

enum class RunKind { Tiered, Standard };

/// A finished run with what is said about it.
struct CapacityAnswer {
  RunKind kind = RunKind::Tiered;
  InstanceSize size;  ///< the first one tried
  CapacityRun run;
  ClusterTotals totals;  ///< at its end
  std::vector<UnitRefusals> refusals;
};

/// A text, and whether the reference ends after it for want of a failure reason.
struct ResultText {
  std::string text;
  bool lacks_reason = false;
};

/// The reason that most candidates gave; of equally frequent ones the first in order.
FailReason main_reason(const ReasonCounts& failures);

/// Placed instances of equal size that follow each other.
struct PlacedRun {
  InstanceSize size;
  std::int64_t count = 0;
};
std::vector<PlacedRun> placed_runs(const FilledCluster& filled);

class CapacityText {
 public:
  /// `before`: the totals of the initial cluster. All three must outlive this.
  CapacityText(const Cluster& cluster, const ClusterTotals& before, const CapacityOptions& options);

  [[nodiscard]] std::string cluster() const;
  [[nodiscard]] std::string size(RunKind kind, const InstanceSize& size) const;
  [[nodiscard]] ResultText results(const CapacityAnswer& answer) const;
  /// Of both forms: "Tiered allocation map" and a line for each new instance.
  [[nodiscard]] std::string map(const CapacityAnswer& answer) const;

 private:
  [[nodiscard]] std::string size_in_words(const InstanceSize& size) const;
  [[nodiscard]] std::string statistics(const CapacityAnswer& answer) const;

  const Cluster& cluster_;
  const ClusterTotals& before_;
  const CapacityOptions& options_;
  bool has_exclusive_storage_;
};

class CapacityKeys {
 public:
  CapacityKeys(const Cluster& cluster, const ClusterTotals& before, const CapacityOptions& options)
      : cluster_(cluster), before_(before), options_(options) {}

  [[nodiscard]] std::string cluster() const;
  [[nodiscard]] std::string size(RunKind kind, const InstanceSize& size) const;
  [[nodiscard]] std::string results(const CapacityAnswer& answer) const;
  /// The reference's complaint where the new instances do not add up; empty: they do.
  [[nodiscard]] std::string inconsistency(const CapacityAnswer& answer) const;

 private:
  [[nodiscard]] std::string tiered_results(const CapacityAnswer& answer) const;
  [[nodiscard]] std::string standard_results(const CapacityAnswer& answer) const;

  const Cluster& cluster_;
  const ClusterTotals& before_;
  const CapacityOptions& options_;
};

/// "drbd8/ssd (full on 3 nodes, not there on 1)", joined by ", ".
std::string units_in_words(const Cluster& cluster, const std::vector<UnitRefusals>& refusals);

/// How many of the standard size fit where the disks ask for each unit of their type in turn, and
/// which units are full then. Empty where storage does not count.
struct UnitCapacity {
  StorageKeyId unit;
  std::size_t placed = 0;
  std::vector<UnitRefusals> refusals;
};

/// What --thorough found beside the tiers.
struct ThoroughFigures {
  double worth = 0;
  double usual_worth = 0;
  std::size_t standard_placed = 0;
  std::vector<SmallerSize> smaller;
};

/// Who refuses one more of the last size of a run.
struct CapacityWhy {
  RunKind kind = RunKind::Tiered;
  InstanceSize size;
  bool is_suppressed = false;
  std::vector<FullNode> nodes;
};

/// All that one call of hspace found out. The cluster and its state are the initial ones.
struct CapacityFindings {
  const Cluster& cluster;
  const State& state;
  ClusterTotals before;
  CapacityOptions options;
  std::vector<CapacityAnswer> answers;
  std::vector<UnitCapacity> units;
  std::optional<ThoroughFigures> thorough;
  std::vector<CapacityWhy> why;
};

/// "Storage units:" and a table; empty where storage does not count.
std::string unit_capacity_table(const CapacityFindings& findings);

/// "Thorough search:" and what its tiers are worth, and the sizes of which more fit.
std::string thorough_text(const CapacityFindings& findings);
/// "Why no more after the ... run:" and lines by group.
std::string why_text(const CapacityFindings& findings, const CapacityWhy& why);
/// The same as findings ("no-more-room") and as a table.
std::vector<report::Finding> why_findings(const CapacityFindings& findings);
report::DataTable why_table(const CapacityFindings& findings);
report::DataTable smaller_sizes_table(const ThoroughFigures& thorough);

/// "7 instances of shrinking size fit; 5 instances of the fixed size fit"
std::string capacity_headline(const CapacityFindings& findings);

/// `shaping`: the options that shaped the answer, by their long names.
report::Document capacity_document(const CapacityFindings& findings, Value shaping);

}  // namespace ballast::ganeti::cli
