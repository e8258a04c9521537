// SPDX-License-Identifier: BSD-2-Clause
// Ways out of dead ends: a closed table, tried in order, each alone on top of the user's edit.
#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <utility>

#include "ballast/fdb/model/counts.hpp"
#include "ballast/fdb/search/planner.hpp"

namespace ballast::fdb {
namespace {

struct Edit {
  std::string text;
  std::vector<std::string> set;
  std::vector<std::string> commands;
  std::function<void(ClusterSpec&)> apply;  ///< empty: cannot be tried
};

constexpr int kMostTries = 64;  ///< of one counted remedy

class Finder {
 public:
  Finder(const Cluster& snapshot, const ClusterSpec& desired, const PlanOptions& options,
         const Step& dead_end)
      : snapshot_(snapshot), desired_(desired), options_(options), dead_end_(dead_end) {}

  std::vector<plan::Remedy> run() {
    collect();
    std::vector<plan::Remedy> stuck;
    for (const Edit& edit : edits_) {
      if (!edit.apply) {
        stuck.push_back({edit.text, edit.set, edit.commands});
        continue;
      }
      ClusterSpec spec = desired_;
      edit.apply(spec);
      const std::string gate = gate_of(spec);
      if (gate.empty()) return {{edit.text, edit.set, edit.commands}};
      stuck.push_back({edit.text + " (gets stuck at " + gate + ")", edit.set, edit.commands});
    }
    return stuck;
  }

 private:
  [[nodiscard]] std::string gate_of(const ClusterSpec& spec) const {
    const Simulation simulation = simulate(snapshot_, spec, options_);
    if (simulation.ending != Ending::Blocked) return {};
    return simulation.steps.back().gate;
  }

  void add(std::string text, std::string set, std::function<void(ClusterSpec&)> apply) {
    edits_.push_back({std::move(text), {std::move(set)}, {}, std::move(apply)});
  }

  /// The smallest number above `from` whose plan is not blocked.
  void count(const std::string& path, const std::string& text, int from,
             const std::function<void(ClusterSpec&, int)>& apply) {
    const int most =
        std::min(from + kMostTries, from + 1 + static_cast<int>(snapshot_.groups.size()));
    for (int n = from + 1; n <= most; ++n) {
      ClusterSpec spec = desired_;
      apply(spec, n);
      if (!gate_of(spec).empty()) continue;
      add(text, fmt::format("{}={}", path, n), [apply, n](ClusterSpec& s) { apply(s, n); });
      return;
    }
  }

  void count_class(ProcessClass c, const std::string& text) {
    const int now = wanted_pods(desired_)[index(c)];
    count(fmt::format("processCounts.{}", name(c)), text, now,
          [c](ClusterSpec& s, int n) { s.counts[index(c)] = n; });
  }

  [[nodiscard]] std::string id_list() const {
    std::string text;
    for (const std::string& id : dead_end_.targets) text += (text.empty() ? "" : ",") + id;
    return "[" + text + "]";
  }

  void collect() {
    const std::string& gate = dead_end_.gate;
    if (gate == "exclude-budget") collect_budget();
    if (gate == "no-address") collect_address();
    if (gate == "coordinators") collect_coordinators();
    if (gate == "no-space") collect_space();
    if (gate == "zone-shortage") collect_zones();
    if (gate == "mode-none") {
      add("remove zone by zone", "automationOptions.removalMode=Zone",
          [](ClusterSpec& s) { s.automation.removal_mode = Mode::Zone; });
      add("recreate zone by zone", "automationOptions.deletionMode=Zone",
          [](ClusterSpec& s) { s.automation.deletion_mode = Mode::Zone; });
    }
    if (gate == "config-disabled") {
      add("let the operator configure the database", "automationOptions.configureDatabase=true",
          [](ClusterSpec& s) { s.automation.configure_database = true; });
      add("let the operator restart servers", "automationOptions.killProcesses=true",
          [](ClusterSpec& s) { s.automation.kill_processes = true; });
    }
    if (gate == "unavailable-zones") {
      count("maxZonesWithUnavailablePods", "accept more zones with unavailable pods",
            desired_.max_unavailable_zones.value_or(0),
            [](ClusterSpec& s, int n) { s.max_unavailable_zones = n; });
    }
    if (gate == "isolated") collect_isolated();
    if (gate == "block-removal")
      add("let the groups be removed", "buggify.blockRemoval=null",
          [](ClusterSpec& s) { s.buggify.block_removal.clear(); });
    if (gate == "maintenance") {
      add("end the maintenance mode",
          "automationOptions.maintenanceModeOptions.resetMaintenanceMode=true",
          [](ClusterSpec& s) { s.automation.reset_maintenance = true; });
    }
    if (gate == "downgrade") {
      const Version running = snapshot_.status.running_version;
      add("stay on the running version", "version=" + to_string(running),
          [running](ClusterSpec& s) { s.version = running; });
    }
    if (gate == "client-versions")
      edits_.push_back(
          {"upgrade the clients, or name their log groups in "
           "automationOptions.ignoreLogGroupsForUpgrade if they are harmless",
           {},
           {},
           {}});
    if (gate == "no-convergence")
      edits_.push_back({"allow more passes with --max-passes", {}, {}, {}});
    if (gate == "fault-tolerance" || gate == "unavailable" || gate == "generations" ||
        gate == "lag")
      collect_state();
  }

