// SPDX-License-Identifier: BSD-2-Clause
#include "ballast/fdb/cli/command.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <utility>

#include "ballast/core/file.hpp"
#include "ballast/fdb/cli/spread_report.hpp"
#include "ballast/report/plan_json.hpp"
#include "ballast/report/render.hpp"
#include "options.hpp"

namespace ballast::fdb {
namespace {

class Hfdb {
 public:
  Hfdb(const cli::Invocation& invocation, cli::Streams& streams) : invocation_(invocation), streams_(streams) {}

  int run() {
    const auto table = option_table(command_);
    const auto line = cli::parse_command_line(usage(), table, invocation_.words);
    if (!line) return usage_error(line.error().message);
    switch (line->wish) {
      case cli::ParsedLine::Wish::Help: streams_.out(cli::help_text(usage(), table)); return cli::kDone;
      case cli::ParsedLine::Wish::Version: streams_.out(cli::version_text("hfdb")); return cli::kDone;
      case cli::ParsedLine::Wish::Completion: streams_.out(cli::completion_text(table)); return cli::kDone;
      case cli::ParsedLine::Wish::Run: break;
    }
    if (const auto problem = read_subcommand(line->arguments)) return usage_error(*problem);
    command_.load.clock = std::chrono::duration_cast<std::chrono::seconds>(std::chrono::system_clock::now().time_since_epoch()).count();
    auto loaded = load(command_.load);
    if (!loaded) return failed(loaded.error());
    return answer(*loaded);
  }

 private:
  std::optional<std::string> read_subcommand(const std::vector<std::string>& arguments) {
    static const std::vector<std::pair<std::string_view, Subcommand>> kNames = {
        {"plan", Subcommand::Plan}, {"groups", Subcommand::Groups}, {"spread", Subcommand::Spread}, {"drain", Subcommand::Drain}};
    if (arguments.empty()) return "expected a subcommand: plan, groups, spread or drain";
    const auto found = std::find_if(kNames.begin(), kNames.end(), [&](const auto& n) { return n.first == arguments.front(); });
    if (found == kNames.end()) return quoted(arguments.front()) + ": expected a subcommand: plan, groups, spread or drain";
    command_.subcommand = found->second;
    if (arguments.size() > 1) return quoted(arguments[1]) + ": expected no further argument";
    if (command_.load.current.empty()) return "--current is missing: expected the snapshot";
    const bool spreads = command_.subcommand == Subcommand::Spread;
    const bool drains = command_.subcommand == Subcommand::Drain;
    if (spreads != command_.domains.has_value()) return spreads ? "spread needs --domains N" : "--domains belongs to spread";
    if (drains != (!command_.node.empty() || !command_.zone.empty())) return drains ? "drain needs --node NAME or --zone NAME" : "--node and --zone belong to drain";
    if (!command_.node.empty() && !command_.zone.empty()) return "--node and --zone exclude each other";
    const bool is_table = command_.subcommand == Subcommand::Groups || spreads;
    if (is_table && command_.format != Format::Text && command_.format != Format::Json) return "this subcommand has the formats text and json";
    if (command_.write_status && command_.subcommand != Subcommand::Groups) return "--write-status belongs to groups";
    return std::nullopt;
  }

  int usage_error(const std::string& message) {
    // The table's own errors begin with the tool's name and may end with the whole help.
    constexpr std::string_view kTool = "hfdb: ";
    std::string_view line = message;
    if (line.rfind(kTool, 0) == 0) line.remove_prefix(kTool.size());
    return failed({{{}, "F018", "", std::string(line.substr(0, line.find('\n')))}});
  }

  int failed(const std::vector<Finding>& findings) {
    for (const Finding& finding : findings) streams_.err("hfdb: " + to_string(finding) + "\n");
    if (command_.format == Format::Json && !findings.empty()) {
      Error error{findings.front().code + ": " + findings.front().message, findings.front().place, Fault::Input};
      streams_.out(report::error_to_json(error, "hfdb", cli::kFailed));
    }
    return cli::kFailed;
  }

  int answer(Loaded& loaded) {
    switch (command_.subcommand) {
      case Subcommand::Groups: return groups(loaded);
      case Subcommand::Spread: return spread(loaded);
      case Subcommand::Drain: return drain(loaded);
      case Subcommand::Plan: break;
    }
    return plan(loaded);
  }

  int groups(const Loaded& loaded) {
    const Cluster& cluster = loaded.snapshot;
    if (cluster.groups.empty()) return failed({{{command_.load.current, 0, 0}, "F017", "status.processGroups", "no process group: expected a status, or --kube"}});
    if (command_.write_status) {
      const std::string text = kube::emit_yaml(tracked_status(cluster, command_.plan.profile == Profile::Seed));
      if (const Status status = write_file(*command_.write_status, text); !status) {
        return failed({{status.error().place, "F001", "", status.error().message}});
      }
    }
    streams_.out(command_.format == Format::Json ? report::value_to_json(groups_to_value(cluster)) : groups_to_text(cluster));
    return cli::kDone;
  }

