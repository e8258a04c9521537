// SPDX-License-Identifier: BSD-2-Clause
// hsqueeze: which nodes can be switched off, or must be switched on.
#include <fmt/format.h>

#include <string>
#include <vector>

#include "ballast/ganeti/cli/delivery/plan_delivery.hpp"
#include "ballast/ganeti/cli/maintenance/squeeze_report.hpp"
#include "ballast/ganeti/cli/options/start.hpp"
#include "ballast/ganeti/cli/sources/load.hpp"
#include "ballast/ganeti/cli/sources/opening.hpp"
#include "ballast/ganeti/cli/sources/saving.hpp"
#include "ballast/ganeti/search/planning/balance_replay.hpp"
#include "ballast/ganeti/search/squeeze/squeeze.hpp"
#include "ballast/ganeti/search/squeeze/steps.hpp"
#include "tools/ganeti_tools.hpp"

namespace ballast::tools {
namespace {

using namespace ganeti;
using ganeti::cli::Frame;
using ganeti::cli::OrExit;
using ganeti::cli::Output;
using ganeti::cli::Settings;

const Frame& frame() {
  static const Frame kFrame{
      {"hsqueeze",
       "hsqueeze -t FILE [OPTION...]",
       "Says which nodes can be switched off so that the others still take a given instance, or "
       "which must be switched on.",
       {}},
      {"luxi",
       "text-data",
       "exec",
       "minimal-resources",
       "target-resources",
       "save",
       "print-commands",
       "verbose",
       "no-headers",
       "static-kvm-node-memory",
       "default-storage",
       "reserve",
       "rules",
       "pin",
       "apart",
       "together",
       "exclude-nodes",
       "forbid-unit",
       "timeout",
       "answer-limit",
       "ignore-storage",
       "state-of-record",
       "corrected-n1",
       "json",
       "format",
       "output",
       "save-plan",
       "quiet-if-nothing",
       "report",
       "rate",
       "parallel",
       "detailed-exit-code"},
      ""};
  return kFrame;
}

void say_plan(const Cluster& cluster, const SqueezePlan& plan, const Settings& settings,
              Output& output) {
  const bool is_verbose = settings.output.verbosity > 1;
  if (is_verbose) output.say(ganeti::cli::squeeze_candidates(cluster, plan));
  output.say(ganeti::cli::squeeze_nodes(cluster, plan, !settings.output.no_headers));
  if (is_verbose && !plan.is_enough)
    output.say("Onlining all nodes will not yield enough capacity\n");
}

/// What the reference has printed before it dies: an expansion is known as such before the moves
/// are.
void say_before_death(const Cluster& cluster, SqueezePlan plan, const Settings& settings,
                      Output& output) {
  if (settings.output.verbosity > 1) output.say(ganeti::cli::squeeze_candidates(cluster, plan));
  if (plan.action != SqueezeAction::Expand) return;
  plan.nodes.clear();
  output.say(ganeti::cli::squeeze_nodes(cluster, plan, !settings.output.no_headers));
}

OrExit<void> give_commands(const SqueezePlan& plan, const Settings& settings, Output& output) {
  if (!settings.output.commands_file) return {};
  return ganeti::cli::give_squeeze_commands(plan, *settings.output.commands_file, output);
}

SqueezeOptions squeeze_options(const Settings& settings, bool keeps_reserved) {
  return {settings.tool.minimal_resources, settings.tool.target_resources, keeps_reserved};
}

std::string_view saved_when(SqueezeAction action) {
  switch (action) {
    case SqueezeAction::Expand:
      return "after hsqueeze expansion";
    case SqueezeAction::Squeeze:
      return "after hsqueeze run";
    case SqueezeAction::Nothing:
      return "after hsqueeze doing nothing";
  }
  return "";
}

}  // namespace

int run_hsqueeze(const ballast::cli::Invocation& invocation, ballast::cli::Streams& streams) {
  auto run = ganeti::cli::open_run(frame(), invocation, streams);
  if (!run) return run.error();
  const Settings& settings = run->settings;
  Output& output = run->output;
  Snapshot& snapshot = run->snapshot;
  if (settings.output.save_file) {
    const auto saved = ganeti::cli::save_cluster(snapshot.cluster, snapshot.state,
                                                 *settings.output.save_file + ".original",
                                                 "before hsqueeze run", output);
    if (!saved) return saved.error();
  }
  const SqueezePlan plan =
      plan_squeeze(snapshot.cluster, snapshot.state, squeeze_options(settings, false));
  if (plan.reference_would_die) {
    say_before_death(snapshot.cluster, plan, settings, output);
    return output.fail_with("a drbd instance without a secondary node cannot be moved");
  }
  if (const auto holds =
          replay(plan.cluster, snapshot.state, whole_part(plan.cluster), plan.balance.steps, false);
      !holds) {
    return output.fail(fmt::format("hsqueeze: internal error: the plan is not shown, since {}\n",
                                   holds.error().message));
  }
  say_plan(snapshot.cluster, plan, settings, output);
  if (const auto given = give_commands(plan, settings, output); !given) return given.error();
  if (settings.tool.execute && plan.action != SqueezeAction::Nothing) {
    return output.fail_with("hsqueeze: Execution of commands possible only on LUXI");
  }
  if (settings.output.save_file) {
    const auto saved = ganeti::cli::save_cluster(plan.cluster, plan.balance.state,
                                                 *settings.output.save_file + ".squeezed",
                                                 saved_when(plan.action), output);
    if (!saved) return saved.error();
  }
  // The text is the reference's; the plan switches nothing off that something was promised to.
  const SqueezePlan own =
      takes_reserved_places(plan, snapshot.state)
          ? plan_squeeze(snapshot.cluster, snapshot.state, squeeze_options(settings, true))
          : plan;
  return ganeti::cli::deliver_plan(
      snapshot, whole_part(snapshot.cluster), settings, false,
      [&] { return squeeze_plan(snapshot.cluster, snapshot.state, own); }, output);
}

}  // namespace ballast::tools
