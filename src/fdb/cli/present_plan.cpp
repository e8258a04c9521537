// SPDX-License-Identifier: BSD-2-Clause
#include "ballast/fdb/cli/present.hpp"
#include "ballast/fdb/search/simulate.hpp"

namespace ballast::fdb {

Answer present_plan(const Loaded& loaded, const ClusterSpec& desired, const Settings& settings, std::string_view preface,
                    cli::Streams& streams) {
  const Simulation simulation = simulate(loaded.snapshot, desired, settings.plan);
  if (settings.format == Format::Text) streams.out(preface);
  streams.out(to_brief(simulation.steps));
  if (simulation.ending == Ending::Blocked) return cli::kBlocked;
  return settings.detailed_exit_code && !simulation.steps.empty() ? cli::kHasChanges : cli::kDone;
}

}  // namespace ballast::fdb
