// SPDX-License-Identifier: BSD-2-Clause
#include "ballast/tidb/cli/plan_source.hpp"

#include "ballast/tidb/cli/to_plan.hpp"
#include "ballast/tidb/search/answer/search.hpp"
#include "ballast/tidb/search/replay/replay.hpp"
#include "inputs.hpp"

#include <algorithm>

namespace ballast::tidb {
namespace {

using Lines = std::vector<std::string>;

tl::expected<Settings, Lines> read_words(const std::vector<std::string>& words) {
  Settings settings;
  const auto read =
      operators::read_words({kProgram, usage(), option_table(settings), &settings, {}}, words);
  if (!read) return tl::unexpected(read.error());
  if (settings.current.empty() && settings.desired.empty())
    return tl::unexpected(Lines{"--current or --desired is needed"});
  if (const auto error = read_files(settings)) return tl::unexpected(Lines{to_string(*error)});
  return settings;
}

bool is_store_removal(const plan::Step& step) {
  const Value* component = step.system.find("component");
  return step.action == "scale-in" && component != nullptr && *component == Value("tikv");
}

}  // namespace

tl::expected<plan::Plan, Lines> plan_from_words(const std::vector<std::string>& words,
                                                bool is_way_back) {
  const auto settings = read_words(words);
  if (!settings) return tl::unexpected(settings.error());
  const auto loaded = is_way_back ? load_way_back(settings->load) : load(settings->load);
  if (!loaded) return tl::unexpected(operators::lines_of(loaded.error()));
  const Input input = input_of(*loaded, *settings);
  const Outcome outcome = plan_cluster(input);
  plan::ReplayReport report = replay(input, outcome);
  if (!report.problems.empty()) return tl::unexpected(operators::broken_lines(lines_of(report)));
  return to_plan(input, outcome, std::move(report.weakest), Value::map());
}

bool makes_cluster(const plan::Plan& plan) {
  return std::ranges::any_of(
      plan.steps, [](const plan::Step& step) { return step.reason.code == "NEW_CLUSTER"; });
}

std::vector<plan::CodedText> lost_for_good(const plan::Plan& plan) {
  std::vector<plan::CodedText> texts;
  if (std::ranges::any_of(plan.steps, is_store_removal)) {
    texts.push_back({"TOMBSTONES",
                     "stores of TiKV pods that were scaled in are tombstones: pods that come back "
                     "get new, empty stores, and their data is copied again"});
  }
  const auto is_deletion = [](const plan::Step& step) {
    return step.action == "delete-statefulset" && step.reason.code != "SUSPENDED";
  };
  if (std::ranges::any_of(plan.steps, is_deletion)) {
    texts.push_back({"SETS_DELETED",
                     "deleted sets come back as new ones; volumes that were kept are used again "
                     "only if their claims have the same names"});
  }
  return texts;
}

}  // namespace ballast::tidb
