// SPDX-License-Identifier: BSD-2-Clause
#include "evacuate_steps.hpp"

namespace ballast::ganeti::alloc {

using Kind = AllocatorOperation::Kind;

Kind move_kind(const Record& record) {
  return record.instance->is_forthcoming ? Kind::Failover : Kind::Migrate;
}

std::string failed_step(std::string_view step, const Refusal& refusal) {
  return std::string(step) + ": " + std::string(text_of(refusal.reason));
}

Outcome<Halfway> move_primary(const ScopedCluster& scope, const Record& record, NodeId target,
                              bool force) {
  Halfway half{Overlay(scope), record, {}};
  const NodeId primary = record.placement.primary;
  if ((*scope.cluster)[primary].is_offline) {
    if (auto no = fail_over(half.overlay, half.record, force)) {
      return tl::unexpected(failed_step("Failing over to the secondary", *no));
    }
    half.job.push_back({move_kind(record), NodeId()});
  }
  if (auto no = replace_secondary(half.overlay, half.record, target, force)) {
    return tl::unexpected(failed_step("Changing secondary to new primary", *no));
  }
  half.job.push_back({Kind::ReplaceSecondary, target});
  if (auto no = fail_over(half.overlay, half.record, force)) {
    return tl::unexpected(failed_step("Failing over to new primary", *no));
  }
  half.job.push_back({move_kind(record), NodeId()});
  return half;
}

}  // namespace ballast::ganeti::alloc