  int spread(const Loaded& loaded) {
    const std::string refusal = spread_refusal(loaded.desired, *command_.domains);
    if (!refusal.empty()) return failed({{{}, "F014", "--domains", refusal}});
    const SpreadOptions options{*command_.domains, loaded.desired.fault_domain.distribution.is_required, command_.by_class};
    const Spread result = plan_spread(loaded.snapshot, loaded.desired, options);
    streams_.out(command_.format == Format::Json ? report::value_to_json(spread_to_value(result, loaded.snapshot))
                                                 : spread_to_text(result, loaded.snapshot));
    return command_.detailed_exit_code && result.replacements() > 0 ? cli::kHasChanges : cli::kDone;
  }

  int drain(Loaded& loaded) {
    std::vector<std::string> ids;
    for (const ProcessGroup& group : loaded.snapshot.groups) {
      const bool on_node = !command_.node.empty() && group.pod && group.pod->node == command_.node;
      const bool in_zone = !command_.zone.empty() && group.fault_domain == command_.zone;
      if (on_node || in_zone) ids.push_back(group.id);
    }
    if (!command_.node.empty() && !loaded.snapshot.given.pods) {
      return failed({{{}, "F017", "--node", "needs pods: expected --kube"}});
    }
    if (ids.empty()) {
      const bool by_node = !command_.node.empty();
      return failed({{{}, "F017", by_node ? "--node" : "--zone", quoted(by_node ? command_.node : command_.zone) + ": expected a name that a process group has"}});
    }
    auto& list = loaded.desired.groups_to_remove;
    for (const std::string& id : ids) {
      if (std::find(list.begin(), list.end(), id) == list.end()) list.push_back(id);
    }
    return plan(loaded);
  }

  int plan(const Loaded& loaded) {
    Planned planned = make_plan(loaded.snapshot, loaded.desired, command_.plan, loaded.desired_generation);
    const auto problems = find_broken_rules(loaded.snapshot, planned.simulation.steps);
    if (!problems.empty()) {
      for (const std::string& problem : problems) streams_.err("hfdb: internal error: the plan breaks a rule: " + problem + "\n");
      return cli::kFailed;
    }
    planned.plan.tool_version = first_word_after_blank(cli::version_text("hfdb"));
    planned.plan.options = options_value();
    print(planned);
    if (command_.report) {
      if (const Status status = write_file(*command_.report, report::plan_to_html(planned.plan)); !status) {
        return failed({{status.error().place, "F001", "", status.error().message}});
      }
    }
    if (planned.plan.result == plan::Outcome::Blocked) return cli::kBlocked;
    const bool has_steps = !planned.plan.steps.empty();
    return command_.detailed_exit_code && has_steps ? cli::kHasChanges : cli::kDone;
  }

  void print(const Planned& planned) {
    switch (command_.format) {
      case Format::Brief:
        streams_.out(to_brief(planned.simulation.steps));
        warn(planned.plan);
        return;
      case Format::Json: streams_.out(report::plan_to_json(planned.plan)); return;
      case Format::Shell: streams_.out(report::plan_to_shell(planned.plan)); return;
      case Format::Markdown: streams_.out(report::plan_to_markdown(planned.plan)); return;
      case Format::Html: streams_.out(report::plan_to_html(planned.plan)); return;
      case Format::Text: break;
    }
    report::TextOptions options;
    options.colour = command_.colour == "always" || (command_.colour == "auto" && cli::is_colour_wanted());
    streams_.out(report::plan_to_text(planned.plan, options));
  }

  /// The brief form has no room for them.
  void warn(const plan::Plan& plan) {
    for (const plan::Blocked& blocked : plan.blocked) streams_.err("hfdb: blocked: " + blocked.code + ": " + blocked.text + "\n");
    for (const plan::Blocked& blocked : plan.blocked) {
      for (const plan::Remedy& remedy : blocked.remedies) {
        std::string line = "hfdb: remedy: " + remedy.text;
        for (const std::string& set : remedy.set) line += " (--set '" + set + "')";
        for (const std::string& text : remedy.commands) line += " (" + text + ")";
        streams_.err(line + "\n");
      }
    }
    for (const plan::Warning& warning : plan.warnings) {
      if (warning.severity == plan::Severity::Note && !command_.is_verbose) continue;
      streams_.err(fmt::format("hfdb: {}: {}: {}\n", to_string(warning.severity), warning.code, warning.text));
    }
  }

  [[nodiscard]] Value options_value() const {
    Value options = Value::map();
    Value sets = Value::list();
    for (const std::string& set : command_.load.sets) sets.push(set);
    if (!command_.load.sets.empty()) options.set("set", std::move(sets));
    if (command_.plan.rate_mib) options.set("rate", *command_.plan.rate_mib);
    options.set("parallel", command_.plan.parallel);
    options.set("new_pod_zones", command_.plan.existing_zones ? "existing" : "own");
    if (!command_.node.empty()) options.set("node", command_.node);
    if (!command_.zone.empty()) options.set("zone", command_.zone);
    return options;
  }

  /// The version in the first line of the version text.
  static std::string first_word_after_blank(const std::string& text) {
    const std::string line = text.substr(0, text.find('\n'));
    for (std::size_t i = 0; i < line.size(); ++i) {
      if (line[i] < '0' || line[i] > '9') continue;
      return line.substr(i, line.find_first_not_of("0123456789.", i) - i);
    }
    return line;
  }

  const cli::Invocation& invocation_;
  cli::Streams& streams_;
  Command command_;
};

}  // namespace

int run_hfdb(const cli::Invocation& invocation, cli::Streams& streams) { return Hfdb(invocation, streams).run(); }

}  // namespace ballast::fdb
