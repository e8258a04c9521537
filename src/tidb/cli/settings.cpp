// SPDX-License-Identifier: BSD-2-Clause
#include "ballast/tidb/cli/settings.hpp"

#include "ballast/cli/option_makers.hpp"
#include "ballast/core/strings.hpp"
#include "ballast/tidb/backend/canonical.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <iterator>
#include <set>

namespace ballast::tidb {

namespace {

using cli::Option;

constexpr std::int64_t kMany = 1000000000;

Option duration(std::string name, std::string help, std::int64_t& into) {
  return cli::value_option(
      std::move(name), "DUR", "none", std::move(help), [&into](std::string_view given) -> Status {
        const auto seconds = duration_seconds(given);
        if (!seconds)
          return fail(fmt::format("{} is not a duration such as 90s or 1h30m", quoted(given)));
        into = *seconds;
        return {};
      });
}

/// The gates of the operator that a plan depends on, as its own flag lists them: NAME, NAME=true or
/// NAME=false.
Status add_features(std::string_view list, std::set<std::string>& features) {
  static constexpr std::array<std::string_view, 2> kKnown{"AdvancedStatefulSet", "MultiPDGroup"};
  if (list.empty()) return fail(fmt::format("{}: expected LIST", quoted(list)));
  for (const std::string_view feature : split(list, ',')) {
    const std::size_t equals = feature.find('=');
    const std::string_view name = feature.substr(0, equals);
    const std::string_view state =
        equals == std::string_view::npos ? "true" : feature.substr(equals + 1);
    if (std::ranges::find(kKnown, name) == kKnown.end()) {
      return fail(fmt::format("{}: expected features that a plan depends on, of {}",
                              quoted(feature), fmt::join(kKnown, ", ")));
    }
    if (state != "true" && state != "false")
      return fail(fmt::format("{}: expected {}=true or =false", quoted(feature), name));
    if (state == "true") {
      features.emplace(name);
    } else {
      features.erase(std::string(name));
    }
  }
  return {};
}

void append(std::vector<Option>& table, std::vector<Option> more) {
  std::ranges::move(more, std::back_inserter(table));
}

std::vector<Option> input_table(Settings& s) {
  std::vector<Option> table;
  append(table,
         operators::input_options(
             s, {"the cluster as it is, with status; repeatable for values files",
                 "the cluster as wished, or a patch of it; repeatable for values files (default: "
                 "--current)",
                 "statefulsets,pods,pvc", ", or the short form"}));
  table.push_back(
      cli::list_option("pd", "FILE", "file",
                       "output of pd-ctl store, member, health or config show; repeatable", s.pd));
  table.push_back(cli::text_option("cluster", "NAME", "none",
                                   "cluster name for values files without clusterName",
                                   s.load.cluster));
  append(table, operators::selection_options(s));
  return table;
}

std::vector<Option> rule_table(Settings& s) {
  std::vector<Option> table;
  table.push_back(cli::choice_option(
      "profile", {"v1.6", "v1.0", "v2"}, "the operator's rules (default v1.6, for groups v2)",
      [&s](std::size_t i) {
        static constexpr std::array kProfiles{Profile::V16, Profile::V10, Profile::V2};
        s.load.profile = kProfiles[i];
        s.load.profile_given = true;
      }));
  append(table, operators::rule_options(s));
  table.push_back(cli::list_option("order", "COMPONENT=A,B", "none", "order of sets; repeatable",
                                   s.load.orders));
  table.push_back(cli::choice_option("scale-order", {"out-first", "set-order"},
                                     "scale out before in, or set by set",
                                     [&s](std::size_t i) { s.plan.set_order = i == 1; }));
  table.push_back(cli::choice_option("create-mode", {"full", "ramp"},
                                     "new sets with all pods, or pod by pod",
                                     [&s](std::size_t i) { s.plan.ramp = i == 1; }));
  table.push_back(cli::choice_option("auto-failover", {"true", "false"},
                                     "whether the operator replaces failed peers",
                                     [&s](std::size_t i) { s.plan.auto_failover = i == 0; }));
  table.push_back(duration("pd-failover-period",
                           "how long a PD member must be unhealthy (default 5m)",
                           s.plan.failover_period_s[0]));
  table.push_back(duration("tikv-failover-period", "how long a store must be Down (default 5m)",
                           s.plan.failover_period_s[1]));
  table.push_back(duration("tidb-failover-period",
                           "how long a TiDB member must be unhealthy (default 5m)",
                           s.plan.failover_period_s[2]));
  table.push_back(duration("stuck-after", "when a restarted pod counts as stuck (default 10m)",
                           s.plan.stuck_after_s));
  table.push_back(cli::integer_option("max-replicas", "N",
                                      "copies of each region, over what PD's config says", 1, kMany,
                                      [&s](std::int64_t n) { s.load.max_replicas = n; }));
  table.push_back(cli::value_option(
      "features", "LIST", "none", "features of the operator, e.g. AdvancedStatefulSet",
      [&s](std::string_view given) -> Status {
        if (const Status added = add_features(given, s.plan.features); !added) return added;
        s.load.advanced_statefulset = s.plan.advanced_statefulset();
        return {};
      }));
  table.push_back(cli::choice_option("default-name-style", {"plain", "suffixed"},
                                     "name of the default StatefulSet", [&s](std::size_t i) {
                                       s.load.default_name =
                                           i == 0 ? DefaultName::Plain : DefaultName::Suffixed;
                                     }));
  table.push_back(cli::choice_option(
      "configmap-style", {"statefulset", "short"}, "names of ConfigMaps", [&s](std::size_t i) {
        s.load.config_map = i == 0 ? ConfigMapName::StatefulSet : ConfigMapName::Short;
      }));
  append(table, operators::time_options(s));
  return table;
}

std::vector<Option> output_table(Settings& s) {
  std::vector<Option> table;
  append(table, operators::output_options(s, {"plan"},
                                          "say more; with --nodes, what is left on each node"));
  table.push_back(cli::only_for(
      {"plan"}, cli::needing("current",
                             cli::text_option(
                                 "stages", "DIR", "dir",
                                 "also write one file per set that changes, to be applied in order",
                                 s.stages))));
  table.push_back(
      cli::only_for({"plan"}, cli::text_option("write-state", "DIR", "dir",
                                               "also write what there is when the steps are done: "
                                               "specification, kubectl and pd-ctl output",
                                               s.write_state)));
  table.push_back(cli::only_for(
      {"plan"},
      cli::needing(
          "write-state",
          cli::integer_option("stop-after", "N", "for --write-state: after N steps instead of all",
                              0, kMany, [&s](std::int64_t n) { s.stop_after = n; }))));
  table.push_back(cli::only_for(
      {"convert"}, cli::choice_option("to", {"list"}, "the form to write",
                                      [&s](std::size_t) { s.convert_to_list = true; })));
  return table;
}

}  // namespace

cli::Usage usage() {
  return {"htidb",
          "htidb plan|show|convert [--current FILE] [--desired FILE] [OPTION...]",
          "Plans what TiDB Operator does for a changed TidbCluster with several StatefulSets per "
          "component. Reads files, changes nothing.",
          {std::string(operators::kExitStatuses)},
          {{"plan", "every step, with its reason and what it waits for"},
           {"show", "the components, their sets, members and stores"},
           {"convert", "the specification in another form"}}};
}

std::vector<Option> option_table(Settings& settings) {
  return cli::option_groups({{"What there is, and what is wished", input_table(settings)},
                             {"Rules", rule_table(settings)},
                             {"Output", output_table(settings)}});
}

}  // namespace ballast::tidb
