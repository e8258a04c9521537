// SPDX-License-Identifier: BSD-2-Clause
// What shows that the operator has made a step. IDs of new process groups are guesses (the operator
// draws them), so what is new is told by its class and number.
#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "ballast/core/listed.hpp"
#include "ballast/core/shell.hpp"
#include "ballast/core/words.hpp"
#include "ballast/plan/gate.hpp"
#include "parts.hpp"

namespace ballast::fdb {
namespace {

constexpr std::string_view kClusterLabel = "foundationdb.org/fdb-cluster-name";
constexpr std::string_view kGroupLabel = "foundationdb.org/fdb-process-group-id";

/// Groups of the snapshot by their IDs, others by their classes.
struct Targets {
  std::vector<std::string> ids;
  std::set<std::string> new_classes;
};

class GateWriter {
 public:
  GateWriter(const Cluster& snapshot, GroupClasses& classes)
      : snapshot_(snapshot),
        classes_(classes),
        kubectl_("kubectl -n " + shell_word(snapshot.name_space)),
        object_(kubectl_ + " get foundationdbcluster " + shell_word(snapshot.name) + " -o json") {
    for (const ProcessGroup& group : snapshot.groups) {
      if (!group.is_marked()) ++staying_[std::string(name(group.process_class))];
    }
  }

  std::vector<plan::Gate> gates_of(const TraceStep& step) {
    targets_ = split(step);
    switch (step.action) {
      case Action::CreateConfigMap:
      case Action::UpdateConfigMap:
        return config_map_keys(step);
      case Action::MarkForRemoval:
        return marked();
      case Action::AddProcessGroup:
        return added(step);
      case Action::CreatePvc:
        return free_of({"MissingPVC"}, "has its volume claim");
      case Action::CreatePod:
        return free_of({"MissingPod", "PodPending", "MissingProcesses"}, "runs and reports");
      case Action::DeletePod:
        return free_of({"IncorrectPodSpec", "MissingPod", "PodPending"}, "runs with its new pod");
      case Action::SyncPodConfig:
        return free_of({"IncorrectConfigMap"}, "has the new configuration");
      case Action::UpdatePodMetadata:
        return free_of({"IncorrectPodMetadata"}, "has the new labels");
      case Action::UpdateSidecarImage:
        return free_of({"IncorrectSidecarImage"}, "has the new sidecar");
      case Action::KillProcesses:
        return free_of({"IncorrectCommandLine"}, "runs its new command line");
      case Action::Exclude:
        return excluded();
      case Action::ChangeCoordinators:
        return coordinators_are_well();
      case Action::DeleteResources:
        return resources_are_gone();
      case Action::Include:
        return included(step);
      case Action::DropProcessGroup:
        return forgotten();
      default:
        return {};
    }
  }

  [[nodiscard]] plan::Gate reconciled() const {
    return plan::json_gate("the operator says that it is done with this generation", object_,
                           ".status.generations.reconciled == .metadata.generation");
  }

 private:
  [[nodiscard]] Targets split(const TraceStep& step) const {
    Targets targets;
    for (const std::string& id : step.targets) {
      if (snapshot_.find(id) != nullptr) {
        targets.ids.push_back(id);
      } else if (std::string of = classes_.of(id); !of.empty()) {
        targets.new_classes.insert(std::move(of));
      }
    }
    return targets;
  }
  [[nodiscard]] std::string names() const { return listed(targets_.ids, 3); }
  [[nodiscard]] static std::string database() { return "fdbcli --exec 'status json'"; }

  std::vector<plan::Gate> config_map_keys(const TraceStep& step) const {
    // What only changes cannot be told from outside.
    std::vector<std::string> filters;
    for (const std::string& key : step.keys_added)
      filters.push_back(fmt::format("(.data | has({}))", plan::jq_text(key)));
    for (const std::string& key : step.keys_removed)
      filters.push_back(fmt::format("(.data | has({}) | not)", plan::jq_text(key)));
    const std::string filter = fmt::format("{}", fmt::join(filters, " and "));
    if (filter.empty()) return {};
    const std::string& map = step.targets.front();
    return {plan::json_gate(fmt::format("{} has the keys of {}", map, step.detail),
                            kubectl_ + " get configmap " + shell_word(map) + " -o json", filter)};
  }

  std::vector<plan::Gate> marked() {
    for (const std::string& id : targets_.ids) --staying_[classes_.of(id)];
    if (targets_.ids.empty()) return {};
    return {plan::json_gate(
        names() + " marked for removal, or gone", object_,
        fmt::format("[.status.processGroups[] | select(.processGroupID as $i | {} | index($i)) | "
                    ".removalTimestamp != null] | all",
                    plan::jq_list(targets_.ids)))};
  }

