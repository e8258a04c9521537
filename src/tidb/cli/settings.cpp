// SPDX-License-Identifier: BSD-2-Clause
#include "ballast/tidb/cli/settings.hpp"

#include "ballast/cli/option_makers.hpp"
#include "ballast/cli/values.hpp"
#include "ballast/core/strings.hpp"
#include "ballast/kube/object.hpp"
#include "ballast/tidb/backend/canonical.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <array>
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

void add_inputs(std::vector<Option>& table, Settings& s) {
  table.push_back(cli::list_option("current", "FILE", "file",
                                   "the cluster as it is, with status; repeatable for values files",
                                   s.current));
  table.push_back(cli::list_option(
      "desired", "FILE", "file",
      "the cluster as wished, or a patch of it; repeatable for values files (default: --current)",
      s.desired));
  table.push_back(cli::list_option("set", "PATH=VALUE", "none",
                                   "change the wished specification; repeatable", s.load.sets));
  table.push_back(
      cli::list_option("kube", "FILE", "file",
                       "output of kubectl get statefulsets,pods,pvc -o json; repeatable", s.kube));
  table.push_back(cli::list_option(
      "nodes", "FILE", "file", "output of kubectl get nodes -o json, or the short form", s.nodes));
  table.push_back(
      cli::list_option("pvs", "FILE", "file", "output of kubectl get pv -o json", s.volumes));
  table.push_back(
      cli::list_option("pd", "FILE", "file",
                       "output of pd-ctl store, member, health or config show; repeatable", s.pd));
  table.push_back(cli::text_option("name", "NAME", "none",
                                   "which object, where a file holds several", s.load.object_name));
  table.push_back(cli::text_option("namespace", "NS", "none",
                                   "namespace, where the files do not say", s.load.ns));
  table.push_back(cli::text_option("cluster", "NAME", "none",
                                   "cluster name for values files without clusterName",
                                   s.load.cluster));
  table.push_back(cli::value_option(
      "now", "TIME", "none", "the present time, RFC 3339 or Unix seconds",
      [&s](std::string_view given) -> Status {
        const auto seconds = cli::parse_integer(given, 0, 253402300799);
        s.now = seconds ? std::optional(*seconds) : kube::parse_time(given);
        if (!s.now)
          return fail(fmt::format("{} is neither RFC 3339 nor Unix seconds", quoted(given)));
        return {};
      }));
}

void add_rules(std::vector<Option>& table, Settings& s) {
  table.push_back(cli::choice_option(
      "profile", {"v1.6", "v1.0", "v2"}, "the operator's rules (default v1.6, for groups v2)",
      [&s](std::size_t i) {
        static constexpr std::array kProfiles{Profile::V16, Profile::V10, Profile::V2};
        s.load.profile = kProfiles[i];
        s.load.profile_given = true;
      }));
  table.push_back(cli::flag_option("assume-healthy",
                                   "blocks that may pass by themselves become waits",
                                   [&s] { s.plan.assume_healthy = true; }));
  table.push_back(cli::flag_option("allow-unsafe", "refusals of the planner alone become warnings",
                                   [&s] { s.plan.allow_unsafe = true; }));
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
  table.push_back(cli::positive_option(
      "rate", "MIB", "MiB/s of one transfer, for estimates of time", s.plan.rate_mib));
  table.push_back(cli::integer_option("parallel", "N", "how many transfers run at once (default 1)",
                                      1, kMany, [&s](std::int64_t n) { s.plan.parallel = n; }));
}

void add_output(std::vector<Option>& table, Settings& s) {
  std::ranges::move(cli::format_options(s.format), std::back_inserter(table));
  table.push_back(cli::text_option("output", "FILE", "file",
                                   "write to FILE in place of standard output", s.output));
  table.push_back(cli::only_for({"plan"}, cli::text_option("report", "FILE.html", "file",
                                                           "also write an HTML report", s.report)));
  std::ranges::move(cli::plan_file_options(s.files), std::back_inserter(table));
  table.push_back(cli::only_for(
      {"plan"}, cli::text_option("stages", "DIR", "dir",
                                 "also write one file per set that changes, to be applied in order",
                                 s.stages)));
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
  table.push_back(cli::choice_option(
      "color", {"auto", "always", "never"}, "colour of the text form",
      [&s](std::size_t i) { s.colour = i == 0 ? std::nullopt : std::optional(i == 1); }));
  Option verbose = cli::flag_option("verbose", "say more; with --nodes, what is left on each node",
                                    [&s] { ++s.verbosity; });
  verbose.letter = 'v';
  table.push_back(std::move(verbose));
  table.push_back(cli::flag_option("detailed-exit-code",
                                   "exit 2 when there are steps and none is blocked",
                                   [&s] { s.detailed_exit_code = true; }));
}

}  // namespace

cli::Usage usage() {
  return {"htidb",
          "htidb plan|show|convert [--current FILE] [--desired FILE] [OPTION...]",
          "Plans what TiDB Operator does for a changed TidbCluster with several StatefulSets per "
          "component. Reads files, changes nothing.",
          {"Exit status: 0 done, 1 bad input, 2 with --detailed-exit-code: there are steps, 3 "
           "something is blocked."},
          {{"plan", "every step, with its reason and what it waits for"},
           {"show", "the components, their sets, members and stores"},
           {"convert", "the specification in another form"}}};
}

std::vector<Option> option_table(Settings& settings) {
  std::vector<Option> table;
  const auto add = [&](std::string_view heading, auto add_options) {
    std::vector<Option> group;
    add_options(group, settings);
    cli::add_group(table, heading, std::move(group));
  };
  add("What there is, and what is wished", add_inputs);
  add("Rules", add_rules);
  add("Output", add_output);
  return table;
}

}  // namespace ballast::tidb
