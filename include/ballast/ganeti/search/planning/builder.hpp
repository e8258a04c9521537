// SPDX-License-Identifier: BSD-2-Clause
// A balancing result as the value that all renderers print.
#pragma once

#include "ballast/ganeti/model/cluster.hpp"
#include "ballast/ganeti/score/metrics.hpp"
#include "ballast/ganeti/search/balance/balance.hpp"
#include "ballast/plan/plan.hpp"

#include <string>
#include <vector>

namespace ballast::ganeti {

/// Why a step was chosen: the metric whose weighted value falls most, and for the storage metric
/// the unit whose deviation falls most.
struct StepReason {
  MetricId metric = MetricId::FreeMem;
  double gain = 0;    ///< by how much the score falls
  StorageKeyId unit;  ///< none: not a matter of one unit
};

/// One reason per step. Precondition: the steps replay.
std::vector<StepReason> step_reasons(const Cluster& cluster, const State& before, const Part& part,
                                     const std::vector<BalanceStep>& steps);

/// Name of a metric for people: "storage_cv of lvm-vg/xenvg", "free_mem_cv".
std::string reason_text(const Cluster& cluster, const StepReason& reason);

/// MiB that the whole plan copies.
std::int64_t total_copied_mib(const Cluster& cluster, const std::vector<BalanceStep>& steps);

/// The metrics before and after, with their storage units.
plan::Score plan_score(const Cluster& cluster, const ScoreDetail& before, const ScoreDetail& after,
                       double lower_bound);

/// Summary of the nodes of a part: name -> memory, disk, counts, storage units. Sizes in bytes.
Value node_summary(const Cluster& cluster, const State& state, const Part& part);

/// The instances of a part with their nodes, memory, disk and virtual CPUs: kind "instance".
Value instance_inventory(const Cluster& cluster, const State& state, const Part& part);

/// Plan::objects: these, and kind "node" with group and location tags where the nodes are of more
/// than one group or have locations.
Value inventory(const Cluster& cluster, const State& state, const Part& part);

/// The steps with their reasons and waits; phases are job sets, numbers count from 1.
std::vector<plan::Step> balance_steps(const Cluster& cluster, const State& before, const Part& part,
                                      const std::vector<BalanceStep>& steps,
                                      const std::vector<std::vector<std::size_t>>& job_sets);

/// The plan without what the tool knows: tool, version, options, fingerprint. Precondition: the
/// steps replay.
plan::Plan balance_plan(const Cluster& cluster, const State& before, const Part& part,
                        const BalanceResult& result,
                        const std::vector<std::vector<std::size_t>>& job_sets,
                        bool ignore_soft_errors);

}  // namespace ballast::ganeti
