// SPDX-License-Identifier: BSD-2-Clause
#include "ballast/fdb/cli/present.hpp"

#include <fmt/format.h>

#include "ballast/core/file.hpp"
#include "ballast/fdb/cli/drain_report.hpp"
#include "ballast/fdb/cli/groups_report.hpp"
#include "ballast/fdb/cli/spread_report.hpp"
#include "ballast/fdb/search/drain.hpp"
#include "ballast/fdb/search/reconcilers.hpp"
#include "ballast/fdb/search/simulate.hpp"

namespace ballast::fdb {
namespace {

tl::unexpected<std::vector<Finding>> refuse(std::string code, std::string path,
                                            std::string message) {
  return tl::unexpected(
      std::vector<Finding>{{{}, std::move(code), std::move(path), std::move(message)}});
}

constexpr std::string_view kNoGroups = "no process groups: expected a status, or pods with --kube";

/// How the operator gets there, in a line.
std::string operator_text(const Simulation& simulation) {
  if (simulation.steps.empty()) return "\nthe operator has nothing to do\n";
  std::string text =
      fmt::format("\nthe operator needs {} steps in {} passes (--format brief shows them)\n",
                  simulation.steps.size(), simulation.passes);
  for (const Step& step : simulation.steps) {
    if (step.action == Action::Blocked)
      text += fmt::format("blocked: {}{}{}\n", step.gate, step.observed.empty() ? "" : ": ",
                          step.observed);
  }
  return text;
}

}  // namespace

Answer present_groups(const Loaded& loaded, const Settings& settings, cli::Streams& streams) {
  if (settings.format != Format::Text && settings.format != Format::Json) {
    return refuse("F018", "--format", "expected text or json for hfdb groups");
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
    const std::string text = kube::emit_yaml(cluster_node(world, loaded.current_spec, as_map));
    if (const auto written = write_file(settings.write_status, text); !written) {
      return tl::unexpected(std::vector<Finding>{
          {written.error().place, "F001", "--write-status", written.error().message}});
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

Answer present_drain(const Loaded& loaded, const Settings& settings, cli::Streams& streams) {
  if (loaded.snapshot.groups.empty()) return refuse("F017", "--current", std::string(kNoGroups));
  const bool is_node = !settings.node.empty();
  const std::string& name = is_node ? settings.node : settings.zone;
  if (is_node && !loaded.snapshot.given.pods)
    return refuse("F017", "--node", "the nodes of the pods are not known: expected --kube");
  const auto ids =
      is_node ? groups_on_node(loaded.snapshot, name) : groups_in_zone(loaded.snapshot, name);
  if (ids.empty()) {
    return refuse("F017", is_node ? "--node" : "--zone",
                  fmt::format("{}: expected a {} that holds a process group", quoted(name),
                              is_node ? "node" : "zone"));
  }
  const ClusterSpec desired = with_removals(loaded.desired, ids);
  const auto preface = [&](const std::vector<Step>& steps) -> Opening {
    const std::string head = fmt::format(
        "Draining {} {} of {}/{}: {} group{}\n", is_node ? "node" : "zone", name,
        loaded.snapshot.name_space, loaded.snapshot.name, ids.size(), ids.size() == 1 ? "" : "s");
    const Drain drain = follow_drain(loaded.snapshot, desired, ids, steps);
    return {head + drain_to_text(drain) + "\n", drain_notes(drain)};
  };
  return present_plan(loaded, desired, settings, preface, streams);
}

}  // namespace ballast::fdb
