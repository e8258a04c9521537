// SPDX-License-Identifier: BSD-2-Clause
#include "present.hpp"

#include <fmt/format.h>

#include "analysis_report.hpp"
#include "ballast/core/file.hpp"
#include "ballast/core/words.hpp"
#include "ballast/fdb/cli/drain_report.hpp"
#include "ballast/fdb/cli/groups_report.hpp"
#include "ballast/fdb/cli/spread_report.hpp"
#include "ballast/fdb/search/ask/drain.hpp"
#include "ballast/fdb/search/pass/reconcilers.hpp"
#include "ballast/fdb/search/simulate/simulate.hpp"

namespace ballast::fdb {
namespace {

tl::unexpected<std::vector<Diagnostic>> refuse(std::string code, std::string path,
                                               std::string message) {
  return operators::refusal({std::move(code), std::move(path), std::move(message)});
}

constexpr std::string_view kNoGroups = "no process groups: expected a status, or pods with --kube";

/// How the operator gets there, in a line.
std::string operator_text(const Simulation& simulation) {
  if (simulation.steps.empty()) return "\nthe operator has nothing to do\n";
  std::string text =
      fmt::format("\nthe operator needs {} steps in {} passes (--format brief shows them)\n",
                  simulation.steps.size(), simulation.passes);
  for (const TraceStep& step : simulation.steps) {
    if (step.action == Action::Blocked)
      text += fmt::format("blocked: {}{}{}\n", step.gate, step.observed.empty() ? "" : ": ",
                          step.observed);
  }
  return text;
}

}  // namespace

Answer present_groups(const Loaded& loaded, const Settings& settings, cli::Streams& streams) {
  if (settings.format != Format::Text && settings.format != Format::Json) {
    return operators::wrong_usage({"F018", "--format", "expected text or json for hfdb groups"});
  }
  const Given& given = loaded.snapshot.given;
  if (loaded.snapshot.groups.empty() && !given.pods && !given.volumes && !given.services &&
      !given.database)
    return refuse("F017", "--current", std::string(kNoGroups));
  World world = make_world(loaded.snapshot, loaded.snapshot.spec, settings.plan);
  update_status(world);
  const GroupTable table = group_table(world);
  if (!settings.write_status.empty()) {
    const bool as_map = settings.plan.profile == Profile::Seed;
    const std::string text = doc::emit_yaml(cluster_node(world, loaded.current_spec, as_map));
    if (const auto written = write_file(settings.write_status, text); !written) {
      return operators::refusal(
          {"F001", "--write-status", written.error().message, written.error().place});
    }
    if (settings.write_status == "-") return cli::kDone;  // the status is the whole output
  }
  if (settings.is_json()) {
    streams.out(report::document_to_json(groups_document(table, loaded.snapshot)));
  } else {
    streams.out(groups_to_text(table, loaded.snapshot));
  }
  return cli::kDone;
}

Answer present_spread(const Loaded& loaded, const Settings& settings, cli::Streams& streams) {
  const int domains = static_cast<int>(*settings.domains);
  if (std::string refusal = spread_refusal(loaded.desired, domains); !refusal.empty()) {
    return refuse("F014", "--domains", std::move(refusal));
  }
  if (loaded.snapshot.groups.empty()) {
    return refuse("F017", "--current", std::string(kNoGroups));
  }
  ClusterSpec desired = loaded.desired;
  desired.fault_domain.distribution.enabled = true;
  desired.fault_domain.distribution.domains = domains;
  const SpreadOptions options{domains, desired.fault_domain.distribution.is_required,
                              settings.by_class};
  if (settings.format != Format::Text && !settings.is_json())
    return present_plan(loaded, desired, settings, {}, streams);
  const Spread spread = plan_spread(loaded.snapshot, desired, options);
  const Simulation simulation = simulate(loaded.snapshot, desired, settings.plan);
  const bool is_blocked = simulation.ending == Ending::Blocked;
  if (settings.is_json()) {
    report::Document document = spread_document(spread, loaded.snapshot);
    document.summary.set("operator_steps", simulation.steps.size()).set("is_blocked", is_blocked);
    streams.out(report::document_to_json(document));
  } else {
    streams.out(spread_to_text(spread, loaded.snapshot));
    streams.out(operator_text(simulation));
  }
  if (is_blocked) return cli::kBlocked;
  return settings.detailed_exit_code && !simulation.steps.empty() ? cli::kHasChanges : cli::kDone;
}

namespace {

/// Names that the part could have been meant to be.
std::vector<std::string_view> names_like(const DrainPart& part, const Cluster& snapshot) {
  std::vector<std::string_view> names;
  for (const ProcessGroup& group : snapshot.groups) {
    if (part.option == "--node" && group.pod) names.push_back(group.pod->node);
    if (part.option == "--zone") names.push_back(group.fault_domain);
  }
  return names;
}

tl::unexpected<std::vector<Diagnostic>> refuse_part(const DrainPart& part,
                                                    const Cluster& snapshot) {
  const std::string kind =
      part.option == "--node-label" ? "label of a node" : part.option.substr(2);
  return refuse("F017", part.option,
                fmt::format("{}: expected a {} that holds a process group{}", quoted(part.value),
                            kind, did_you_mean(part.value, names_like(part, snapshot))));
}

}  // namespace

Answer present_drain(const Loaded& loaded, const Settings& settings, cli::Streams& streams) {
  if (loaded.snapshot.groups.empty()) return refuse("F017", "--current", std::string(kNoGroups));
  const DrainSelection& wanted = settings.drain;
  const Given& given = loaded.snapshot.given;
  if ((!wanted.nodes.empty() || !wanted.node_labels.empty()) && !given.pods)
    return refuse("F017", "--node", "the nodes of the pods are not known: expected --kube");
  if (!wanted.node_labels.empty() && !given.nodes)
    return refuse("F017", "--node-label",
                  "the labels of the nodes are not known: expected --nodes");
  const std::vector<DrainPart> parts = select_groups(loaded.snapshot, wanted, settings.plan);
  std::string what;
  for (const DrainPart& part : parts) {
    if (part.groups.empty()) return refuse_part(part, loaded.snapshot);
    what += (what.empty() ? "" : ", ") + part.text;
  }
  const std::vector<std::string> ids = groups_of(parts);
  const ClusterSpec desired = with_removals(loaded.desired, ids);
  const auto preface = [&](const std::vector<TraceStep>& steps) -> Opening {
    const std::string head =
        fmt::format("Draining {} of {}/{}: {} group{}\n", what, loaded.snapshot.name_space,
                    loaded.snapshot.name, ids.size(), ids.size() == 1 ? "" : "s");
    const Drain drain = follow_drain(loaded.snapshot, desired, ids, steps);
    return {head + drain_to_text(drain) + "\n", drain_notes(drain)};
  };
  return present_plan(loaded, desired, settings, preface, streams);
}

Answer present_analysis(const Loaded& loaded, const Settings& settings, cli::Streams& streams) {
  if (settings.format != Format::Text && settings.format != Format::Json)
    return operators::wrong_usage({"F018", "--format", "expected text or json for hfdb analyze"});
  if (loaded.snapshot.groups.empty()) return refuse("F017", "--current", std::string(kNoGroups));
  const Analysis analysis = analyse(loaded.snapshot, loaded.desired, settings.plan);
  streams.out(settings.is_json()
                  ? report::document_to_json(analysis_document(analysis, loaded.snapshot))
                  : analysis_to_text(analysis, loaded.snapshot));
  return settings.detailed_exit_code && !analysis.is_well() ? cli::kHasChanges : cli::kDone;
}

Answer present_fixed_addresses(const Loaded& loaded, const Settings& settings,
                               cli::Streams& streams) {
  if (settings.format != Format::Text && settings.format != Format::Json &&
      settings.format != Format::Shell) {
    return operators::wrong_usage(
        {"F018", "--format", "expected text, json or shell for hfdb fix-addresses"});
  }
  if (!loaded.snapshot.given.pods)
    return refuse("F017", "--kube", "missing: expected the pods, which tell their addresses");
  if (!parse_connection_string(loaded.snapshot.status.connection_string)) {
    return refuse("F017", "status.connectionString",
                  "missing: expected the connection string that the operator knows");
  }
  const FixedAddresses fixed = fix_addresses(loaded.snapshot);
  if (settings.is_json()) {
    streams.out(report::document_to_json(fixed_addresses_document(fixed)));
  } else {
    streams.out(settings.format == Format::Shell ? fixed_addresses_to_shell(fixed)
                                                 : fixed_addresses_to_text(fixed));
  }
  return settings.detailed_exit_code && fixed.changes() ? cli::kHasChanges : cli::kDone;
}

}  // namespace ballast::fdb
