// SPDX-License-Identifier: BSD-2-Clause
// hcheck: is the cluster healthy, and would rebalancing mend it?
#include <string>
#include <vector>

#include "ballast/ganeti/cli/cluster_documents.hpp"
#include "ballast/ganeti/cli/health_run.hpp"
#include "ballast/ganeti/cli/load.hpp"
#include "ballast/ganeti/cli/start.hpp"
#include "ballast/ganeti/search/group_health.hpp"
#include "tools/ganeti_tools.hpp"

namespace ballast::tools {
namespace {

using namespace ganeti;  // NOLINT(google-build-using-namespace): the tool is made of these
using ganeti::cli::Frame;
using ganeti::cli::Output;
using ganeti::cli::Settings;

const Frame& frame() {
  static const Frame kFrame{
      {"hcheck",
       "hcheck -t FILE [OPTION...]",
       "Checks the health of a cluster and whether rebalancing would mend it. Nothing is executed.",
       {}},
      {"text-data", "no-disk-moves", "dynu-file", "ignore-dynu", "evac-mode", "exclude-instances",
       "exclusion-tags", "ialloc-src", "no-instance-moves", "luxi", "machine-readable", "max-cpu",
       "max-length", "min-disk", "min-gain", "min-gain-limit", "min-score", "ignore-soft-errors",
       "no-simulation", "offline", "quiet", "master", "select-instances", "no-capacity-checks",
       "verbose",
       // ours
       "timeout", "rapi-ca", "rapi-any-name", "ignore-storage", "default-storage", "threads",
       "json"},
      ""};
  return kFrame;
}

}  // namespace

int run_hcheck(const ballast::cli::Invocation& invocation, ballast::cli::Streams& streams) {
  const auto started = ganeti::cli::start_without_arguments(frame(), invocation, streams);
  if (!started) return started.error();
  const Settings& settings = started->settings;
  Output output(streams, "hcheck", invocation.program, settings.output.json);
  if (output.json() && settings.output.machine_readable)
    return output.fail("hcheck: --json and --machine-readable exclude each other\n");
  auto snapshot = ganeti::cli::load_snapshot(settings, output);
  if (!snapshot) return snapshot.error();
  if (const auto limited = ganeti::cli::apply_limits(*snapshot, settings.limits, output); !limited)
    return limited.error();
  ganeti::cli::HealthRun run(*snapshot, settings);
  if (const auto reported = run.report(output); !reported) return reported.error();
  if (output.json()) {
    output.document(
        report::document_to_json(ganeti::cli::health_document(*snapshot, run, settings)));
  }
  return run.status();
}

}  // namespace ballast::tools
