// SPDX-License-Identifier: BSD-2-Clause
#include "ballast/fdb/cli/plan_source.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>

#include "ballast/fdb/cli/groups_report.hpp"
#include "ballast/fdb/cli/settings.hpp"
#include "ballast/fdb/search/drain.hpp"
#include "ballast/fdb/search/planner.hpp"
#include "ballast/kube/node.hpp"

namespace ballast::fdb {
namespace {

using Lines = std::vector<std::string>;

Lines lines_of(const std::vector<Finding>& findings) {
  Lines lines;
  for (const Finding& finding : findings) lines.push_back(to_string(finding));
  return lines;
}

tl::expected<Settings, Lines> read_words(const std::vector<std::string>& words) {
  Settings settings;
  const auto parsed = cli::parse_command_line(usage(), option_table(settings), words);
  if (!parsed) {
    const std::string& message = parsed.error().message;
    return tl::unexpected(Lines{message.substr(0, message.find('\n'))});
  }
  if (settings.load.current.empty())
    return tl::unexpected(
        Lines{"--current: missing: expected the file with the FoundationDBCluster"});
  for (const auto* more : {&settings.nodes, &settings.volumes})
    settings.load.kube.insert(settings.load.kube.end(), more->begin(), more->end());
  settings.load.clock = std::chrono::duration_cast<std::chrono::seconds>(
                            std::chrono::system_clock::now().time_since_epoch())
                            .count();
  return settings;
}

ClusterSpec wish_of(const Loaded& loaded, const Settings& settings) {
  if (!settings.node.empty())
    return with_removals(loaded.desired, groups_on_node(loaded.snapshot, settings.node));
  if (!settings.zone.empty())
    return with_removals(loaded.desired, groups_in_zone(loaded.snapshot, settings.zone));
  return loaded.desired;
}

tl::expected<Planned, Lines> plan_checked(const Loaded& loaded, const Settings& settings) {
  Planned planned = make_plan(loaded.snapshot, wish_of(loaded, settings), settings.plan,
                              loaded.desired_generation);
  Lines problems = find_broken_rules(loaded.snapshot, planned.simulation.steps);
  for (std::string& problem : problems)
    problem = "internal error: the plan breaks a rule, please report: " + problem;
  if (!problems.empty()) return tl::unexpected(std::move(problems));
  return planned;
}

/// The end of a plan as the snapshot, the specification before it as the wish.
LoadRequest way_back(const Loaded& loaded, const Planned& planned, const Settings& settings) {
  LoadRequest request;
  request.current = "(the end of the plan)";
  request.desired = "(the specification before)";
  const bool is_seed = settings.plan.profile == Profile::Seed;
  request.texts.emplace(
      request.current,
      kube::emit_yaml(cluster_node(planned.simulation.world, loaded.desired_spec, is_seed)));
  request.texts.emplace(*request.desired, kube::emit_yaml(loaded.current_spec));
  request.now = planned.simulation.world.now;
  request.is_seed = is_seed;
  return request;
}

}  // namespace

tl::expected<plan::Plan, Lines> plan_from_words(const std::vector<std::string>& words,
                                                bool is_way_back) {
  const auto settings = read_words(words);
  if (!settings) return tl::unexpected(settings.error());
  const auto loaded = load(settings->load);
  if (!loaded) return tl::unexpected(lines_of(loaded.error()));
  auto planned = plan_checked(*loaded, *settings);
  if (!planned) return tl::unexpected(planned.error());
  if (!is_way_back) return std::move(planned->plan);
  const auto turned = load(way_back(*loaded, *planned, *settings));
  if (!turned) return tl::unexpected(lines_of(turned.error()));
  Settings back;
  back.plan = settings->plan;
  auto planned_back = plan_checked(*turned, back);
  if (!planned_back) return tl::unexpected(planned_back.error());
  return std::move(planned_back->plan);
}

std::vector<plan::CodedText> lost_for_good(const plan::Plan& plan) {
  const auto has = [&](std::string_view action) {
    return std::ranges::find(plan.steps, action, &plan::Step::action) != plan.steps.end();
  };
  std::vector<plan::CodedText> texts;
  if (has("mark-for-removal")) {
    texts.push_back({"MARKS_STAY",
                     "process groups that are marked for removal stay marked: others with new IDs "
                     "take their place"});
  }
  if (has("delete-process-group-resources")) {
    texts.push_back({"VOLUMES_GONE",
                     "volumes of removed process groups are deleted: their data is copied again"});
  }
  return texts;
}

}  // namespace ballast::fdb
