// SPDX-License-Identifier: BSD-2-Clause
// What the monitoring daemons of the nodes measured.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "ballast/core/result.hpp"
#include "ballast/ganeti/backend/transport/http.hpp"
#include "ballast/ganeti/model/snapshot.hpp"

namespace ballast::ganeti {

enum class Collector { CpuAverage, XenCpuAverage };

/// "cpu-avg-load", "xen-cpu-avg-load": as the daemon names it.
std::string_view name_of(Collector collector);

/// One node's usable report: the first field or the second, as the collector has it.
struct Measurement {
  double cpu_total = 0;  ///< load of all CPUs
  std::map<std::string, double> cpu_by_instance;
};

/// Usable reports by node name; nodes that have none are missing.
using Measurements = std::map<std::string, Measurement>;

/// A file of reports of all nodes. Errors in the reference's words, without "can't parse MonD data:
/// ".
Result<Measurements> read_monitoring_file(std::string text, Collector collector);

/// One report, as a daemon gives it; none: not usable.
std::optional<Measurement> read_monitoring_answer(std::string body, Collector collector);

/// Asks the daemon of every node in turn. `unreachable` gets the names of nodes that could not be
/// asked.
Measurements fetch_measurements(const Cluster& cluster, Collector collector,
                                const HttpOptions& options, std::vector<std::string>& unreachable);

enum class MissingData { None, SomeNodes, SomeInstances };

/// Puts the measured loads in place of the assumed ones, if data of every node, offline ones
/// included, are there (for Xen: of every instance); otherwise nothing changes.
struct Applied {
  MissingData missing = MissingData::None;
  std::vector<std::string> instances;  ///< with SomeInstances: which, sorted
};
Applied apply_measurements(Snapshot& snapshot, const Measurements& measurements,
                           Collector collector);

}  // namespace ballast::ganeti
