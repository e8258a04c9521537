// SPDX-License-Identifier: BSD-2-Clause
#include "ballast/fdb/cli/plan_source.hpp"
#include "ballast/fdb/search/plan/together.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "ballast/fdb/cli/settings.hpp"
#include "ballast/fdb/search/ask/drain.hpp"
#include "ballast/fdb/search/check/second_opinion.hpp"
#include "ballast/fdb/search/plan/planner.hpp"
#include "ballast/fdb/search/simulate/parts.hpp"
#include "ballast/fdb/search/simulate/together.hpp"
#include "present.hpp"

namespace ballast::fdb {
namespace {

using Lines = std::vector<std::string>;

tl::expected<Settings, Lines> read_words(const std::vector<std::string>& words) {
  Settings settings;
  const auto read =
      operators::read_words({kProgram, usage(), option_table(settings), &settings, {}}, words);
  if (!read) return tl::unexpected(read.error());
  settle(settings);
  if (settings.load.current.empty())
    return tl::unexpected(
        Lines{"--current: missing: expected the file with the FoundationDBCluster"});
  return settings;
}

ClusterSpec wish_of(const Loaded& loaded, const Settings& settings) {
  if (!settings.drain.is_empty()) {
    return with_removals(loaded.desired,
                         groups_of(select_groups(loaded.snapshot, settings.drain, settings.plan)));
  }
  return loaded.desired;
}

tl::expected<Planned, Lines> plan_checked(const Cluster& snapshot, const ClusterSpec& wish,
                                          const PlanOptions& options, std::int64_t generation) {
  Planned planned = make_plan(snapshot, wish, options, generation);
  Lines problems = find_broken_rules({snapshot, wish, options, planned.simulation.steps});
  if (!problems.empty()) return tl::unexpected(operators::broken_lines(std::move(problems)));
  return planned;
}

/// The way back from a plan that does nothing, blocked or not.
plan::Plan nothing_to_take_back(plan::Plan plan) {
  plan::Plan back;
  back.system = plan.system;
  back.tool = std::move(plan.tool);
  back.tool_version = std::move(plan.tool_version);
  back.cluster = std::move(plan.cluster);
  back.profile = std::move(plan.profile);
  back.now = std::move(plan.now);
  back.fingerprint = std::move(plan.fingerprint);
  back.result = plan::Outcome::NoChange;
  back.headline = "nothing to take back: the plan has no steps";
  return back;
}

tl::expected<plan::Plan, Lines> plan_of_several(const Settings& settings, bool is_way_back) {
  if (is_way_back)
    return tl::unexpected(
        Lines{"the way back of several objects is not planned together: ask for "
              "each of them alone, without --peer"});
  const auto objects = load_together(requests_of(settings));
  if (!objects) return tl::unexpected(operators::lines_of(objects.error()));
  std::vector<ObjectWish> wishes;
  for (const Loaded& loaded : *objects)
    wishes.push_back({&loaded.snapshot, loaded.desired, loaded.desired_generation});
  JointPlan joint = plan_together(wishes, settings.plan);
  if (!joint.problems.empty())
    return tl::unexpected(operators::broken_lines(std::move(joint.problems)));
  return std::move(joint.plan);
}

}  // namespace

tl::expected<plan::Plan, Lines> plan_from_words(const std::vector<std::string>& words,
                                                bool is_way_back) {
  const auto settings = read_words(words);
  if (!settings) return tl::unexpected(settings.error());
  if (!settings->peers.empty()) return plan_of_several(*settings, is_way_back);
  const auto loaded = load(settings->load);
  if (!loaded) return tl::unexpected(operators::lines_of(loaded.error()));
  auto planned = plan_checked(loaded->snapshot, wish_of(*loaded, *settings), settings->plan,
                              loaded->desired_generation);
  if (!planned) return tl::unexpected(planned.error());
  if (!is_way_back) return std::move(planned->plan);
  if (planned->plan.steps.empty()) return nothing_to_take_back(std::move(planned->plan));
  const Cluster end = end_of(loaded->snapshot, planned->simulation.world);
  auto planned_back =
      plan_checked(end, loaded->snapshot.spec, settings->plan, loaded->desired_generation);
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
