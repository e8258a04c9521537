// SPDX-License-Identifier: BSD-2-Clause
// Why an instance finds no place, for people: the allocator's own texts are codes.
#pragma once

#include "ballast/ganeti/report/explain/allocation.hpp"

namespace ballast::ganeti {

class BlockedTexts {
 public:
  BlockedTexts(const Cluster& cluster, const State& state, const Request& request,
               const AllocatorOptions& options);

  /// One line without a period, for an instance that the answer to the request lists as failed.
  [[nodiscard]] std::string of(const FailedInstance& failed) const;

 private:
  [[nodiscard]] std::string refusals_of(const InstanceExplanation& one) const;

  const Cluster& cluster_;
  const State& state_;
  std::vector<InstanceExplanation> explanations_;
};

}  // namespace ballast::ganeti
