// SPDX-License-Identifier: BSD-2-Clause
// What the plan risks, and what it took for granted.
#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <utility>

#include "ballast/fdb/model/counts.hpp"
#include "ballast/fdb/search/planner.hpp"
#include "ballast/fdb/search/reconcilers.hpp"
#include "ballast/kube/object.hpp"

namespace ballast::fdb {
namespace {

std::string joined(const std::vector<std::string>& list) {
  std::string text;
  for (const std::string& item : list) text += (text.empty() ? "" : ", ") + item;
  return text;
}

std::string gib(std::int64_t bytes) {
  return fmt::format("{:.1f} GiB", static_cast<double>(bytes) / (1024.0 * 1024 * 1024));
}

std::string age(std::int64_t seconds) {
  return seconds < 7200 ? fmt::format("{} s", seconds) : fmt::format("{} h", seconds / 3600);
}

class Warner {
 public:
  Warner(const Cluster& snapshot, const ClusterSpec& desired, const PlanOptions& options,
         const Simulation& simulation)
      : snapshot_(snapshot), desired_(desired), options_(options), simulation_(simulation) {
    for (const Step& step : simulation.steps) {
      numbers_.push_back(step.action == Action::Blocked ? 0 : ++last_);
    }
  }

  std::vector<plan::Warning> run() {
    without_exclusion();
    shrink_silent();
    modes();
    coordinators();
    replacements();
    bounces();
    zones();
    space();
    configuration();
    leftovers();
    state();
    return std::move(list_);
  }

 private:
  void add(std::string code, plan::Severity severity, std::string text, std::vector<int> steps = {},
           std::string subject = {}) {
    plan::Warning warning{std::move(code), severity, std::move(text), std::move(steps), {}};
    if (!subject.empty()) warning.subject = {"process_group", subject, ""};
    list_.push_back(std::move(warning));
  }

  template <class Fits>
  std::vector<int> steps_with(Fits fits) const {
    std::vector<int> found;
    for (std::size_t i = 0; i < simulation_.steps.size(); ++i) {
      if (numbers_[i] != 0 && fits(simulation_.steps[i])) found.push_back(numbers_[i]);
    }
    return found;
  }

  void without_exclusion() {
    std::set<std::string> included;
    for (const Step& step : simulation_.steps) {
      if (step.action == Action::Include || step.action == Action::Exclude)
        included.insert(step.targets.begin(), step.targets.end());
    }
    for (std::size_t i = 0; i < simulation_.steps.size(); ++i) {
      const Step& step = simulation_.steps[i];
      if (step.action != Action::DeleteResources) continue;
      for (const std::string& id : step.targets) {
        if (!included.contains(id)) warn_without_exclusion(id, numbers_[i]);
      }
    }
  }

  void warn_without_exclusion(const std::string& id, int step) {
    const ProcessGroup* group = snapshot_.find(id);
    std::string text = id + " is removed without ever being excluded";
    if (group != nullptr && group->addresses.empty())
      text += ": it has never had an address, cannot be excluded by address";
    if (group != nullptr && group->conditions.has(Condition::PodPending)) {
      text += fmt::format("; pending for {} s, the operator removes it after 3600 s",
                          snapshot_.now - group->conditions.since(Condition::PodPending));
    }
    if (group != nullptr) {
      int left = 0;
      for (const ProcessGroup& other : snapshot_.groups)
        left += other.process_class == group->process_class && !other.is_marked() ? 1 : 0;
      text += fmt::format("; left without it: {} {} groups, fault tolerance {}", left,
                          name(group->process_class), desired_.redundancy().fault_tolerance);
    }
    if (supports_locality_exclusion(snapshot_.status.running_version) &&
        !desired_.automation.use_localities) {
      text +=
          "; exclusion by locality (automationOptions.useLocalitiesForExclusion=true) would "
          "exclude it first";
    }
    add("removal-without-exclusion", plan::Severity::Danger, text, {step}, id);
  }

