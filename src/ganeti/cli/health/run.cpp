// SPDX-License-Identifier: BSD-2-Clause
#include "ballast/ganeti/cli/health/run.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "ballast/ganeti/cli/tables/unit_table.hpp"

namespace ballast::ganeti::cli {
namespace {

bool is_incomplete(std::span<const GroupHealth> groups) {
  return std::any_of(groups.begin(), groups.end(),
                     [](const GroupHealth& group) { return group.is_incomplete; });
}

std::string_view headline(bool no_simulation, bool needs_rebalancing) {
  if (no_simulation) return "Running in no-simulation mode.\n";
  return needs_rebalancing ? "Cluster needs rebalancing.\n"
                           : "No need to rebalance cluster, no problems found.\n";
}

}  // namespace

HealthRun::HealthRun(const Snapshot& snapshot, const Settings& settings)
    : snapshot_(snapshot),
      settings_(settings),
      parts_(parts_of(snapshot.cluster, snapshot.state)) {}

bool HealthRun::is_silent() const {
  const OutputSettings& how = settings_.output;
  return how.verbosity < 1 && !how.machine_readable && how.format == ballast::cli::PlanFormat::Text;
}

Exit HealthRun::status() const {
  return needs_rebalancing_ && !settings_.tool.no_simulation ? ballast::cli::kFailed
                                                             : ballast::cli::kDone;
}

OrExit<void> HealthRun::report(Output& output) {
  const bool no_simulation = settings_.tool.no_simulation;
  // The reference computes only what it prints or needs for its exit status, and so dies less often
  // when it is silent.
  const bool is_asked = settings_.tool.doctor || settings_.output.metrics_file.has_value() ||
                        settings_.output.wants_page();
  if (is_silent() && no_simulation && !is_asked) return {};
  if (auto said = say_initial(output); !said) return said;
  if (is_silent() && !is_asked) return {};
  if (needs_rebalancing_ && !no_simulation)
    rebalancing_ = rebalance(snapshot_.cluster, snapshot_.state, parts_, settings_.balance);
  if (rebalancing_ || settings_.output.machine_readable) return say_final(output);
  if (!is_silent()) output.say(unit_tables());
  return {};
}

OrExit<void> HealthRun::say_initial(Output& output) {
  initial_ =
      check_groups(snapshot_.cluster, snapshot_.state, parts_, settings_.tool.capacity_checks);
  needs_rebalancing_ = ganeti::needs_rebalancing(initial_);
  const bool is_partial = is_incomplete(initial_);
  if (settings_.output.machine_readable) {
    output.say(group_uuid_lines(snapshot_.cluster));
  } else if (is_partial && !settings_.tool.no_simulation) {
    return tl::unexpected(fail_as_incomplete(output));  // the headline cannot be told
  } else if (!is_silent()) {
    output.say(headline(settings_.tool.no_simulation, needs_rebalancing_));
  }
  say_groups(initial_, Stage::Initial, output);
  if (is_partial) return tl::unexpected(fail_as_incomplete(output));
  return {};
}

OrExit<void> HealthRun::say_final(Output& output) {
  const State& state = rebalancing_ ? rebalancing_->state : snapshot_.state;
  const std::size_t done = rebalancing_ ? rebalancing_->parts_done : parts_.size();
  final_ = check_groups(snapshot_.cluster, state, std::span(parts_).first(done),
                        settings_.tool.capacity_checks);
  const bool is_partial = is_incomplete(final_) || done < parts_.size();
  if (!is_partial) {
    say_groups(final_, Stage::Final, output);
    if (!is_silent()) output.say(unit_tables());
    return {};
  }
  output.say(settings_.output.machine_readable
                 ? group_lines(final_, Stage::Final)
                 : group_blocks(snapshot_.cluster, final_, Stage::Final));
  return tl::unexpected(fail_as_incomplete(output));
}

/// The blocks of the groups and, unless one is incomplete, of the cluster.
void HealthRun::say_groups(std::span<const GroupHealth> groups, Stage stage, Output& output) const {
  if (is_silent()) return;
  const bool with_cluster = !is_incomplete(groups);
  if (settings_.output.machine_readable) {
    output.say(group_lines(groups, stage));
    if (with_cluster) output.say(cluster_lines(groups, needs_rebalancing_, stage));
    if (with_cluster && stage == Stage::Final) output.say("HCHECK_OK=1\n");
    return;
  }
  output.say(group_blocks(snapshot_.cluster, groups, stage));
  if (with_cluster) output.say(cluster_block(groups, needs_rebalancing_, stage));
}

int HealthRun::fail_as_incomplete(Output& output) const {
  return output.fail(incomplete_line(snapshot_.cluster, snapshot_.state, parts_));
}

std::string HealthRun::unit_tables() const {
  if (settings_.output.machine_readable) return "";
  std::string text;
  for (const Part& part : parts_) {
    const std::string table = unit_table(snapshot_.cluster, snapshot_.state, part.nodes,
                                         rebalancing_ ? &rebalancing_->state : nullptr);
    if (table.empty()) continue;
    text += fmt::format("\nGroup {}: {}", snapshot_.cluster[part.group].name, table);
  }
  return text;
}

}  // namespace ballast::ganeti::cli
