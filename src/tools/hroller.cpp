// SPDX-License-Identifier: BSD-2-Clause
// hroller: which nodes can reboot together.
#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <string>
#include <vector>

#include "ballast/core/strings.hpp"
#include "ballast/ganeti/cli/delivery/plan_delivery.hpp"
#include "ballast/ganeti/cli/maintenance/reboot_report.hpp"
#include "ballast/ganeti/cli/maintenance/stuck_text.hpp"
#include "ballast/ganeti/cli/options/start.hpp"
#include "ballast/ganeti/cli/sources/load.hpp"
#include "ballast/ganeti/cli/sources/opening.hpp"
#include "ballast/ganeti/cli/sources/saving.hpp"
#include "ballast/ganeti/model/ids_of.hpp"
#include "ballast/ganeti/rules/placement_rules.hpp"
#include "ballast/ganeti/search/reboot/reboot.hpp"
#include "ballast/ganeti/search/reboot/steps.hpp"
#include "tools/ganeti_tools.hpp"

namespace ballast::tools {
namespace {

using namespace ganeti;
using ganeti::cli::Frame;
using ganeti::cli::OrExit;
using ganeti::cli::Output;
using ganeti::cli::Settings;

const Frame& frame() {
  static const Frame kFrame{{"hroller",
                             "hroller -t FILE [OPTION...]",
                             "Splits the nodes into groups that can be rebooted at the same time, "
                             "with the moves that empty them first.",
                             {}},
                            {"luxi",
                             "master",
                             "text-data",
                             "ialloc-src",
                             "offline",
                             "offline-maintenance",
                             "verbose",
                             "quiet",
                             "no-headers",
                             "node-tags",
                             "save",
                             "group",
                             "print-moves",
                             "full-evacuation",
                             "skip-non-redundant",
                             "ignore-non-redundant",
                             "force",
                             "one-step-only",
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
                             "rapi-ca",
                             "rapi-any-name",
                             "rapi-user-file",
                             "ignore-storage",
                             "state-of-record",
                             "corrected-n1",
                             "shared-movable",
                             "json",
                             "format",
                             "output",
                             "save-plan",
                             "report",
                             "rate",
                             "parallel",
                             "detailed-exit-code"},
                            ""};
  return kFrame;
}

/// None: no master, and that is tolerated.
OrExit<NodeId> find_master(const Cluster& cluster, bool tolerate_none, Output& output) {
  NodeId master;
  std::vector<std::string> names;
  for (const NodeId node : node_ids(cluster)) {
    if (!cluster[node].is_master) continue;
    master = node;
    names.push_back(cluster[node].name);
  }
  if (names.size() > 1) {
    return tl::unexpected(
        output.fail_with("Found more than one master node: " + shown_list(names)));
  }
  if (names.empty()) {
    constexpr std::string_view kText = "No master node found (maybe not supported by backend).";
    if (!tolerate_none) return tl::unexpected(output.fail_with(kText));
    output.note(fmt::format("Warning: {}\n", kText));
  }
  return master;
}

/// None: no group was asked for.
OrExit<GroupId> find_group(const Cluster& cluster, const std::optional<std::string>& wanted,
                           Output& output) {
  if (!wanted) return GroupId();
  GroupId found;
  int count = 0;
  for (std::size_t g = 0; g < cluster.groups.size(); ++g) {
    if (cluster.groups[g].name != *wanted && cluster.groups[g].uuid != *wanted) continue;
    found = GroupId(g);
    ++count;
  }
  if (count != 1) return tl::unexpected(output.fail_with("Cannot find target group."));
  return found;
}

RebootOptions options_of(const Settings& settings, GroupId group, NodeId master) {
  RebootOptions options;
  options.offline_maintenance = settings.tool.offline_maintenance;
  options.ignore_non_redundant = settings.tool.ignore_non_redundant;
  options.skip_non_redundant = settings.tool.skip_non_redundant;
  options.full_evacuation = settings.tool.full_evacuation;
  options.shared_is_movable = settings.tool.shared_is_movable;
  options.node_tags = settings.tool.node_tags;
  options.only_group = group;
  options.master = master;
  return options;
}

std::string_view text_of(RebootFailure failure) {
  switch (failure) {
    case RebootFailure::NoNodes:
      return "Cannot create node graph";
    case RebootFailure::NonRedundant:
      return "Not enough capacity to move non-redundant instances";
    case RebootFailure::Migration:
      return "Failed to migrate instances off nodes";
    case RebootFailure::Secondaries:
      return "Not enough capacity to move secondaries";
    case RebootFailure::ReferenceWouldDie:
      return "A drbd instance without a secondary node cannot be migrated";
  }
  return "";
}

}  // namespace

int run_hroller(const ballast::cli::Invocation& invocation, ballast::cli::Streams& streams) {
  auto run = ganeti::cli::open_run(frame(), invocation, streams);
  if (!run) return run.error();
  const Settings& settings = run->settings;
  Output& output = run->output;
  Snapshot& snapshot = run->snapshot;
  const auto master = find_master(snapshot.cluster, settings.tool.force, output);
  if (!master) return master.error();
  const Snapshot loaded = snapshot;
  if (const auto limited = ganeti::cli::apply_limits(snapshot, settings.limits, output); !limited)
    return limited.error();
  if (settings.output.save_file) {
    const auto saved = ganeti::cli::save_cluster(loaded.cluster, loaded.state,
                                                 *settings.output.save_file + ".original",
                                                 "before hroller run", output);
    if (!saved) return saved.error();
  }
  const auto group = find_group(snapshot.cluster, settings.tool.group, output);
  if (!group) return group.error();

  const Cluster& cluster = snapshot.cluster;
  const RebootOptions options = options_of(settings, *group, *master);
  const RebootPlan plan = plan_reboots(cluster, snapshot.state, options);
  const bool has_graph = plan.failure != RebootFailure::NoNodes;
  if (has_graph && settings.output.verbosity > 2)
    output.say(ganeti::cli::reboot_graph_line(plan.graph));
  if (plan.failure) {
    const std::string stuck = ganeti::cli::stuck_text(cluster, snapshot.state, plan);
    const int status = output.fail_with(text_of(*plan.failure), stuck);
    // Rules are our own, and so is what is said of them.
    if (!cluster.rules.empty() && !stuck.empty()) output.note(stuck + "\n");
    return status;
  }
  if (settings.output.verbosity > 1) output.say(ganeti::cli::colouring_line(plan.colourings));
  output.say(ganeti::cli::reboot_groups_text(
      cluster, plan,
      {!settings.output.no_headers, settings.tool.print_moves, settings.tool.one_step_only}));
  const Part part =
      group->is_none() ? whole_part(cluster) : part_of(cluster, snapshot.state, *group);
  return ganeti::cli::deliver_plan(
      snapshot, part, settings, true,
      [&] {
        return reboot_plan(cluster, snapshot.state, part, plan, options,
                           settings.tool.one_step_only);
      },
      output);
}

}  // namespace ballast::tools