  void collect_budget() {
    const Automation& rules = desired_.automation;
    count("automationOptions.replacements.maxConcurrentReplacements",
          "replace more failed groups at once", rules.replacements.max_concurrent,
          [](ClusterSpec& s, int n) { s.automation.replacements.max_concurrent = n; });
    if (rules.max_concurrent_replacements) {
      count("automationOptions.maxConcurrentReplacements", "replace more groups at once",
            *rules.max_concurrent_replacements,
            [](ClusterSpec& s, int n) { s.automation.max_concurrent_replacements = n; });
    }
    for (std::size_t i = 0; i < kClassCount; ++i) {
      if ((dead_end_.classes & class_bit(class_at(i))) != 0)
        count_class(class_at(i), "add groups of the class first");
    }
  }

  void collect_address() {
    if (supports_locality_exclusion(snapshot_.status.running_version)) {
      add("exclude by locality, which needs no address",
          "automationOptions.useLocalitiesForExclusion=true",
          [](ClusterSpec& s) { s.automation.use_localities = true; });
    }
    if (snapshot_.database.full_replication.value_or(true) &&
        !lacks_fault_tolerance(simulate(snapshot_, desired_, options_).world)) {
      const auto ids = dead_end_.targets;
      add("remove them without exclusion; replication is full and the fault tolerance holds",
          "processGroupsToRemoveWithoutExclusion=" + id_list(), [ids](ClusterSpec& s) {
            s.groups_to_remove_without_exclusion.insert(s.groups_to_remove_without_exclusion.end(),
                                                        ids.begin(), ids.end());
          });
    }
  }

  void collect_coordinators() {
    const std::string& key = desired_.fault_domain.key;
    const bool own_zones = !options_.existing_zones &&
                           (key == "kubernetes.io/hostname" || key == "foundationdb.org/none");
    if (own_zones) {
      count_class(ProcessClass::Log, "more log pods, each in a zone of its own");
      if (edits_.empty())
        count_class(ProcessClass::Storage, "more storage pods, each in a zone of its own");
    }
    if (!desired_.coordinator_selection.empty()) {
      add("let every class with a volume hold coordinators", "coordinatorSelection=null",
          [](ClusterSpec& s) { s.coordinator_selection.clear(); });
    }
    if (desired_.database.redundancy_mode == "triple") {
      add("double redundancy needs 3 coordinators in 3 zones; three_data_hall with host names as "
          "fault domain needs 9 hosts in 3 halls",
          "databaseConfiguration.redundancy_mode=double",
          [](ClusterSpec& s) { s.database.redundancy_mode = "double"; });
    }
  }

  void collect_space() {
    count_class(ProcessClass::Storage, "more storage pods to hold the data");
    edits_.push_back(
        {"larger volumes: a bigger processes.storage.volumeClaimTemplate", {}, {}, {}});
    int groups = 0;
    for (const ProcessGroup& group : snapshot_.groups)
      groups += group.process_class == ProcessClass::Storage ? 1 : 0;
    if (wanted_pods(desired_)[index(ProcessClass::Storage)] < groups) {
      add("keep the old number of storage pods", fmt::format("processCounts.storage={}", groups),
          [groups](ClusterSpec& s) { s.counts[index(ProcessClass::Storage)] = groups; });
    }
  }

  void collect_zones() {
    if (desired_.uses_distribution()) {
      count("faultDomain.distribution.desiredFaultDomains", "more fault domains",
            desired_.fault_domain.distribution.domains,
            [](ClusterSpec& s, int n) { s.fault_domain.distribution.domains = n; });
    }
    for (std::size_t i = 0; i < kClassCount; ++i) {
      if ((dead_end_.classes & class_bit(class_at(i))) != 0)
        count_class(class_at(i), "more groups of the class");
    }
  }

  void collect_isolated() {
    for (const std::string& id : dead_end_.targets) {
      const ProcessGroup* group = snapshot_.find(id);
      if (group == nullptr || !group->pod) continue;
      edits_.push_back(
          {"take the annotation off",
           {},
           {fmt::format("kubectl -n {} annotate pod {} foundationdb.org/isolate-process-group-",
                        snapshot_.name_space, group->pod->name)},
           {}});
    }
  }

  void collect_state() {
    std::vector<std::string> dead;
    for (const ProcessGroup& group : snapshot_.groups) {
      if (!group.is_marked() && group.processes.empty() && snapshot_.given.database)
        dead.push_back(group.id);
    }
    if (!dead.empty() && dead_end_.gate == "fault-tolerance") {
      std::string list;
      for (const std::string& id : dead) list += (list.empty() ? "" : ",") + id;
      add("remove the groups that do not report", "processGroupsToRemove=[" + list + "]",
          [dead](ClusterSpec& s) {
            s.groups_to_remove.insert(s.groups_to_remove.end(), dead.begin(), dead.end());
          });
    }
    edits_.push_back({dead_end_.observed + ": wait, then plan again", {}, {}, {}});
  }

  const Cluster& snapshot_;
  const ClusterSpec& desired_;
  const PlanOptions& options_;
  const Step& dead_end_;
  std::vector<Edit> edits_;
};

}  // namespace

std::vector<plan::Remedy> find_remedies(const Cluster& snapshot, const ClusterSpec& desired,
                                        const PlanOptions& options, const Step& dead_end) {
  return Finder(snapshot, desired, options, dead_end).run();
}

}  // namespace ballast::fdb
