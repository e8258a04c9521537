// SPDX-License-Identifier: BSD-2-Clause
// hbal: the moves that balance a Ganeti cluster.
#include "ballast/core/decimal.hpp"
#include "ballast/core/strings.hpp"
#include "ballast/ganeti/backend/text/text.hpp"
#include "ballast/ganeti/cli/balance/better_plan.hpp"
#include "ballast/ganeti/cli/balance/mending.hpp"
#include "ballast/ganeti/cli/balance/report.hpp"
#include "ballast/ganeti/cli/delivery/plan_delivery.hpp"
#include "ballast/ganeti/cli/options/start_with.hpp"
#include "ballast/ganeti/cli/sources/load.hpp"
#include "ballast/ganeti/cli/sources/saving.hpp"
#include "ballast/ganeti/cli/tables/listing.hpp"

#include "tools/ganeti_tools.hpp"

#include <fmt/format.h>

namespace ballast::tools {
namespace {

using namespace ganeti::cli;  // NOLINT(google-build-using-namespace): the tool is made of these

const Frame& frame() {
  static const Frame kFrame{
      {"hbal", "", "Proposes the moves that balance a Ganeti cluster. Nothing is executed.", {}},
      {"print-nodes", "print-instances", "print-commands", "text-data", "evac-mode",
       "restricted-migration", "master", "luxi", "ialloc-src", "exec", "first-job-group", "reason",
       "group", "max-length", "verbose", "quiet", "offline", "static-kvm-node-memory", "min-score",
       "max-cpu", "min-disk", "min-gain", "min-gain-limit", "no-disk-moves", "select-instances",
       "no-instance-moves", "ignore-soft-errors", "dynu-file", "ignore-dynu", "mond", "mond-data",
       "exit-on-missing-mond-data", "mond-xen", "exclusion-tags", "exclude-instances", "save",
       "priority",
       // ours
       "timeout", "answer-limit", "rapi-ca", "rapi-any-name", "rapi-user-file", "ignore-storage",
       "state-of-record", "corrected-n1", "default-storage", "reserve", "worst-load", "add-node",
       "rules", "pin", "apart", "together", "exclude-nodes", "forbid-unit", "json", "format",
       "output", "save-plan", "metrics", "quiet-if-nothing", "report", "rate", "parallel",
       "explain", "detailed-exit-code", "threads"},
      ""};
  return kFrame;
}

/// Steps 3 to 9 of the run: what is said about the whole cluster. An exit status where the run ends
/// here.
OrExit<void> present_cluster(ganeti::Snapshot& snapshot, const Settings& settings, Output& output) {
  const bool verbose = settings.output.verbosity > 1;
  std::string original;
  if (settings.output.save_file) original = ganeti::write_text(snapshot.cluster, snapshot.state);
  if (verbose) output.say(verbose_cluster_lines(snapshot.cluster));
  if (auto limited = apply_limits(snapshot, settings.limits, output); !limited) return limited;
  const ganeti::Cluster& cluster = snapshot.cluster;
  if (cluster.instances.empty()) {
    output.say("Cluster is empty, exiting.\n");
    return tl::unexpected(deliver_plan(
        snapshot, ganeti::whole_part(cluster), settings, false,
        [&] { return empty_plan(settings); }, output));
  }
  if (verbose) output.note(split_instances_text(snapshot));
  output.say(fmt::format("Loaded {} nodes, {} instances\n", cluster.nodes.size(),
                         cluster.instances.size()));
  if (verbose && !cluster.common_suffix.empty()) {
    output.say(
        fmt::format("Note: Stripping common suffix of '{}' from names\n", cluster.common_suffix));
  }
  if (!settings.output.save_file) return {};
  return save_text(original, *settings.output.save_file + ".original", "before balancing", output);
}

/// The listings of -p and --print-instances.
OrExit<void> print_listings(const ganeti::Cluster& cluster, const ganeti::State& state,
                            const ganeti::Part& part, const OutputSettings& settings,
                            std::string_view when, Output& output) {
  if (settings.print_instances) {
    output.note(fmt::format("\n{} instance map:\n", when));
    const auto table = ganeti::cli::instance_table(cluster, state, part);
    if (!table)
      return tl::unexpected(
          output.fail(foreign_secondary_line(cluster, table.error(), part, output)));
    output.note(*table);
  }
  if (settings.node_fields) {
    output.note(node_listing(cluster, state, part.nodes, *settings.node_fields,
                             fmt::format("{} cluster status:", when)));
  }
  return {};
}

/// Steps 20 to 27: the plan and what surrounds it.
OrExit<void> print_plan(const ganeti::Snapshot& snapshot, const ganeti::Part& part,
                        const BalanceReport& report, const FoundPlan& found,
                        const Settings& settings, Output& output) {
  const OutputSettings& how = settings.output;
  output.say(found.heading);
  for (const std::string& line : report.step_lines()) {
    output.say(line);
    output.flush();
  }
  if (report.result().stop == ganeti::BalanceStop::ReferenceWouldDie) {
    return tl::unexpected(
        output.fail(missing_secondary_line(snapshot.cluster, report.result().state, part)));
  }
  output.say((found.is_settled ? std::string() : report.summary()) + found.remark);
  output.say(
      breach_lines("Rules that stay broken:\n", snapshot.cluster, report.result().state, part));
  if (how.commands_file) {
    if (auto printed = report.print_commands(*how.commands_file, output); !printed) return printed;
  }
  if (how.save_file) {
    auto saved = save_part(snapshot.cluster, report.result().state, part,
                           *how.save_file + ".balanced", "after balancing", output);
    if (!saved) return saved;
  }
  if (auto listed =
          print_listings(snapshot.cluster, report.result().state, part, how, "Final", output);
      !listed)
    return listed;
  if (how.verbosity > 3) output.say(report.totals());
  return {};
}

Exit deliver(const ganeti::Snapshot& snapshot, const ganeti::Part& part,
             const BalanceReport& report, const Settings& settings, Output& output) {
  return deliver_plan(
      snapshot, part, settings, settings.balance.ignore_soft_errors, [&] { return report.plan(); },
      output);
}

Exit balance_group(const ganeti::Snapshot& snapshot, const ganeti::Part& part,
                   const Settings& settings, const SearchWish& wish, Output& output) {
  const ganeti::Cluster& cluster = snapshot.cluster;
  output.say(fmt::format("Group size {} nodes, {} instances\nSelected node group: {}\n",
                         part.nodes.size(), part.instances.size(), cluster[part.group].name));
  output.say(health_text(snapshot, part, settings));
  const std::string broken =
      breach_lines("Rules that are broken:\n", cluster, snapshot.state, part);
  output.say(broken);
  if (auto listed =
          print_listings(cluster, snapshot.state, part, settings.output, "Initial", output);
      !listed) {
    return listed.error();
  }
  const InitialScore initial(snapshot, part);
  output.say(initial.text(settings.output.verbosity));
  if (settings.tool.explained_instance) {
    const auto explained = explain_instance(snapshot, part, settings, output);
    return explained ? ballast::cli::kDone : explained.error();
  }
  if (!wish.has_other_aim() && broken.empty() && initial.is_good_enough(settings.balance)) {
    output.say(initial.nothing_to_do(settings.balance));
    return deliver(snapshot, part,
                   BalanceReport(snapshot, part, initial.unchanged(snapshot), settings), settings,
                   output);
  }
  auto found = find_plan(snapshot, part, settings, wish, output);
  if (!found) return found.error();
  BalanceReport report(snapshot, part, found->result, settings);
  report.add_options(shaping_options(wish));
  report.add_findings(found->notes, found->blocked);
  if (auto printed = print_plan(snapshot, part, report, *found, settings, output); !printed)
    return printed.error();
  if (settings.tool.execute && !report.result().steps.empty()) {
    return output.fail_with("hbal: Execution of commands possible only on LUXI");
  }
  return deliver(snapshot, part, report, settings, output);
}

/// Each of these is one question; a second one would be left without an answer.
std::string too_many_aims(const Settings& settings, const SearchWish& wish) {
  std::vector<std::string> aims;
  if (settings.tool.explained_instance) aims.emplace_back("--explain");
  if (wish.room) aims.emplace_back("--make-room");
  if (wish.only_storage) aims.emplace_back("--only-storage");
  if (wish.repair) aims.emplace_back("--repair");
  if (!wish.only_above.empty()) aims.emplace_back("--only-above");
  if (wish.is_wanted) aims.emplace_back("--search");
  if (aims.size() < 2) return "";
  return fmt::format("{} and {} cannot be asked together", aims[0], aims[1]);
}

}  // namespace

int run_hbal(const cli::Invocation& invocation, cli::Streams& streams) {
  SearchWish wish;
  auto started = start_with(frame(), search_options(wish), invocation, streams);
  if (!started) return started.error();
  started->settings.load.counts_once = wish.is_wanted || wish.has_other_aim();
  const Settings& settings = started->settings;
  Output output(streams, "hbal", invocation.program, settings.output.format,
                settings.output.detailed_exit_code);
  const bool is_live = settings.source.luxi_socket || !settings.source.rapi_address.empty();
  if (settings.tool.execute && is_live) {
    return output.fail(
        "hbal: -X (--exec): this suite only plans; run the commands that -C prints\n");
  }
  if (settings.tool.explained_instance && settings.output.format == cli::PlanFormat::Shell) {
    return output.wrong_usage(
        "--format shell: --explain makes no plan; expected one of text|brief|json|markdown|html");
  }
  if (const std::string complaint = too_many_aims(settings, wish); !complaint.empty())
    return output.wrong_usage(complaint);
  auto snapshot = load_snapshot(settings, output);
  if (!snapshot) return snapshot.error();
  if (wish.is_wanted || wish.has_other_aim()) {
    if (const auto unique = need_unique_names(*snapshot, output); !unique) return unique.error();
  }
  if (auto presented = present_cluster(*snapshot, settings, output); !presented)
    return presented.error();
  const auto part = choose_group(*snapshot, settings.tool.group, output);
  if (!part) return part.error();
  return balance_group(*snapshot, *part, settings, wish, output);
}

}  // namespace ballast::tools
