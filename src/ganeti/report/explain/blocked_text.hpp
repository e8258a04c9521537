// SPDX-License-Identifier: BSD-2-Clause
// Why an instance finds no place, for people: the allocator's own texts are codes.
#pragma once

#include "ballast/ganeti/report/explain/allocation.hpp"
#include "ballast/plan/plan.hpp"

namespace ballast::ganeti {

class BlockedTexts {
 public:
  BlockedTexts(const Cluster& cluster, const State& state, const Request& request,
               const AllocatorOptions& options);

  /// An instance that the answer to the request lists as failed. The text is one line without a
  /// period, the rule that of the place that lacks least.
  [[nodiscard]] plan::Blocked of(const FailedInstance& failed) const;

 private:
  [[nodiscard]] std::string refusals_of(const InstanceExplanation& one) const;
  [[nodiscard]] DiskTemplate template_of(std::string_view name) const;
  void set_nearest_rule(plan::Blocked& blocked, const InstanceExplanation& one) const;

  const Cluster& cluster_;
  const State& state_;
  std::vector<InstanceExplanation> explanations_;
};

}  // namespace ballast::ganeti