  void shrink_silent() {
    for (std::size_t i = 0; i < simulation_.steps.size(); ++i) {
      const Step& step = simulation_.steps[i];
      if (step.action != Action::MarkForRemoval || step.reason != "shrink") continue;
      for (const std::string& id : step.targets) shrink_victim(id, numbers_[i]);
    }
  }

  [[nodiscard]] int present(ProcessClass c) const {
    int count = 0;
    for (const ProcessGroup& group : snapshot_.groups)
      count += group.process_class == c && !group.is_marked() ? 1 : 0;
    return count;
  }

  void shrink_victim(const std::string& id, int step) {
    const ProcessGroup* group = snapshot_.find(id);
    if (group == nullptr) {
      add("shrink-marks-silent", plan::Severity::Danger,
          id + " is new and does not report yet, so the shrink of another class marks it; make the "
               "two changes one after the other",
          {step}, id);
      return;
    }
    const bool shrinks =
        wanted_pods(desired_)[index(group->process_class)] < present(group->process_class);
    if (!shrinks) {
      std::string text =
          fmt::format("{} is marked although class {} does not shrink: it has not reported", id,
                      name(group->process_class));
      if (group->conditions.has(Condition::MissingProcesses)) {
        text += fmt::format(
            " for {}", age(snapshot_.now - group->conditions.since(Condition::MissingProcesses)));
      }
      add("shrink-marks-silent", plan::Severity::Danger,
          text + "; wait until it reports before the shrink", {step}, id);
      return;
    }
    for (const ProcessGroup& sick : snapshot_.groups) {
      if (sick.process_class != group->process_class || sick.is_marked() || sick.id == id ||
          group->conditions.any())
        continue;
      if (simulation_.world.find(sick.id) == nullptr) continue;
      for (std::size_t k = 0; k < kConditionCount; ++k) {
        const auto c = static_cast<Condition>(k);
        if (!triggers_replacement(c) || !sick.conditions.has(c)) continue;
        const auto bytes = group->stored_bytes();
        add("shrink-marks-silent", plan::Severity::Danger,
            fmt::format(
                "{} (healthy, {} to move) leaves, {} ({} for {}) stays; better: name the sick one "
                "in the same edit, "
                "processGroupsToRemove: [{}], which uses up the excess, so nothing else is marked",
                id, bytes ? gib(*bytes) : "unknown bytes", sick.id, name(c),
                age(snapshot_.now - sick.conditions.since(c)), sick.id),
            {step}, id);
        return;
      }
    }
  }

  void modes() {
    const auto removes =
        steps_with([](const Step& s) { return s.action == Action::DeleteResources; });
    const auto recreates = steps_with([](const Step& s) { return s.action == Action::DeletePod; });
    const Automation& rules = desired_.automation;
    if ((rules.removal_mode == Mode::All && !removes.empty()) ||
        (rules.deletion_mode == Mode::All && !recreates.empty())) {
      add("mode-all", plan::Severity::Danger,
          "all targets go at once, without a wait between zones",
          removes.empty() ? recreates : removes);
    }
    const bool blocked_mode = std::any_of(
        simulation_.steps.begin(), simulation_.steps.end(),
        [](const Step& s) { return s.action == Action::Blocked && s.gate == "mode-none"; });
    if (blocked_mode)
      add("mode-none", plan::Severity::Warning,
          "removalMode or deletionMode is None: the change never finishes");
    if (desired_.redundancy().fault_tolerance == 0 && !(removes.empty() && recreates.empty())) {
      add("low-tolerance", plan::Severity::Danger,
          "redundancy mode single: there is no second copy of anything");
    }
    for (const Step& step : simulation_.steps) {
      if (step.action == Action::Blocked && step.gate == "fault-tolerance") {
        add("low-tolerance", plan::Severity::Warning, step.observed + ": removals wait");
      }
      if (step.action == Action::Blocked && step.gate == "no-address") {
        std::string text = joined(step.targets) + ": " + step.observed;
        if (step.until)
          text += "; the operator would remove it without exclusion from " +
                  kube::format_time(*step.until) + " on";
        add("no-address", plan::Severity::Danger,
            text + "; ways out: processGroupsToRemoveWithoutExclusion, or exclusion by locality",
            {}, step.targets.front());
      }
    }
    if (!steps_with([](const Step& s) { return s.action == Action::MarkForRemoval; }).empty()) {
      add("mark-is-permanent", plan::Severity::Warning,
          "a mark is not taken back when the spec is put back",
          steps_with([](const Step& s) { return s.action == Action::MarkForRemoval; }));
    }
  }

