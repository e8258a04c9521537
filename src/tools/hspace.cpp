// SPDX-License-Identifier: BSD-2-Clause
// hspace: how many more instances fit.
#include <fmt/format.h>

#include <string>
#include <vector>

#include "ballast/core/decimal.hpp"
#include "ballast/ganeti/cli/capacity/forecast.hpp"
#include "ballast/ganeti/cli/capacity/run.hpp"
#include "ballast/ganeti/cli/sources/load.hpp"
#include "ballast/ganeti/cli/tables/listing.hpp"
#include "ballast/ganeti/score/metrics.hpp"
#include "tools/ganeti_tools.hpp"

namespace ballast::tools {
namespace {

using namespace ganeti::cli;  // NOLINT(google-build-using-namespace): the tool is made of these

const Frame& frame() {
  static const Frame kFrame{
      {"hspace",
       "",
       "Says how many more instances fit on a cluster, with sizes that shrink and with a fixed "
       "one.",
       {}},
      {"print-nodes", "text-data", "disk-template", "spindle-use", "simulate", "master", "luxi",
       "ialloc-src", "verbose", "quiet", "independent-groups", "accept-existing-errors", "offline",
       "no-capacity-checks", "machine-readable", "max-cpu", "max-length", "min-disk",
       "standard-alloc", "tiered-alloc", "save", "static-kvm-node-memory",
       // ours
       "timeout", "answer-limit", "rapi-ca", "rapi-any-name", "rapi-user-file", "ignore-storage",
       "state-of-record", "corrected-n1", "default-storage", "reserve", "add-node", "rules", "pin",
       "apart", "together", "exclude-nodes", "forbid-unit", "thorough", "no-worse",
       "explain@hspace", "forecast", "dates", "json", "format@document", "output", "metrics",
       "report@document"},
      ""};
  return kFrame;
}

/// What is said on standard error before anything is computed.
void note_opening(const ganeti::Snapshot& snapshot, const Settings& settings, Output& output) {
  const ganeti::Cluster& cluster = snapshot.cluster;
  const int verbosity = settings.output.verbosity;
  const std::vector<ganeti::NodeId> nodes = whole_part(cluster).nodes;
  if (verbosity > 1 && !cluster.common_suffix.empty()) {
    output.note(
        fmt::format("Note: Stripping common suffix of '{}' from names\n", cluster.common_suffix));
  }
  if (settings.output.node_fields) {
    output.note(node_listing(cluster, snapshot.state, nodes, *settings.output.node_fields,
                             "Initial cluster status:"));
  }
  if (verbosity > 2) {
    const ganeti::ScoreDetail score = score_detail(cluster, snapshot.state, nodes);
    output.note(fmt::format("Initial coefficients: overall {}\n{}", fixed(score.total, 8),
                            score_table(cluster, score)));
  }
}

}  // namespace

int run_hspace(const ballast::cli::Invocation& invocation, ballast::cli::Streams& streams) {
  const auto started = start(frame(), invocation, streams);
  if (!started) return started.error();
  const Settings& settings = started->settings;
  Output output(streams, "hspace", invocation.program, settings.output.format);
  if (settings.tool.forecast) return tell_forecast(started->arguments, settings, output);
  if (!started->arguments.empty())
    return output.fail_with("This program doesn't take any arguments.");
  if (!output.is_text() && settings.output.machine_readable) {
    return output.wrong_usage(fmt::format(
        "{} and --machine-readable exclude each other",
        output.json() ? "--json"
                      : fmt::format("--format {}", ballast::cli::word_of(settings.output.format))));
  }

  auto snapshot = load_snapshot(settings, output);
  if (!snapshot) return snapshot.error();
  if (const auto limited = apply_limits(*snapshot, settings.limits, output); !limited)
    return limited.error();
  if (snapshot->cluster.policy.disk_templates.empty())
    return output.fail_with("null list of disk templates received from cluster");
  note_opening(*snapshot, settings, output);

  auto presentation = CapacityPresentation::begin(*snapshot, settings, output);
  if (!presentation) return presentation.error();
  if (const auto told = presentation->tell_scope(); !told) return told.error();
  if (const auto told = presentation->tell_tiered(); !told) return told.error();
  if (const auto told = presentation->tell_standard(); !told) return told.error();
  if (const auto told = presentation->tell_more(); !told) return told.error();
  return presentation->end();
}

}  // namespace ballast::tools
