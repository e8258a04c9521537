// SPDX-License-Identifier: BSD-2-Clause
#include "tools/hplan_operators.hpp"

#include "ballast/cli/planner_words.hpp"
#include "ballast/core/version.hpp"
#include "ballast/fdb/cli/plan_source.hpp"
#include "ballast/fdb/cli/settings.hpp"
#include "ballast/tidb/cli/plan_source.hpp"
#include "ballast/tidb/cli/settings.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <iterator>
#include <utility>

namespace ballast::tools {
namespace {

/// What hplan takes for a plan of an operator are the options of its planner, but for those of
/// output and of its other questions. They are handed on as they are given.
bool is_of_operators(const cli::Option& option) {
  constexpr auto kOthers = std::to_array<std::string_view>({"rate",
                                                            "parallel",
                                                            "format",
                                                            "json",
                                                            "report",
                                                            "color",
                                                            "verbose",
                                                            "domains",
                                                            "stages",
                                                            "write-status",
                                                            "to",
                                                            "detailed-exit-code",
                                                            "distribution-scope",
                                                            "node",
                                                            "zone",
                                                            "class",
                                                            "condition",
                                                            "node-label",
                                                            "save-plan",
                                                            "metrics",
                                                            "quiet-if-nothing",
                                                            "ids"});
  return std::ranges::find(kOthers, option.name) == kOthers.end();
}

void add_collecting(std::vector<cli::Option>& options, cli::Option option, std::string_view tool,
                    std::vector<std::string>& words) {
  option.help = fmt::format("for plans of {}: {}", tool, option.help);
  option.group = "Of the planner of an operator";
  option.commands.clear();
  option.needs.clear();
  option.excludes.clear();
  option.apply = [&words, name = option.name](std::optional<std::string_view> value) -> Status {
    words.push_back("--" + name + (value ? "=" + std::string(*value) : ""));
    return {};
  };
  options.push_back(std::move(option));
}

}  // namespace

void add_operator_options(std::vector<cli::Option>& options, std::vector<std::string>& words) {
  fdb::Settings of_fdb;
  tidb::Settings of_tidb;
  const auto own_count = static_cast<std::ptrdiff_t>(options.size());
  for (auto [tool, table] : {std::pair{"hfdb", fdb::option_table(of_fdb)},
                             std::pair{"htidb", tidb::option_table(of_tidb)}}) {
    for (cli::Option& option : table) {
      const auto known = std::ranges::find(options, option.name, &cli::Option::name);
      if (!is_of_operators(option) || known - options.begin() < own_count) continue;
      if (known == options.end()) {
        add_collecting(options, std::move(option), tool, words);
      } else {
        known->help = "for plans of hfdb and htidb: as there";
        if (known->value_name != option.value_name) known->value_name = "WORD";
        if (known->completion != option.completion) known->completion = "none";
      }
    }
  }
}

Result<plan::Plan> plan_today(const plan::Plan& plan, const std::vector<std::string>& words,
                              bool is_way_back) {
  if (plan.system == plan::System::Kubernetes)
    return fail(fmt::format("{}: its planner is a program of its own: ask that one again",
                            quoted(plan.tool)));
  const bool is_fdb = plan.system == plan::System::Fdb;
  if (is_way_back && !is_fdb && tidb::makes_cluster(plan)) {
    return fail(
        "the plan makes a new cluster, so there is no earlier state to go back to: delete the "
        "cluster's object instead; volumes stay or go by its pvReclaimPolicy");
  }
  const auto all = cli::planner_words(plan, words);
  auto made =
      is_fdb ? fdb::plan_from_words(all, is_way_back) : tidb::plan_from_words(all, is_way_back);
  if (!made) return fail(fmt::format("{}", fmt::join(made.error(), "\nhplan: ")));
  made->tool = "hplan";
  made->tool_version = kVersion;
  made->options = plan.options;
  if (is_way_back) {
    auto lost = is_fdb ? fdb::lost_for_good(plan) : tidb::lost_for_good(plan);
    std::ranges::move(lost, std::back_inserter(made->notes));
  }
  return std::move(*made);
}

}  // namespace ballast::tools