  void coordinators() {
    const auto changes =
        steps_with([](const Step& s) { return s.action == Action::ChangeCoordinators; });
    if (changes.empty()) return;
    std::set<std::string> old;
    for (const ProcessGroup& group : snapshot_.groups) {
      if (group.is_coordinator()) old.insert(group.id);
    }
    std::vector<std::string> churned;
    for (std::size_t i = 0; i < simulation_.steps.size(); ++i) {
      if (simulation_.steps[i].action != Action::ChangeCoordinators) continue;
      for (const std::string& id : simulation_.steps[i].targets) {
        for (std::size_t k = i + 1; k < simulation_.steps.size(); ++k) {
          const Step& later = simulation_.steps[k];
          const bool leaves =
              later.action == Action::MarkForRemoval || later.action == Action::Exclude;
          if (leaves &&
              std::find(later.targets.begin(), later.targets.end(), id) != later.targets.end() &&
              std::find(churned.begin(), churned.end(), id) == churned.end()) {
            churned.push_back(id);
          }
        }
      }
    }
    if (!churned.empty()) {
      add("coordinator-churn", plan::Severity::Warning,
          fmt::format("{} coordinator changes; {} become coordinators and are replaced later; "
                      "better: prefer a class that is not being replaced "
                      "until it is done (coordinatorSelection), then change it back",
                      changes.size(), joined(churned)),
          changes);
    }
    if (!old.empty() && std::none_of(old.begin(), old.end(), [&](const std::string& id) {
          const Member* group = simulation_.world.find(id);
          return group != nullptr && group->is_coordinator();
        })) {
      add("coordinator-move", plan::Severity::Warning,
          "all coordinators change: clients with a static cluster file need at least one old "
          "address reachable meanwhile, or DNS names",
          changes);
    }
    const int spare = static_cast<int>(stateful_zones().size()) -
                      static_cast<int>(simulation_.world.db.coordinators.size());
    if (spare <= 0) {
      add("zone-shortage", plan::Severity::Warning,
          fmt::format("no spare zone for coordinators: {} zones for {} coordinators; the loss of "
                      "any one leaves no valid replacement, so a "
                      "replacement of any stateful pod needs another zone first",
                      stateful_zones().size(), simulation_.world.db.coordinators.size()),
          changes);
    }
  }

  [[nodiscard]] std::set<std::string> stateful_zones() const {
    std::set<std::string> zones;
    for (const Member& group : simulation_.world.groups) {
      if (desired_.is_eligible_coordinator(group.process_class) && !group.is_marked() &&
          !group.fault_domain.empty())
        zones.insert(group.fault_domain);
    }
    return zones;
  }