  std::vector<plan::Gate> added(const TraceStep& step) {
    for (const std::string& id : step.targets) ++staying_[classes_.of(id)];
    std::vector<plan::Gate> gates;
    for (const std::string& of : targets_.new_classes) {
      const int count = staying_[of];
      gates.push_back(
          plan::json_gate(fmt::format("{} of class {} that stay",
                                      counted(std::int64_t{count}, "process group"), of),
                          object_,
                          fmt::format("[.status.processGroups[] | select(.processClass == {} and "
                                      ".removalTimestamp == null)] | length >= {}",
                                      plan::jq_text(of), count)));
    }
    return gates;
  }

  /// None of the groups that stay is in one of these conditions.
  std::vector<plan::Gate> free_of(const std::vector<std::string>& conditions,
                                  std::string_view what) const {
    std::vector<plan::Gate> gates;
    const auto add = [&](const std::string& who, const std::string& which) {
      gates.push_back(plan::json_gate(
          fmt::format("{}: each {}", who, what), object_,
          fmt::format("[.status.processGroups[] | select(.removalTimestamp == null) | select({}) | "
                      ".processGroupConditions[]? | .type | select(. as $c | {} | index($c))] | "
                      "length == 0",
                      which, plan::jq_list(conditions))));
    };
    if (!targets_.ids.empty())
      add(names(),
          fmt::format(".processGroupID as $i | {} | index($i)", plan::jq_list(targets_.ids)));
    for (const std::string& of : targets_.new_classes)
      add("class " + of, ".processClass == " + plan::jq_text(of));
    return gates;
  }

  /// Excluded, and no server holds data or the log any more.
  std::vector<plan::Gate> excluded() const {
    if (targets_.ids.empty()) return {};
    return {plan::json_gate(
        names() + " excluded and without data, or gone", database(),
        fmt::format(
            "[.cluster.processes[] | select(.locality.instance_id as $i | {} | index($i)) | "
            ".excluded == true and ([.roles[]?.role] | all(. == \"coordinator\"))] | all",
            plan::jq_list(targets_.ids)))};
  }

  static std::vector<plan::Gate> coordinators_are_well() {
    return {plan::json_gate(
        "a quorum of coordinators is there, and none of them is excluded", database(),
        ".client.coordinators.quorum_reachable == true and ([.cluster.processes[] | "
        "select(.excluded == true) | .roles[]? | select(.role == \"coordinator\")] | length == "
        "0)")};
  }

  std::vector<plan::Gate> resources_are_gone() const {
    if (targets_.ids.empty()) return {};
    return {plan::json_gate(
        "pods and claims of " + names() + " are gone",
        fmt::format("{} get pod,pvc -l {}={} -o json", kubectl_, kClusterLabel,
                    shell_word(snapshot_.name)),
        fmt::format(
            "[.items[].metadata.labels[{}] | select(. as $i | {} | index($i))] | length == 0",
            plan::jq_text(kGroupLabel), plan::jq_list(targets_.ids)))};
  }

  /// The command is "include A B ...".
  std::vector<plan::Gate> included(const TraceStep& step) const {
    std::vector<std::string> words;
    for (const std::string& command : step.commands) {
      for (std::size_t at = command.find(' '); at != std::string::npos;) {
        const std::size_t end = command.find(' ', at + 1);
        words.push_back(command.substr(at + 1, end == std::string::npos ? end : end - at - 1));
        at = end;
      }
    }
    if (words.empty()) return {};
    return {plan::json_gate(
        "the database no longer lists them as excluded", database(),
        fmt::format("[.cluster.configuration.excluded_servers[]? | (.locality // .address) | "
                    "select(. as $e | {} | index($e))] | length == 0",
                    plan::jq_list(words)))};
  }

  std::vector<plan::Gate> forgotten() const {
    if (targets_.ids.empty()) return {};
    return {plan::json_gate(
        "the operator has forgotten " + names(), object_,
        fmt::format("[.status.processGroups[].processGroupID | select(. as $i | {} | index($i))] | "
                    "length == 0",
                    plan::jq_list(targets_.ids)))};
  }

  const Cluster& snapshot_;
  GroupClasses& classes_;
  std::string kubectl_;
  std::string object_;                  ///< prints the cluster's object
  std::map<std::string, int> staying_;  ///< groups that are not marked, by class
  Targets targets_;                     ///< of the step at hand
};

}  // namespace

void add_gates(const Cluster& snapshot, const Simulation& simulation, plan::Plan& plan) {
  GroupClasses classes(snapshot);
  GateWriter writer(snapshot, classes);
  std::size_t n = 0;
  for (const TraceStep& step : simulation.steps) {
    if (step.action == Action::Blocked) continue;
    plan.steps[n++].done_when = writer.gates_of(step);
  }
  if (simulation.ending == Ending::Reconciled && !plan.steps.empty())
    plan.steps.back().done_when.push_back(writer.reconciled());
}

}  // namespace ballast::fdb
