// SPDX-License-Identifier: BSD-2-Clause
#include <fmt/format.h>

#include <memory>
#include <utility>

#include "ballast/core/version.hpp"
#include "ballast/core/words.hpp"
#include "ballast/fdb/cli/state_files.hpp"
#include "ballast/fdb/search/check/second_opinion.hpp"
#include "ballast/fdb/search/plan/planner.hpp"
#include "ballast/fdb/search/plan/together.hpp"
#include "ballast/fdb/search/simulate/together.hpp"
#include "present.hpp"

namespace ballast::fdb {
namespace {

/// With these, the planner is asked again later: all that shapes a plan, but for files and time.
Value shaping_options(const Settings& settings) {
  using operators::record;
  using operators::record_selection;
  Value options = Value::map();
  record_selection(options, settings);
  record(options, "set", settings.sets);
  record(options, "peer_set", settings.peer_sets);
  record(options, "operator_flag", settings.operator_flags);
  if (settings.plan.max_passes) options.set("max_passes", *settings.plan.max_passes);
  if (settings.plan.ids == NewIds::RandomNote) options.set("ids", "random-note");
  if (settings.plan.rate_mib) options.set("rate", *settings.plan.rate_mib);
  options.set("parallel", settings.plan.parallel);
  options.set("new_pod_zones", settings.plan.existing_zones ? "existing" : "own");
  if (settings.plan.assume_healthy) options.set("assume_healthy", true);
  if (settings.plan.allow_unsafe) options.set("allow_unsafe", true);
  record(options, "node", settings.drain.nodes, true);
  record(options, "zone", settings.drain.zones, true);
  std::vector<std::string> classes;
  for (const ProcessClass c : settings.drain.classes) classes.emplace_back(name(c));
  record(options, "class", classes, true);
  std::vector<std::string> conditions;
  for (const Condition condition : settings.drain.conditions)
    conditions.emplace_back(name(condition));
  record(options, "condition", conditions, true);
  std::vector<std::string> labels;
  for (const auto& [key, value] : settings.drain.node_labels) labels.push_back(key + "=" + value);
  record(options, "node_label", labels, true);
  return options;
}

/// Number of the last step that is no dead end, and its serial number; 0 and 0 where there is none.
std::pair<int, int> last_step(const std::vector<TraceStep>& steps, std::optional<int> stop_after) {
  std::pair<int, int> last{0, 0};
  for (const TraceStep& step : steps) {
    if (step.action == Action::Blocked || (stop_after && last.first == *stop_after)) continue;
    last = {last.first + 1, step.serial};
  }
  return last;
}

/// Writes the three files of the state after the wished step.
tl::expected<void, std::vector<Diagnostic>> write_state(const Loaded& loaded,
                                                        const ClusterSpec& desired,
                                                        const Settings& settings,
                                                        const Simulation& simulation) {
  const auto [number, serial] = last_step(simulation.steps, settings.stop_after);
  if (settings.stop_after && number < *settings.stop_after) {
    return operators::refusal({"F018", "--stop-after",
                               fmt::format("{}: the plan has {}", *settings.stop_after,
                                           counted(static_cast<std::size_t>(number), "step"))});
  }
  World last = simulation.world;
  settle_restarts(last);
  std::shared_ptr<const World> state = std::make_shared<World>(std::move(last));
  if (settings.stop_after) {
    const Simulation again = simulate(loaded.snapshot, desired, settings.plan, {serial});
    state = again.world.captures.taken.at(serial);
  }
  const StateFiles files = state_files(loaded, *state);
  const Status written =
      operators::write_folder(settings.write_state, {{"cluster.yaml", files.cluster},
                                                     {"kube.json", files.objects},
                                                     {"status.json", files.database}});
  if (written) return {};
  return operators::refusal(
      {"F001", "--write-state", written.error().message, written.error().place});
}

Answer present(plan::Plan& plan, const std::vector<TraceStep>& trace, const std::string& opening,
               const Settings& settings, cli::Streams& streams) {
  plan.tool_version = kVersion;
  plan.options = shaping_options(settings);
  operators::OwnForms own;
  own.opening = opening;
  own.brief = [&trace] { return to_brief(trace); };
  own.tells_dangers = true;
  return operators::present(kProgram, settings, plan, own, streams);
}

}  // namespace

Answer present_plan(const Loaded& loaded, const ClusterSpec& desired, const Settings& settings,
                    const Preface& preface, cli::Streams& streams) {
  Planned planned = make_plan(loaded.snapshot, desired, settings.plan, loaded.desired_generation);
  const auto problems =
      find_broken_rules({loaded.snapshot, desired, settings.plan, planned.simulation.steps});
  if (!problems.empty()) return operators::refuse_broken(kProgram, settings, problems, streams);
  if (!settings.write_state.empty()) {
    if (auto written = write_state(loaded, desired, settings, planned.simulation); !written)
      return tl::unexpected(written.error());
  }
  const Opening opening = preface ? preface(planned.simulation.steps) : Opening{};
  if (settings.format != Format::Text) {
    planned.plan.notes.insert(planned.plan.notes.end(), opening.notes.begin(), opening.notes.end());
  }
  return present(planned.plan, planned.simulation.steps, opening.text, settings, streams);
}

std::vector<LoadRequest> requests_of(const Settings& settings) {
  LoadRequest request = settings.load;
  request.has_peers = true;
  std::vector<LoadRequest> requests = {request};
  request.sets = settings.peer_sets;
  request.name.clear();
  request.name_space.clear();
  for (const std::string& peer : settings.peers) {
    request.current = peer;
    requests.push_back(request);
  }
  return requests;
}

Answer present_plan_together(const std::vector<Loaded>& objects, const Settings& settings,
                             cli::Streams& streams) {
  std::vector<ObjectWish> wishes;
  for (const Loaded& loaded : objects)
    wishes.push_back({&loaded.snapshot, loaded.desired, loaded.desired_generation});
  JointPlan joint = plan_together(wishes, settings.plan);
  if (!joint.problems.empty())
    return operators::refuse_broken(kProgram, settings, joint.problems, streams);
  return present(joint.plan, joint.trace, "", settings, streams);
}

}  // namespace ballast::fdb