  void replacements() {
    std::size_t count = 0;
    std::set<std::string> general;
    bool volumes = false;
    std::vector<int> steps;
    for (std::size_t i = 0; i < simulation_.steps.size(); ++i) {
      const Step& step = simulation_.steps[i];
      if (step.action != Action::MarkForRemoval ||
          step.reconciler != Reconciler::ReplaceMisconfiguredProcessGroups)
        continue;
      count += step.targets.size();
      steps.push_back(numbers_[i]);
      volumes = volumes || step.reason == "pvc-spec";
      for (const std::string& id : step.targets) {
        const ProcessGroup* group = snapshot_.find(id);
        if (group == nullptr) continue;
        const ProcessSettings& settings = desired_.processes[index(group->process_class)];
        const ProcessSettings& old = snapshot_.spec.processes[index(group->process_class)];
        const bool by_volume =
            settings.volume_is_general && settings.volume.hash != old.volume.hash;
        const bool by_pod = settings.pod_is_general && settings.pod.canonical != old.pod.canonical;
        if (by_volume || by_pod) general.insert(std::string(name(group->process_class)));
      }
    }
    if (count > 1 && !desired_.automation.max_concurrent_replacements &&
        options_.profile == Profile::Today) {
      add("unbounded-replacement", plan::Severity::Warning,
          fmt::format("maxConcurrentReplacements is not set: old and new pods coexist, {} more "
                      "pods than now",
                      count),
          steps);
    }
    if (general.size() > 1) {
      add("general-scope", plan::Severity::Warning,
          fmt::format("classes {} are hit because the setting sits in processes.general",
                      joined({general.begin(), general.end()})),
          steps);
    }
    if (volumes)
      add("pvc-immutable", plan::Severity::Note,
          "a volume change always means replacement; existing claims are not grown", steps);
    if (const auto adds =
            steps_with([](const Step& s) { return s.action == Action::AddProcessGroup; });
        !adds.empty() && options_.notes_random_ids) {
      add("random-ids", plan::Severity::Note,
          "the operator picks random numbers; IDs of new groups are placeholders", adds);
    }
    for (const std::string& id : desired_.groups_to_remove_without_exclusion) {
      const ProcessGroup* group = snapshot_.find(id);
      if (group != nullptr && group->pod &&
          group->pod->servers != desired_.density(group->process_class)) {
        add("data-loss-density", plan::Severity::Danger,
            id + " has another density and is named for removal without exclusion", {}, id);
      }
    }
    for (const auto* list :
         {&desired_.groups_to_remove, &desired_.groups_to_remove_without_exclusion}) {
      for (const std::string& id : *list) {
        if (snapshot_.find(id) == nullptr)
          add("unknown-group", plan::Severity::Warning,
              id + " is named for removal but does not exist", {}, id);
      }
    }
  }

  void bounces() {
    const auto kills = steps_with([](const Step& s) { return s.action == Action::KillProcesses; });
    if (!kills.empty())
      add("bounce-all", plan::Severity::Warning, "all listed servers restart at once", kills);
    const auto recoveries = steps_with([](const Step& s) {
      return s.action == Action::Exclude || s.action == Action::Include ||
             s.action == Action::ChangeCoordinators || s.action == Action::KillProcesses ||
             s.action == Action::ConfigureDatabase;
    });
    if (!recoveries.empty()) {
      add("recovery", plan::Severity::Note,
          fmt::format("{} steps cause a recovery, a write pause of seconds each",
                      recoveries.size()),
          recoveries);
    }
    const std::int64_t total = simulation_.world.now - snapshot_.now;
    if (total > 600)
      add("long-wait", plan::Severity::Note,
          fmt::format("the operator's own gates alone take at least {} s", total));
    bool tls_and_pods = desired_.enable_tls != snapshot_.spec.enable_tls;
    for (std::size_t i = 0; i < kClassCount; ++i) {
      const bool shapes =
          pod_shape(snapshot_.spec, class_at(i)) != pod_shape(desired_, class_at(i));
      if (desired_.enable_tls != snapshot_.spec.enable_tls && shapes && tls_and_pods) {
        add("tls-and-pods", plan::Severity::Danger,
            "TLS and pod templates change in one edit: the pods wait until the conversion is over, "
            "but the servers need the certificates before; "
            "roll the certificates out first");
        tls_and_pods = false;
      }
    }
    if (desired_.enable_tls && !snapshot_.spec.enable_tls && tls_and_pods) {
      add("tls-and-pods", plan::Severity::Warning,
          "the servers find certificates only if the pod template mounts them already");
    }
  }

