// SPDX-License-Identifier: BSD-2-Clause
#include "options.hpp"

#include <fmt/format.h>

#include <array>
#include <utility>

#include "ballast/cli/values.hpp"
#include "ballast/kube/object.hpp"

namespace ballast::fdb {
namespace {

using cli::Option;
using cli::Takes;
using Given = std::optional<std::string_view>;

constexpr std::int64_t kMost = 1'000'000'000;

Status read_integer(Given given, std::int64_t least, std::int64_t most, std::int64_t& out) {
  const auto value = cli::parse_integer(*given, least, most);
  if (!value) return fail(value.error().message);
  out = *value;
  return {};
}

Option text(std::string name, std::string value_name, std::string help, std::string& out, std::string completion = "none") {
  return {0, std::move(name), Takes::Value, std::move(value_name), std::move(completion), std::move(help), false, [&out](Given v) -> Status {
            out = std::string(*v);
            return {};
          }};
}

Option file(std::string name, std::string help, std::optional<std::string>& out) {
  return {0, std::move(name), Takes::Value, "FILE", "file", std::move(help), false, [&out](Given v) -> Status {
            out = std::string(*v);
            return {};
          }};
}

Option files(std::string name, std::string help, std::vector<std::string>& out) {
  return {0, std::move(name), Takes::Value, "FILE", "file", std::move(help), false, [&out](Given v) -> Status {
            out.emplace_back(*v);
            return {};
          }};
}

Option flag(std::string name, std::string help, bool& out) {
  return {0, std::move(name), Takes::Nothing, "", "none", std::move(help), false, [&out](Given) -> Status {
            out = true;
            return {};
          }};
}

Option choice(std::string name, std::vector<std::string> values, std::string help, std::function<void(std::size_t)> set) {
  std::string list;
  for (const std::string& value : values) list += (list.empty() ? "" : ",") + value;
  std::string shown = list;
  for (char& c : shown) c = c == ',' ? '|' : c;
  return {0, name, Takes::Value, shown, "choices=" + list, std::move(help), false, [values, list, set](Given v) -> Status {
            for (std::size_t i = 0; i < values.size(); ++i) {
              if (values[i] != *v) continue;
              set(i);
              return {};
            }
            return fail(fmt::format("{}: expected one of {}", quoted(*v), list));
          }};
}

Status read_operator_flag(OperatorFlags& flags, std::string_view text) {
  const auto equals = text.find('=');
  if (equals == std::string_view::npos) return fail(fmt::format("{}: expected NAME=VALUE", quoted(text)));
  const std::string_view name = text.substr(0, equals);
  const std::string_view value = text.substr(equals + 1);
  const std::array<std::pair<std::string_view, std::int64_t*>, 6> times = {{
      {"minimum-recovery-time-for-exclusion", &flags.recovery_for_exclusion},
      {"minimum-recovery-time-for-inclusion", &flags.recovery_for_inclusion},
      {"minimum-uptime-for-coordinator-change-with-undesired-process", &flags.uptime_for_undesired_coordinator},
      {"minimum-uptime-for-coordinator-change-with-missing-process", &flags.uptime_for_missing_coordinator},
      {"minimum-uptime-for-configuration-changes", &flags.uptime_for_configuration},
      {"minimum-age-for-terminal-pod-deletion", &flags.terminal_pod_age}}};
  for (const auto& [known, out] : times) {
    if (known == name) return read_integer(value, 0, kMost, *out);
  }
  const std::array<std::pair<std::string_view, bool*>, 3> switches = {{
      {"replace-on-security-context-change", &flags.replace_on_security_context},
      {"enable-recovery-state", &flags.recovery_state},
      {"enable-restart-incompatible-processes", &flags.restart_incompatible}}};
  for (const auto& [known, out] : switches) {
    if (known != name) continue;
    if (value != "true" && value != "false") return fail(fmt::format("{}: expected true or false", quoted(text)));
    *out = value == "true";
    return {};
  }
  if (name == "high-run-loop-busy-threshold") {
    const auto number = cli::parse_positive(value);
    if (!number) return fail(number.error().message);
    flags.high_run_loop_busy = *number;
    return {};
  }
  return fail(fmt::format("{}: expected a flag that the result depends on", quoted(name)));
}

Status read_now(std::string_view text, std::optional<Time>& now) {
  if (const auto seconds = cli::parse_integer(text, 0, 253'402'300'799)) {
    now = *seconds;
    return {};
  }
  now = kube::parse_time(text);
  if (now) return {};
  return fail(fmt::format("{}: expected a time such as 2026-03-01T12:00:00Z, or Unix seconds", quoted(text)));
}

std::vector<Option> input_options(Command& c) {
  return {
      text("current", "FILE", "snapshot: a FoundationDBCluster with spec and status; - is standard input", c.load.current, "file"),
      file("desired", "the wish: a FoundationDBCluster, a bare spec, or a patch below spec", c.load.desired),
      {0, "set", Takes::Value, "PATH=VALUE", "none", "a field of the wish below spec; may be repeated", false,
       [&c](Given v) -> Status {
         c.load.sets.emplace_back(*v);
         return {};
       }},
      files("kube", "pods, volume claims, services, config maps, nodes as kubectl prints them; may be repeated", c.load.kube),
      files("nodes", "nodes, if they are not in --kube", c.load.kube),
      files("pvs", "volumes, if they are not in --kube", c.load.kube),
      file("status", "the database's status json", c.load.status),
      text("name", "NAME", "which cluster, where a file holds several", c.load.name),
      text("namespace", "NAME", "its namespace", c.load.name_space),
      {0, "now", Takes::Value, "TIME", "none", "the clock: RFC 3339 or Unix seconds", false,
       [&c](Given v) -> Status { return read_now(*v, c.load.now); }},
  };
}

std::vector<Option> plan_options(Command& c) {
  return {
      choice("profile", {"today", "seed"}, "which flow to plan: the operator of release 2.33, or the first design",
             [&c](std::size_t i) {
               c.plan.profile = i == 1 ? Profile::Seed : Profile::Today;
               c.load.is_seed = i == 1;
             }),
      flag("assume-healthy", "gates that fail for a state become waits of unknown length", c.plan.assume_healthy),
      flag("allow-unsafe", "dead ends that only this planner sees become warnings", c.plan.allow_unsafe),
      {0, "rate", Takes::Value, "MiB/s", "none", "speed of one transfer", false,
       [&c](Given v) -> Status {
         const auto rate = cli::parse_positive(*v);
         if (!rate) return fail(rate.error().message);
         c.plan.rate_mib = *rate;
         return {};
       }},
      {0, "parallel", Takes::Value, "N", "integer", "how many transfers run at once", false,
       [&c](Given v) -> Status {
         std::int64_t value = 0;
         if (Status status = read_integer(v, 1, 100'000, value); !status) return status;
         c.plan.parallel = static_cast<int>(value);
         return {};
       }},
      choice("ids", {"lowest", "random-note"}, "how IDs of new groups are shown", [&c](std::size_t i) { c.plan.notes_random_ids = i == 0 || i == 1; }),
      {0, "operator-flag", Takes::Value, "NAME=VALUE", "none", "a flag of the operator's own process; may be repeated", false,
       [&c](Given v) -> Status { return read_operator_flag(c.plan.flags, *v); }},
      choice("new-pod-zones", {"own", "existing"}, "where new pods land", [&c](std::size_t i) { c.plan.existing_zones = i == 1; }),
      choice("distribution-scope", {"cluster", "class"}, "which pods the anti-affinity of bin packing looks at", [&c](std::size_t i) { c.by_class = i == 1; }),
      {0, "max-passes", Takes::Value, "N", "integer", "when to give up", false,
       [&c](Given v) -> Status {
         std::int64_t value = 0;
         if (Status status = read_integer(v, 1, 10'000'000, value); !status) return status;
         c.plan.max_passes = static_cast<int>(value);
         return {};
       }},
      {0, "domains", Takes::Value, "N", "integer", "spread: number of fault domains", false,
       [&c](Given v) -> Status {
         std::int64_t value = 0;
         if (Status status = read_integer(v, -kMost, kMost, value); !status) return status;
         c.domains = static_cast<int>(value);
         return {};
       }},
      text("node", "NAME", "drain: the node to empty", c.node),
      text("zone", "NAME", "drain: the fault domain to empty", c.zone),
  };
}

std::vector<Option> output_options(Command& c) {
  return {
      choice("format", {"text", "brief", "json", "shell", "markdown", "html"}, "output form",
             [&c](std::size_t i) { c.format = static_cast<Format>(i); }),
      {0, "json", Takes::Nothing, "", "none", "short for --format json", false,
       [&c](Given) -> Status {
         c.format = Format::Json;
         return {};
       }},
      file("report", "writes the HTML report besides", c.report),
      file("write-status", "groups: writes the status that tracking would keep", c.write_status),
      choice("color", {"auto", "always", "never"}, "colours on a terminal", [&c](std::size_t i) { c.colour = i == 0 ? "auto" : i == 1 ? "always" : "never"; }),
      {'v', "verbose", Takes::Nothing, "", "none", "notes on standard error too", false,
       [&c](Given) -> Status {
         c.is_verbose = true;
         return {};
       }},
      flag("detailed-exit-code", "exit 2 where there are steps and none is blocked", c.detailed_exit_code),
  };
}

}  // namespace

std::vector<cli::Option> option_table(Command& command) {
  std::vector<cli::Option> table = input_options(command);
  for (auto part : {plan_options(command), output_options(command)}) {
    table.insert(table.end(), part.begin(), part.end());
  }
  return table;
}

cli::Usage usage() {
  return {"hfdb", "hfdb plan|groups|spread|drain --current FILE [OPTION...]",
          "Shows what the FoundationDB operator for Kubernetes would do for a changed spec, step by step and with reasons. Nothing is executed.",
          {"Examples:", "  kubectl get fdb sample -o yaml | hfdb plan --current - --set storageServersPerPod=2",
           "  hfdb drain --current cluster.yaml --kube pods.json --node node-7"}};
}

}  // namespace ballast::fdb
