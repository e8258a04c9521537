// SPDX-License-Identifier: BSD-2-Clause
// A cluster as tables of a report document. Names are full names; sizes are in bytes.
#pragma once

#include <span>
#include <vector>

#include "ballast/core/value.hpp"
#include "ballast/ganeti/model/cluster.hpp"
#include "ballast/ganeti/score/metrics.hpp"
#include "ballast/report/document.hpp"

namespace ballast::ganeti::cli {

/// null where there is none.
Value name_of(const Cluster& cluster, NodeId node);

report::DataTable node_rows(const Cluster& cluster, const State& state,
                            std::span<const NodeId> nodes);
report::DataTable instance_rows(const Cluster& cluster, const State& state,
                                std::span<const InstanceId> instances);
/// One row per unit of each set of nodes; no rows where storage does not count. With `after`, the
/// metric after a plan, too.
report::DataTable unit_rows(const Cluster& cluster, const State& state, std::span<const Part> parts,
                            const State* after = nullptr);
report::DataTable metric_rows(const Cluster& cluster, const ScoreDetail& score);

}  // namespace ballast::ganeti::cli