  void zones() {
    const Redundancy redundancy = desired_.redundancy();
    if (desired_.uses_distribution() &&
        desired_.fault_domain.distribution.domains <
            redundancy.minimum_domains + redundancy.fault_tolerance) {
      add("zone-shortage", plan::Severity::Warning,
          fmt::format("{} fault domains, fewer than {} + {}: after the loss of one the data cannot "
                      "be replicated again",
                      desired_.fault_domain.distribution.domains, redundancy.minimum_domains,
                      redundancy.fault_tolerance));
    }
    const auto& database = snapshot_.database.configuration;
    if (!database ||
        coordinator_count(redundancy, desired_.database.usable_regions) <=
            coordinator_count(redundancy_of(database->redundancy_mode), database->usable_regions)) {
      return;
    }
    std::set<std::string> reporting;
    for (const ProcessGroup& group : snapshot_.groups) {
      if (is_stateful(group.process_class) && !group.processes.empty())
        reporting.insert(group.fault_domain);
    }
    const int wanted = coordinator_count(redundancy, desired_.database.usable_regions);
    if (static_cast<int>(reporting.size()) < wanted) {
      add("zone-shortage", plan::Severity::Warning,
          fmt::format(
              "{} coordinators need {} zones, {} report now; new pods must land in further zones",
              wanted, wanted, reporting.size()));
    }
  }

  void space() {
    for (std::size_t i = 0; i < simulation_.steps.size(); ++i) {
      const Step& step = simulation_.steps[i];
      if (step.action == Action::Blocked && step.gate == "no-space")
        add("no-space", plan::Severity::Danger, step.observed);
      for (const std::string& check : step.checks) {
        const auto at = check.find("= ");
        if (check.rfind("check B", 0) != 0 || at == std::string::npos) continue;
        const double left = std::stod(check.substr(at + 2));
        if (left >= 0.3) continue;
        const bool is_danger = left < 0.15;
        add("tight-space", is_danger ? plan::Severity::Danger : plan::Severity::Warning,
            fmt::format("{:.0f} % of the disks of the remaining storage servers will be in use",
                        (1 - left) * 100),
            {numbers_[i]});
      }
    }
  }

  void configuration() {
    const auto& live = snapshot_.database.configuration;
    const DatabaseConfiguration wanted = normalised_configuration(desired_);
    if (live && live->storage_engine != wanted.storage_engine && live->storage_engine != "ssd" &&
        live->storage_engine != "memory") {
      add("engine-change", plan::Severity::Warning,
          "the storage engine changes: the whole data set is rewritten");
    }
    if (!desired_.automation.configure_database || !desired_.automation.kill_processes) {
      add("config-disabled", plan::Severity::Warning,
          "configureDatabase or killProcesses is false: those steps are left out");
    }
    if (desired_.automation.replacements.is_default && desired_.automation.replacements.enabled) {
      add("auto-replace-default", plan::Severity::Note,
          "replacements.enabled is not set: on in this release, off in older ones and in the "
          "manual");
    }
    if (!desired_.buggify.block_removal.empty())
      add("block-removal", plan::Severity::Warning,
          "buggify.blockRemoval keeps " + joined(desired_.buggify.block_removal));
    for (const Step& step : simulation_.steps) {
      if (step.action == Action::Blocked &&
          (step.gate == "client-versions" || step.gate == "downgrade")) {
        add(step.gate, plan::Severity::Danger, step.observed);
      }
      if (step.action == Action::Blocked && step.gate == "isolated")
        add("isolated", plan::Severity::Warning, joined(step.targets) + ": " + step.observed);
    }
  }

