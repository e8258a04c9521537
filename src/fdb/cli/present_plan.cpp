// SPDX-License-Identifier: BSD-2-Clause
#include <fmt/format.h>

#include <filesystem>
#include <memory>
#include <system_error>
#include <utility>

#include "ballast/core/file.hpp"
#include "ballast/core/version.hpp"
#include "ballast/core/words.hpp"
#include "ballast/fdb/cli/present.hpp"
#include "ballast/fdb/cli/state_files.hpp"
#include "ballast/fdb/search/check/second_opinion.hpp"
#include "ballast/fdb/search/plan/plan_together.hpp"
#include "ballast/fdb/search/plan/planner.hpp"
#include "ballast/fdb/search/simulate/together.hpp"
#include "ballast/report/plan_json.hpp"
#include "ballast/report/render.hpp"

namespace ballast::fdb {
namespace {

void set_list(Value& options, std::string key, const std::vector<std::string>& texts) {
  if (texts.empty()) return;
  Value list = Value::list();
  for (const std::string& text : texts) list.push(text);
  options.set(std::move(key), std::move(list));
}

void set_one_or_list(Value& options, std::string key, const std::vector<std::string>& texts) {
  if (texts.size() == 1) {
    options.set(std::move(key), texts.front());
  } else {
    set_list(options, std::move(key), texts);
  }
}

/// With these, the planner is asked again later: all that shapes a plan, but for files and time.
Value shaping_options(const Settings& settings) {
  Value options = Value::map();
  if (!settings.load.name.empty()) options.set("name", settings.load.name);
  if (!settings.load.name_space.empty()) options.set("namespace", settings.load.name_space);
  set_list(options, "set", settings.load.sets);
  set_list(options, "peer_set", settings.peer_sets);
  set_list(options, "operator_flag", settings.operator_flags);
  if (settings.plan.max_passes) options.set("max_passes", *settings.plan.max_passes);
  if (settings.plan.ids == NewIds::RandomNote) options.set("ids", "random-note");
  if (settings.plan.rate_mib) options.set("rate", *settings.plan.rate_mib);
  options.set("parallel", settings.plan.parallel);
  options.set("new_pod_zones", settings.plan.existing_zones ? "existing" : "own");
  if (settings.plan.assume_healthy) options.set("assume_healthy", true);
  if (settings.plan.allow_unsafe) options.set("allow_unsafe", true);
  set_one_or_list(options, "node", settings.drain.nodes);
  set_one_or_list(options, "zone", settings.drain.zones);
  std::vector<std::string> classes;
  for (const ProcessClass c : settings.drain.classes) classes.emplace_back(name(c));
  set_one_or_list(options, "class", classes);
  std::vector<std::string> conditions;
  for (const Condition condition : settings.drain.conditions)
    conditions.emplace_back(name(condition));
  set_one_or_list(options, "condition", conditions);
  std::vector<std::string> labels;
  for (const auto& [key, value] : settings.drain.node_labels) labels.push_back(key + "=" + value);
  set_one_or_list(options, "node_label", labels);
  return options;
}

/// The brief form has no room for what is bad about the plan.
void warn(const plan::Plan& plan, int verbosity, cli::Streams& streams) {
  for (const plan::Blocked& blocked : plan.blocked) {
    streams.err(fmt::format("hfdb: blocked: {}: {}\n", blocked.code, blocked.text));
    for (const plan::Remedy& remedy : blocked.remedies) {
      std::string line = "hfdb: remedy: " + remedy.text;
      for (const std::string& set : remedy.set) line += " (--set '" + set + "')";
      for (const std::string& command : remedy.commands) line += " (" + command + ")";
      streams.err(line + "\n");
    }
  }
  for (const plan::Warning& warning : plan.warnings) {
    if (warning.severity == plan::Severity::Note && verbosity == 0) continue;
    streams.err(
        fmt::format("hfdb: {}: {}: {}\n", to_string(warning.severity), warning.code, warning.text));
  }
}

/// Number of the last step that is no dead end, and its serial number; 0 and 0 where there is none.
std::pair<int, int> last_step(const std::vector<Step>& steps, std::optional<int> stop_after) {
  std::pair<int, int> last{0, 0};
  for (const Step& step : steps) {
    if (step.action == Action::Blocked || (stop_after && last.first == *stop_after)) continue;
    last = {last.first + 1, step.serial};
  }
  return last;
}

/// Writes the three files of the state after the wished step. The answer is what went wrong.
std::optional<Finding> write_state(const Loaded& loaded, const ClusterSpec& desired,
                                   const Settings& settings, const Simulation& simulation) {
  const auto [number, serial] = last_step(simulation.steps, settings.stop_after);
  if (settings.stop_after && number < *settings.stop_after) {
    return Finding{{},
                   "F018",
                   "--stop-after",
                   fmt::format("{}: the plan has {}", *settings.stop_after,
                               counted(static_cast<std::size_t>(number), "step"))};
  }
  World last = simulation.world;
  settle_restarts(last);
  std::shared_ptr<const World> state = std::make_shared<World>(std::move(last));
  if (settings.stop_after) {
    const Simulation again = simulate(loaded.snapshot, desired, settings.plan, {serial});
    state = again.world.captures.taken.at(serial);
  }
  const StateFiles files = state_files(loaded, *state);
  std::error_code failed;
  std::filesystem::create_directories(settings.write_state, failed);
  if (failed) {
    return Finding{{settings.write_state, 0, 0},
                   "F001",
                   "--write-state",
                   "cannot be made a directory: " + failed.message()};
  }
  const std::pair<const char*, const std::string*> parts[] = {{"cluster.yaml", &files.cluster},
                                                              {"kube.json", &files.objects},
                                                              {"status.json", &files.database}};
  for (const auto& [name, content] : parts) {
    const std::string path = (std::filesystem::path(settings.write_state) / name).string();
    if (const Status written = write_file(path, *content); !written)
      return Finding{written.error().place, "F001", "--write-state", written.error().message};
  }
  return std::nullopt;
}

/// A plan that breaks a rule is not shown.
int refuse_broken(const std::vector<std::string>& problems, const Settings& settings,
                  cli::Streams& streams) {
  std::string all;
  for (const std::string& problem : problems) {
    const std::string line = "internal error: the plan breaks a rule, please report: " + problem;
    streams.err(fmt::format("hfdb: {}\n", line));
    all += (all.empty() ? "" : "\n") + line;
  }
  if (settings.is_json())
    streams.out(report::error_to_json(Error{all, {}, Fault::Internal}, "hfdb", cli::kFailed));
  return cli::kFailed;
}

std::string rendered(const plan::Plan& plan, const std::vector<Step>& trace,
                     const Settings& settings) {
  if (settings.format == Format::Brief) return to_brief(trace);
  const bool is_file = !settings.output.empty();
  return cli::render_plan(plan, settings.format,
                          settings.colour.value_or(!is_file && cli::is_colour_wanted()));
}

/// Writes the report and the other files and prints: the same for one object and for several.
Answer present(plan::Plan& plan, const std::vector<Step>& trace, const std::string& opening,
               const Settings& settings, cli::Streams& streams) {
  plan.tool_version = kVersion;
  plan.options = shaping_options(settings);
  if (!settings.report.empty()) {
    if (const Status written = write_file(settings.report, report::plan_to_html(plan)); !written) {
      return tl::unexpected(std::vector<Finding>{
          {written.error().place, "F001", "--report", written.error().message}});
    }
  }
  if (const Status written = cli::write_plan_files(plan, settings.files); !written) {
    return tl::unexpected(
        std::vector<Finding>{{written.error().place, "F001", "", written.error().message}});
  }
  if (settings.files.quiet_if_nothing && cli::is_nothing(plan)) return cli::kDone;
  if (settings.format == Format::Text) streams.out(opening);
  streams.out(rendered(plan, trace, settings));
  if (settings.format == Format::Brief) warn(plan, settings.verbosity, streams);
  if (plan.result == plan::Outcome::Blocked) return cli::kBlocked;
  return settings.detailed_exit_code && !plan.steps.empty() ? cli::kHasChanges : cli::kDone;
}

}  // namespace

Answer present_plan(const Loaded& loaded, const ClusterSpec& desired, const Settings& settings,
                    const Preface& preface, cli::Streams& streams) {
  Planned planned = make_plan(loaded.snapshot, desired, settings.plan, loaded.desired_generation);
  const auto problems =
      find_broken_rules({loaded.snapshot, desired, settings.plan, planned.simulation.steps});
  if (!problems.empty()) return refuse_broken(problems, settings, streams);
  if (!settings.write_state.empty()) {
    if (auto wrong = write_state(loaded, desired, settings, planned.simulation))
      return tl::unexpected(std::vector<Finding>{std::move(*wrong)});
  }
  const Opening opening = preface ? preface(planned.simulation.steps) : Opening{};
  if (settings.format != Format::Text) {
    planned.plan.notes.insert(planned.plan.notes.end(), opening.notes.begin(), opening.notes.end());
  }
  return present(planned.plan, planned.simulation.steps, opening.text, settings, streams);
}

tl::expected<std::vector<Loaded>, std::vector<Finding>> load_together(const Settings& settings) {
  std::vector<Loaded> objects;
  LoadRequest request = settings.load;
  request.has_peers = true;
  for (std::size_t i = 0; i <= settings.peers.size(); ++i) {
    if (i > 0) {
      request.current = settings.peers[i - 1];
      request.sets = settings.peer_sets;
      request.name.clear();
      request.name_space.clear();
    }
    auto loaded = load(request);
    if (!loaded) return tl::unexpected(loaded.error());
    objects.push_back(std::move(*loaded));
  }
  return objects;
}

Answer present_plan_together(const std::vector<Loaded>& objects, const Settings& settings,
                             cli::Streams& streams) {
  std::vector<ObjectWish> wishes;
  for (const Loaded& loaded : objects)
    wishes.push_back({&loaded.snapshot, loaded.desired, loaded.desired_generation});
  JointPlan joint = plan_together(wishes, settings.plan);
  if (!joint.problems.empty()) return refuse_broken(joint.problems, settings, streams);
  return present(joint.plan, joint.trace, "", settings, streams);
}

}  // namespace ballast::fdb
