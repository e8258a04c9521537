// SPDX-License-Identifier: BSD-2-Clause
#include "ballast/tidb/cli/settings.hpp"

#include "ballast/cli/values.hpp"
#include "ballast/core/strings.hpp"
#include "ballast/kube/object.hpp"
#include "ballast/tidb/backend/canonical.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace ballast::tidb {

namespace {

using cli::Option;
using cli::Takes;
using Text = std::optional<std::string_view>;

Option flag(std::string name, std::string help, std::function<void()> set) {
  return {0,
          std::move(name),
          Takes::Nothing,
          "",
          "none",
          std::move(help),
          false,
          [set = std::move(set)](Text) -> Status {
            set();
            return {};
          }};
}

Option value(std::string name, std::string value_name, std::string completion, std::string help,
             std::function<Status(std::string_view)> set) {
  return {0,
          std::move(name),
          Takes::Value,
          std::move(value_name),
          std::move(completion),
          std::move(help),
          false,
          [set = std::move(set)](Text text) { return set(text.value_or("")); }};
}

Option list(std::string name, std::string value_name, std::string completion, std::string help,
            std::vector<std::string>& into) {
  return value(std::move(name), std::move(value_name), std::move(completion), std::move(help),
               [&into](std::string_view text) -> Status {
                 into.emplace_back(text);
                 return {};
               });
}

Option text(std::string name, std::string value_name, std::string completion, std::string help,
            std::string& into) {
  return value(std::move(name), std::move(value_name), std::move(completion), std::move(help),
               [&into](std::string_view given) -> Status {
                 into = given;
                 return {};
               });
}

/// One of the words; `set` gets its index.
Option choice(std::string name, std::vector<std::string> words, std::string help,
              std::function<void(std::size_t)> set) {
  std::string completion = "choices=" + join(words, ",");
  std::string shown = join(words, "|");
  return value(std::move(name), shown, std::move(completion), std::move(help),
               [shown, words, set = std::move(set)](std::string_view given) -> Status {
                 const auto found = std::ranges::find(words, given);
                 if (found == words.end())
                   return fail(fmt::format("{} is none of {}", quoted(given), shown));
                 set(static_cast<std::size_t>(found - words.begin()));
                 return {};
               });
}

Option number(std::string name, std::string value_name, std::string help, std::int64_t least,
              std::function<void(std::int64_t)> set) {
  return value(std::move(name), std::move(value_name), "integer", std::move(help),
               [least, set = std::move(set)](std::string_view given) -> Status {
                 const auto parsed = cli::parse_integer(given, least, 1000000000);
                 if (!parsed) return fail(parsed.error().message);
                 set(*parsed);
                 return {};
               });
}

Option duration(std::string name, std::string help, std::int64_t& into) {
  return value(
      std::move(name), "DUR", "none", std::move(help), [&into](std::string_view given) -> Status {
        const auto seconds = duration_seconds(given);
        if (!seconds)
          return fail(fmt::format("{} is not a duration such as 90s or 1h30m", quoted(given)));
        into = *seconds;
        return {};
      });
}

void add_inputs(std::vector<Option>& table, Settings& s) {
  table.push_back(list("current", "FILE", "file",
                       "the cluster as it is, with status; repeatable for values files",
                       s.current));
  table.push_back(list(
      "desired", "FILE", "file",
      "the cluster as wished, or a patch of it; repeatable for values files (default: --current)",
      s.desired));
  table.push_back(list("set", "PATH=VALUE", "none", "change the wished specification; repeatable",
                       s.load.sets));
  table.push_back(list("kube", "FILE", "file",
                       "output of kubectl get statefulsets,pods,pvc -o json; repeatable", s.kube));
  table.push_back(list("nodes", "FILE", "file",
                       "output of kubectl get nodes -o json, or the short form", s.nodes));
  table.push_back(list("pvs", "FILE", "file", "output of kubectl get pv -o json", s.volumes));
  table.push_back(list("pd", "FILE", "file",
                       "output of pd-ctl store, member, health or config show; repeatable", s.pd));
  table.push_back(
      text("name", "NAME", "none", "which object, where a file holds several", s.load.object_name));
  table.push_back(
      text("namespace", "NS", "none", "namespace, where the files do not say", s.load.ns));
  table.push_back(text("cluster", "NAME", "none",
                       "cluster name for values files without clusterName", s.load.cluster));
  table.push_back(
      value("now", "TIME", "none", "the present time, RFC 3339 or Unix seconds",
            [&s](std::string_view given) -> Status {
              const auto seconds = cli::parse_integer(given, 0, 253402300799);
              s.now = seconds ? std::optional(*seconds) : kube::parse_time(given);
              if (!s.now)
                return fail(fmt::format("{} is neither RFC 3339 nor Unix seconds", quoted(given)));
              return {};
            }));
}

void add_rules(std::vector<Option>& table, Settings& s) {
  table.push_back(
      choice("profile", {"v1.6", "v1.0", "v2"},
             "the operator's rules (default v1.6, for groups v2)", [&s](std::size_t i) {
               static constexpr std::array kProfiles{Profile::V16, Profile::V10, Profile::V2};
               s.load.profile = kProfiles[i];
               s.load.profile_given = true;
             }));
  table.push_back(flag("assume-healthy", "blocks that may pass by themselves become waits",
                       [&s] { s.plan.assume_healthy = true; }));
  table.push_back(flag("allow-unsafe", "refusals of the planner alone become warnings",
                       [&s] { s.plan.allow_unsafe = true; }));
  table.push_back(
      list("order", "COMPONENT=A,B", "none", "order of sets; repeatable", s.load.orders));
  table.push_back(choice("scale-order", {"out-first", "set-order"},
                         "scale out before in, or set by set",
                         [&s](std::size_t i) { s.plan.set_order = i == 1; }));
  table.push_back(choice("create-mode", {"full", "ramp"}, "new sets with all pods, or pod by pod",
                         [&s](std::size_t i) { s.plan.ramp = i == 1; }));
  table.push_back(choice("auto-failover", {"true", "false"},
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
  table.push_back(number("max-replicas", "N", "copies of each region, over what PD's config says",
                         1, [&s](std::int64_t n) { s.load.max_replicas = n; }));
  table.push_back(value("features", "LIST", "none",
                        "features of the operator, e.g. AdvancedStatefulSet",
                        [&s](std::string_view given) -> Status {
                          for (const std::string_view feature : split(given, ','))
                            s.plan.features.emplace(feature);
                          s.load.advanced_statefulset = s.plan.advanced_statefulset();
                          return {};
                        }));
  table.push_back(choice("default-name-style", {"plain", "suffixed"},
                         "name of the default StatefulSet", [&s](std::size_t i) {
                           s.load.default_name =
                               i == 0 ? DefaultName::Plain : DefaultName::Suffixed;
                         }));
  table.push_back(choice(
      "configmap-style", {"statefulset", "short"}, "names of ConfigMaps", [&s](std::size_t i) {
        s.load.config_map = i == 0 ? ConfigMapName::StatefulSet : ConfigMapName::Short;
      }));
  table.push_back(value("rate", "MIB", "none", "MiB/s of one transfer, for estimates of time",
                        [&s](std::string_view given) -> Status {
                          const auto rate = cli::parse_positive(given);
                          if (!rate) return fail(rate.error().message);
                          s.plan.rate_mib = *rate;
                          return {};
                        }));
  table.push_back(number("parallel", "N", "how many transfers run at once (default 1)", 1,
                         [&s](std::int64_t n) { s.plan.parallel = n; }));
}

void add_output(std::vector<Option>& table, Settings& s) {
  table.push_back(choice(
      "format", {"text", "brief", "json", "shell", "markdown", "html"},
      "how the answer is printed (default text; show: text or json)", [&s](std::size_t i) {
        static constexpr std::array kFormats{"text", "brief", "json", "shell", "markdown", "html"};
        s.format = kFormats[i];
        s.json = s.json || s.format == "json";
      }));
  table.push_back(flag("json", "the same as --format json", [&s] {
    s.json = true;
    s.format = "json";
  }));
  table.push_back(text("report", "FILE.html", "file", "also write an HTML report", s.report));
  table.push_back(text("stages", "DIR", "dir",
                       "also write one file per set that changes, to be applied in order",
                       s.stages));
  table.push_back(choice("to", {"list"}, "convert: the form to write",
                         [&s](std::size_t) { s.convert_to_list = true; }));
  table.push_back(
      choice("color", {"auto", "always", "never"}, "colour of the text form",
             [&s](std::size_t i) { s.colour = i == 0 ? std::nullopt : std::optional(i == 1); }));
  table.push_back({'v', "verbose", Takes::Nothing, "", "none",
                   "say more; with --nodes, what is left on each node", false,
                   [&s](Text) -> Status {
                     ++s.verbosity;
                     return {};
                   }});
  table.push_back(flag("detailed-exit-code", "exit 2 when there are steps and none is blocked",
                       [&s] { s.detailed_exit_code = true; }));
}

}  // namespace

cli::Usage usage() {
  return {"htidb",
          "htidb plan|show|convert [--current FILE] [--desired FILE] [OPTION...]",
          "Plans what TiDB Operator does for a changed TidbCluster with several StatefulSets per "
          "component: every step with its reason, "
          "what it waits for, and the command to watch it or do it by hand. Reads files, changes "
          "nothing.",
          {"Exit status: 0 done, 1 bad input, 2 with --detailed-exit-code: there are steps, 3 "
           "something is blocked."}};
}

std::vector<Option> option_table(Settings& settings) {
  std::vector<Option> table;
  add_inputs(table, settings);
  add_rules(table, settings);
  add_output(table, settings);
  return table;
}

}  // namespace ballast::tidb
