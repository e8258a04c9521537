// SPDX-License-Identifier: BSD-2-Clause
#include "ballast/fdb/cli/settings.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <iterator>

#include "ballast/cli/option_makers.hpp"
#include "ballast/cli/values.hpp"

namespace ballast::fdb {
namespace {

using cli::Option;

constexpr std::int64_t kMany = 1'000'000;

void append(std::vector<Option>& table, std::vector<Option> more) {
  std::ranges::move(more, std::back_inserter(table));
}

std::vector<Option> input_table(Settings& s) {
  std::vector<Option> table;
  append(table,
         operators::input_options(
             s, {"the FoundationDBCluster as it is, with status",
                 "the FoundationDBCluster as wished, a spec, or a patch of it", "pods,pvc,svc"}));
  table.push_back(cli::optional_text_option("status", "FILE", "file",
                                            "output of status json in fdbcli", s.load.status));
  table.push_back(cli::only_for(
      {"plan"},
      cli::list_option(
          "peer", "FILE", "file",
          "another FoundationDBCluster of the same database, planned together; repeatable",
          s.peers)));
  table.push_back(cli::only_for(
      {"plan"}, cli::list_option("peer-set", "PATH=VALUE", "none",
                                 "change the wished spec of every peer; repeatable", s.peer_sets)));
  append(table, operators::selection_options(s));
  return table;
}

/// A flag of the operator's own process.
Status set_operator_flag(OperatorFlags& flags, std::string_view assignment) {
  const std::array<std::pair<std::string_view, std::int64_t*>, 6> numbers{
      {{"minimum-recovery-time-for-exclusion", &flags.recovery_for_exclusion},
       {"minimum-recovery-time-for-inclusion", &flags.recovery_for_inclusion},
       {"minimum-uptime-for-coordinator-change-with-undesired-process",
        &flags.uptime_for_undesired_coordinator},
       {"minimum-uptime-for-coordinator-change-with-missing-process",
        &flags.uptime_for_missing_coordinator},
       {"minimum-uptime-for-configuration-changes", &flags.uptime_for_configuration},
       {"minimum-age-for-terminal-pod-deletion", &flags.terminal_pod_age}}};
  const std::array<std::pair<std::string_view, bool*>, 3> switches{
      {{"replace-on-security-context-change", &flags.replace_on_security_context},
       {"enable-recovery-state", &flags.recovery_state},
       {"enable-restart-incompatible-processes", &flags.restart_incompatible}}};
  const std::size_t equals = assignment.find('=');
  const std::string_view name = assignment.substr(0, equals);
  const std::string_view value =
      equals == std::string_view::npos ? std::string_view() : assignment.substr(equals + 1);
  for (const auto& [known, seconds] : numbers) {
    if (known != name) continue;
    const auto parsed = cli::parse_integer(
        value.ends_with('s') ? value.substr(0, value.size() - 1) : value, 0, kMany);
    if (!parsed) return fail(fmt::format("{}: expected seconds", quoted(assignment)));
    *seconds = *parsed;
    return {};
  }
  for (const auto& [known, is_on] : switches) {
    if (known != name) continue;
    if (value != "true" && value != "false")
      return fail(fmt::format("{}: expected true or false", quoted(assignment)));
    *is_on = value == "true";
    return {};
  }
  if (name == "high-run-loop-busy-threshold") {
    const auto parsed = cli::parse_positive(value);
    if (!parsed) return fail(fmt::format("{}: expected a number above 0", quoted(assignment)));
    flags.high_run_loop_busy = *parsed;
    return {};
  }
  return fail(
      fmt::format("{}: expected NAME=VALUE of a flag of the operator that the plan depends on",
                  quoted(assignment)));
}

std::vector<Option> rule_table(Settings& s) {
  std::vector<Option> table;
  table.push_back(
      cli::choice_option("profile", {"today", "seed"},
                         "the operator's rules: release 2.33, or the first design (default today)",
                         [&s](std::size_t i) {
                           s.plan.profile = i == 0 ? Profile::Today : Profile::Seed;
                           s.load.is_seed = i == 1;
                         }));
  append(table, operators::rule_options(s));
  append(table, operators::time_options(s));
  table.push_back(cli::choice_option(
      "ids", {"lowest", "random-note"},
      "new IDs: lowest free ones, or with what is drawn from (default lowest)",
      [&s](std::size_t i) { s.plan.ids = i == 1 ? NewIds::RandomNote : NewIds::Lowest; }));
  table.push_back(cli::value_option("operator-flag", "NAME=VALUE", "none",
                                    "a flag of the operator's process; repeatable",
                                    [&s](std::string_view given) {
                                      s.operator_flags.emplace_back(given);
                                      return set_operator_flag(s.plan.flags, given);
                                    }));
  table.push_back(
      cli::choice_option("new-pod-zones", {"own", "existing"},
                         "zones of new pods: one of their own, or the emptiest (default own)",
                         [&s](std::size_t i) { s.plan.existing_zones = i == 1; }));
  table.push_back(
      cli::choice_option("distribution-scope", {"cluster", "class"},
                         "pods that the anti-affinity of domains looks at (default cluster)",
                         [&s](std::size_t i) { s.by_class = i == 1; }));
  table.push_back(
      cli::integer_option("max-passes", "N", "passes after which the plan gives up", 1, kMany,
                          [&s](std::int64_t n) { s.plan.max_passes = static_cast<int>(n); }));
  return table;
}

std::vector<Option> subcommand_table(Settings& s) {
  std::vector<Option> table;
  table.push_back(cli::only_for(
      {"spread"}, cli::integer_option("domains", "N", "how many fault domains", 0, kMany,
                                      [&s](std::int64_t n) { s.domains = n; })));
  table.push_back(cli::only_for(
      {"groups"}, cli::text_option("write-status", "FILE", "file",
                                   "write the cluster with the status that tracking would write",
                                   s.write_status)));
  table.push_back(cli::only_for(
      {"plan"},
      cli::text_option("write-state", "DIR", "file",
                       "write cluster.yaml, kube.json and status.json as the plan leaves them",
                       s.write_state)));
  table.push_back(cli::only_for(
      {"plan"},
      cli::needing("write-state",
                   cli::integer_option(
                       "stop-after", "N", "with --write-state, the state after step N", 1, kMany,
                       [&s](std::int64_t n) { s.stop_after = static_cast<int>(n); }))));
  table.push_back(cli::only_for(
      {"drain"}, cli::list_option("node", "NAME", "none", "a node that is emptied; repeatable",
                                  s.drain.nodes)));
  table.push_back(cli::only_for(
      {"drain"}, cli::list_option("zone", "NAME", "none",
                                  "a fault domain that is emptied; repeatable", s.drain.zones)));
  table.push_back(cli::only_for(
      {"drain"},
      cli::value_option("class", "CLASS", "none", "all groups of a process class; repeatable",
                        [&s](std::string_view given) -> Status {
                          const auto c = parse_process_class(given);
                          if (!c) return fail(quoted(given) + ": expected a process class");
                          s.drain.classes.push_back(*c);
                          return {};
                        })));
  table.push_back(cli::only_for(
      {"drain"}, cli::value_option(
                     "condition", "NAME", "none", "all groups with a condition; repeatable",
                     [&s](std::string_view given) -> Status {
                       const auto condition = parse_condition(given);
                       if (!condition)
                         return fail(quoted(given) + ": expected a condition of a process group");
                       s.drain.conditions.push_back(*condition);
                       return {};
                     })));
  table.push_back(cli::only_for(
      {"drain"},
      cli::value_option("node-label", "KEY=VALUE", "none", "all nodes with a label; repeatable",
                        [&s](std::string_view given) -> Status {
                          const auto equals = given.find('=');
                          if (equals == 0 || equals == std::string_view::npos)
                            return fail(quoted(given) + ": expected KEY=VALUE");
                          s.drain.node_labels.emplace_back(given.substr(0, equals),
                                                           given.substr(equals + 1));
                          return {};
                        })));
  return table;
}

std::vector<Option> output_table(Settings& s) {
  std::vector<Option> table;
  append(table, operators::output_options(s, {"plan", "spread", "drain"}));
  return table;
}

}  // namespace

void settle(Settings& s) {
  if (!s.current.empty()) s.load.current = s.current.back();
  if (!s.desired.empty()) s.load.desired = s.desired.back();
  s.load.sets = s.sets;
  s.load.kube = s.kube;
  for (const auto* more : {&s.nodes, &s.volumes})
    s.load.kube.insert(s.load.kube.end(), more->begin(), more->end());
  s.load.name = s.name;
  s.load.name_space = s.name_space;
  s.load.now = s.now;
  s.load.clock = operators::system_clock();
  s.plan.assume_healthy = s.assume_healthy;
  s.plan.allow_unsafe = s.allow_unsafe;
  s.plan.rate_mib = s.rate_mib;
  s.plan.parallel = static_cast<int>(s.parallel);
}

cli::Usage usage() {
  return {"hfdb",
          "hfdb plan|groups|analyze|spread|drain|fix-addresses --current FILE [OPTION...]",
          "Plans what the FoundationDB operator for Kubernetes does. Reads files, changes nothing.",
          {std::string(operators::kExitStatuses)},
          {{"plan", "every step, with its reason and what it waits for"},
           {"groups", "the process groups, their pods and conditions"},
           {"analyze", "the state of the cluster on one screen"},
           {"spread", "how the process groups spread over fault domains"},
           {"drain", "the steps after which nodes, zones or classes are empty"},
           {"fix-addresses", "the connection string once all addresses have changed"}}};
}

std::vector<Option> option_table(Settings& settings) {
  return cli::option_groups({{"What there is, and what is wished", input_table(settings)},
                             {"Rules", rule_table(settings)},
                             {"Of one subcommand", subcommand_table(settings)},
                             {"Output", output_table(settings)}});
}

}  // namespace ballast::fdb