  void leftovers() {
    for (const LeftUnhealthy& left : simulation_.left) {
      std::string text = fmt::format("{} keeps {} since {}", left.group, left.condition,
                                     kube::format_time(left.since));
      if (left.replaced_from)
        text += "; automatic replacement would act from " + kube::format_time(*left.replaced_from) +
                " on";
      add("left-unhealthy", plan::Severity::Note, text, {}, left.group);
    }
  }

  void state() {
    if (!snapshot_.database.maintenance_zone.empty()) {
      add("maintenance-zone", plan::Severity::Note,
          "groups in zone " + snapshot_.database.maintenance_zone +
              " are frozen while it is under maintenance");
    }
    std::vector<std::string> tainted;
    for (const ProcessGroup& group : snapshot_.groups) {
      if (!group.taints.empty() || group.conditions.has(Condition::NodeTaintDetected))
        tainted.push_back(group.id);
    }
    if (!tainted.empty() && !desired_.automation.replacements.taints.empty())
      add("taint", plan::Severity::Note, "on tainted nodes: " + joined(tainted));
    if (snapshot_.database.timestamp &&
        std::abs(*snapshot_.database.timestamp - snapshot_.now) > 600) {
      add("stale-snapshot", plan::Severity::Warning,
          "the status of the database is more than 10 minutes away from --now");
    }
    for (const Remark& remark : snapshot_.disagreements)
      add("status-disagrees", plan::Severity::Warning, remark.text);
    std::vector<std::string> unchecked;
    const Database& db = snapshot_.database;
    if (!db.is_given) {
      unchecked.emplace_back("all gates of the database (no status json)");
    } else {
      if (!db.replicas_remaining) unchecked.emplace_back("replicas (cluster.data)");
      if (!db.logs) unchecked.emplace_back("logs (cluster.logs)");
      if (!db.recovered_at) unchecked.emplace_back("age of the last recovery");
    }
    const bool moves = !steps_with([](const Step& s) {
                          return s.action == Action::Exclude && s.moves_data && s.checks.empty() &&
                                 !s.moves.empty();
                        }).empty();
    if (moves) unchecked.emplace_back("free space");
    if (!unchecked.empty() && !simulation_.steps.empty())
      add("not-checked", plan::Severity::Warning, "taken as passed: " + joined(unchecked));
  }

  const Cluster& snapshot_;
  const ClusterSpec& desired_;
  const PlanOptions& options_;
  const Simulation& simulation_;
  std::vector<int> numbers_;
  int last_ = 0;
  std::vector<plan::Warning> list_;
};

}  // namespace

std::vector<plan::Warning> find_warnings(const Cluster& snapshot, const ClusterSpec& desired,
                                         const PlanOptions& options, const Simulation& simulation) {
  return Warner(snapshot, desired, options, simulation).run();
}

std::vector<plan::CodedText> list_assumptions(const Cluster& snapshot, const PlanOptions& options,
                                              const Simulation& simulation) {
  std::vector<plan::CodedText> list;
  if (simulation.steps.empty()) return list;
  list.push_back({"optimistic-world",
                  "new pods run and report before the next pass; data has moved before the next "
                  "pass where there is room; times are lower bounds"});
  if (!snapshot.groups.empty()) {
    if (!snapshot.given.pods)
      list.push_back(
          {"pods-assumed",
           "no pods given: one healthy pod for each group, made from the snapshot's spec"});
    if (!snapshot.given.volumes)
      list.push_back(
          {"volumes-assumed",
           "no volume claims given: one for each stateful group, made from the snapshot's spec"});
    if (!snapshot.given.database)
      list.push_back({"database-assumed",
                      "no status json given: the database is healthy and all groups without a "
                      "condition report"});
  }
  const bool adds = std::any_of(simulation.steps.begin(), simulation.steps.end(),
                                [](const Step& s) { return s.action == Action::CreatePod; });
  if (adds && !options.existing_zones)
    list.push_back(
        {"new-zones", "each new pod lands in a zone of its own unless bin packing names one"});
  return list;
}

}  // namespace ballast::fdb
