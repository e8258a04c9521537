// SPDX-License-Identifier: BSD-2-Clause
#include "ballast/ganeti/cli/sources/monitoring.hpp"

#include "ballast/core/strings.hpp"
#include "ballast/ganeti/backend/json/json.hpp"
#include "ballast/ganeti/backend/mond/mond.hpp"
#include "ballast/ganeti/cli/sources/live_source.hpp"
#include "source.hpp"

#include <fmt/format.h>

namespace ballast::ganeti::cli {
namespace {

OrExit<Measurements> read_file_measurements(const std::string& path, Collector collector,
                                            Output& output) {
  auto text = read_file_raw(path);
  if (!text) return tl::unexpected(output.fail_on_file(path, text.error()));
  auto measurements = read_monitoring_file(std::move(*text), collector);
  if (measurements) return std::move(*measurements);
  if (measurements.error().message == json::kBadBytes)
    return tl::unexpected(output.fail(invalid_bytes_line(output, path)));
  return tl::unexpected(output.fail_with("can't parse MonD data: " + measurements.error().message));
}

Measurements ask_daemons(const Cluster& cluster, Collector collector, const SourceSettings& source,
                         Output& output) {
  std::vector<std::string> unreachable;
  Measurements measurements =
      fetch_measurements(cluster, collector, http_options(source), unreachable);
  for (const std::string& node : unreachable) {
    output.note(
        fmt::format("Failed to contact node's {} MonD for DC {}\n", node, name_of(collector)));
  }
  return measurements;
}

void say_what_is_missing(const Applied& applied, Collector collector, Output& output) {
  if (applied.missing == MissingData::SomeNodes) {
    output.note(fmt::format("Didn't receive an answer by all MonDs, {}'s data will be ignored.\n",
                            name_of(collector)));
  } else if (applied.missing == MissingData::SomeInstances) {
    output.note(fmt::format("No CPU information available for {}\n",
                            shown_list(std::span<const std::string>(applied.instances))));
  }
}

}  // namespace

OrExit<void> apply_monitoring(Snapshot& snapshot, const Settings& settings, Output& output) {
  const LoadSettings& load = settings.load;
  if (!load.monitoring) return {};
  const Collector collector =
      load.monitoring_xen ? Collector::XenCpuAverage : Collector::CpuAverage;
  Measurements measurements;
  if (load.monitoring_file) {
    auto from_file = read_file_measurements(*load.monitoring_file, collector, output);
    if (!from_file) return tl::unexpected(from_file.error());
    measurements = std::move(*from_file);
  } else if (!load.ignore_dynamic) {
    measurements = ask_daemons(snapshot.cluster, collector, settings.source, output);
  }
  if (load.ignore_dynamic) return {};
  const Applied applied = apply_measurements(snapshot, measurements, collector);
  say_what_is_missing(applied, collector, output);
  if (applied.missing == MissingData::None || !load.monitoring_must_be_complete) return {};
  return tl::unexpected(output.fail_with("Not all required data available"));
}

}  // namespace ballast::ganeti::cli
