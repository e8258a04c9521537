// SPDX-License-Identifier: BSD-2-Clause
// The closed table of remedies: gate by gate, in the order in which they are tried.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <set>
#include <string_view>
#include <utility>

#include "ballast/core/shell.hpp"
#include "ballast/fdb/model/counts.hpp"
#include "ballast/fdb/search/pass/reconcilers.hpp"
#include "ballast/fdb/search/remedy/remedy.hpp"
#include "ballast/kube/quantity.hpp"

namespace ballast::fdb {
namespace {

using plan::Loss;

constexpr int kMostTries = 64;  ///< of one counted remedy
constexpr int kDoublings = 4;   ///< of volumes and of passes
constexpr int kHallHosts = 9;   ///< one coordinator each, three in a hall
constexpr std::size_t kHalls = 3;

class Table {
 public:
  explicit Table(const RemedyContext& context)
      : snapshot_(context.snapshot),
        desired_(context.desired),
        options_(context.options),
        world_(context.simulation.world),
        dead_end_(context.dead_end),
        edits_(database_remedies(context)) {}

  std::vector<RemedyEdit> edits() {
    struct Line {
      std::string_view gate;
      void (Table::*collect)();
    };
    static constexpr std::array<Line, 21> kLines = {
        {{"exclude-budget", &Table::budget},
         {"replacement-unschedulable", &Table::unschedulable},
         {"no-address", &Table::address},
         {"coordinators", &Table::coordinators},
         {"no-space", &Table::space},
         {"zone-shortage", &Table::zones},
         {"mode-none", &Table::modes},
         {"config-disabled", &Table::disabled},
         {"unavailable-zones", &Table::unavailable_zones},
         {"isolated", &Table::isolated},
         {"held-pods", &Table::held_pods},
         {"block-removal", &Table::block_removal},
         {"maintenance", &Table::maintenance},
         {"client-versions", &Table::clients},
         {"downgrade", &Table::downgrade},
         {"no-convergence", &Table::passes},
         {"replacement-budget", &Table::replacement_budget},
         {"left-unhealthy", &Table::unhealthy},
         {"fault-tolerance", &Table::dead_groups},
         {"unavailable", &Table::wait},
         {"generations", &Table::wait}}};
    for (const Line& line : kLines) {
      if (line.gate == dead_end_.gate) (this->*line.collect)();
    }
    if (dead_end_.gate == "lag") wait();
    return std::move(edits_);
  }

 private:
  /// Of the line that was added last.
  void costs(Loss loss, std::string text) {
    edits_.back().loss = loss;
    edits_.back().cost = std::move(text);
  }
  template <class Apply>
  void add(std::string text, std::string set, Apply apply) {
    RemedyEdit edit;
    edit.loss = Loss::None;
    edit.text = std::move(text);
    edit.set = {std::move(set)};
    edit.apply = [apply](Trial& trial, int) { apply(trial.spec); };
    edits_.push_back(std::move(edit));
  }
  void advise(std::string text) {
    RemedyEdit edit;
    edit.loss = Loss::None;
    edit.text = std::move(text);
    edits_.push_back(std::move(edit));
  }
  template <class Apply>
  void count(const std::string& path, std::string text, int from, Apply apply) {
    RemedyEdit edit;
    edit.text = std::move(text);
    edit.set = {path + "={}"};
    edit.apply = [apply](Trial& trial, int n) { apply(trial.spec, n); };
    edit.counts = true;
    edit.from = from;
    edit.most = std::min(from + kMostTries, from + 1 + static_cast<int>(snapshot_.groups.size()));
    edits_.push_back(std::move(edit));
  }
  void count_class(ProcessClass c, std::string text) {
    count(fmt::format("processCounts.{}", name(c)), std::move(text),
          wanted_pods(desired_)[index(c)], [c](ClusterSpec& s, int n) { s.counts[index(c)] = n; });
    costs(Loss::Effort, "more pods, and room for them");
  }
  void count_classes(const std::string& text) {
    for (std::size_t i = 0; i < kClassCount; ++i) {
      if ((dead_end_.classes & class_bit(class_at(i))) != 0) count_class(class_at(i), text);
    }
  }
  void remove_groups(std::string text, std::string_view field, std::vector<std::string> ids,
                     std::vector<std::string> ClusterSpec::*list) {
    add(std::move(text), fmt::format("{}=[{}]", field, fmt::join(ids, ",")),
        [ids, list](ClusterSpec& s) { (s.*list).insert((s.*list).end(), ids.begin(), ids.end()); });
    costs(Loss::Effort, "what they hold is copied to others");
  }

  void budget() {
    const Automation& rules = desired_.automation;
    count("automationOptions.replacements.maxConcurrentReplacements",
          "replace more failed groups at once", rules.replacements.max_concurrent,
          [](ClusterSpec& s, int n) { s.automation.replacements.max_concurrent = n; });
    costs(Loss::Effort, "more data are copied at the same time");
    if (rules.max_concurrent_replacements) {
      count("automationOptions.maxConcurrentReplacements", "replace more groups at once",
            *rules.max_concurrent_replacements,
            [](ClusterSpec& s, int n) { s.automation.max_concurrent_replacements = n; });
      costs(Loss::Effort, "more data are copied at the same time");
    }
    count_classes("add groups of the class first");
  }

  void replacement_budget() {
    count("automationOptions.maxConcurrentReplacements", "replace groups, a few at a time",
          desired_.automation.max_concurrent_replacements.value_or(0),
          [](ClusterSpec& s, int n) { s.automation.max_concurrent_replacements = n; });
    costs(Loss::Effort, "their data are copied");
  }

  void unhealthy() {
    const Replacements& rules = desired_.automation.replacements;
    if (!rules.enabled) {
      add("let the operator replace failed groups", "automationOptions.replacements.enabled=true",
          [](ClusterSpec& s) { s.automation.replacements.enabled = true; });
      costs(Loss::Effort, "the data of failed groups are copied anew");
    } else if (rules.max_concurrent <= 0) {
      count("automationOptions.replacements.maxConcurrentReplacements",
            "let the operator replace failed groups", rules.max_concurrent,
            [](ClusterSpec& s, int n) { s.automation.replacements.max_concurrent = n; });
    }
    remove_groups("replace the groups now", "processGroupsToRemove", dead_end_.targets,
                  &ClusterSpec::groups_to_remove);
    wait();
  }

  void unschedulable() {
    std::vector<std::string> pending;
    for (const ProcessGroup& group : snapshot_.groups) {
      const bool is_meant = (dead_end_.classes & class_bit(group.process_class)) != 0;
      if (is_meant && !group.is_marked() && group.pod && !group.pod->unschedulable.empty())
        pending.push_back(group.id);
    }
    advise("make room for the pods: " + dead_end_.observed);
    if (!pending.empty()) {
      remove_groups("take the pending groups back; others come in their place",
                    "processGroupsToRemove", pending, &ClusterSpec::groups_to_remove);
    }
  }

  void address() {
    if (supports_locality_exclusion(snapshot_.status.running_version)) {
      add("exclude by locality, which needs no address",
          "automationOptions.useLocalitiesForExclusion=true",
          [](ClusterSpec& s) { s.automation.use_localities = true; });
    }
    const auto& is_full = snapshot_.database.full_replication;
    if (!is_full.value_or(true) || lacks_fault_tolerance(world_)) return;
    const int tolerance = desired_.redundancy().fault_tolerance;
    remove_groups(is_full ? fmt::format("remove without exclusion, safe here: replication is full, "
                                        "the fault tolerance is {}",
                                        tolerance)
                          : "remove without exclusion, only where replication is known to be full",
                  "processGroupsToRemoveWithoutExclusion", dead_end_.targets,
                  &ClusterSpec::groups_to_remove_without_exclusion);
    costs(Loss::Redundancy, "the data of the groups have one copy less until they are copied anew");
    edits_.back().is_alternative = true;
  }

  [[nodiscard]] std::set<std::string> zone_names() const {
    std::set<std::string> zones;
    for (const ProcessGroup& group : snapshot_.groups) {
      if (is_stateful(group.process_class) && !group.fault_domain.empty())
        zones.insert(group.fault_domain);
    }
    return zones;
  }

  void coordinators() {
    const std::string& key = desired_.fault_domain.key;
    const bool own_zones = !options_.existing_zones &&
                           (key == "kubernetes.io/hostname" || key == "foundationdb.org/none");
    if (own_zones) {
      count_class(ProcessClass::Log, "more log pods, each in a zone of its own");
      count_class(ProcessClass::Storage, "more storage pods, each in a zone of its own");
    }
    if (!desired_.coordinator_selection.empty()) {
      add("let every class with a volume hold coordinators", "coordinatorSelection=null",
          [](ClusterSpec& s) { s.coordinator_selection.clear(); });
      costs(Loss::Wish, "the selection is given up");
    }
    if (desired_.database.redundancy_mode != "triple") return;
    const int available = static_cast<int>(stateful_hosts(snapshot_).size());
    add(fmt::format("double redundancy needs 3 coordinators in 3 zones; three_data_hall with host "
                    "names as fault domain needs {} hosts: {} available, {} to spare",
                    kHallHosts, available, std::max(0, available - kHallHosts)),
        "databaseConfiguration.redundancy_mode=double",
        [](ClusterSpec& s) { s.database.redundancy_mode = "double"; });
    costs(Loss::Redundancy, "2 copies instead of 3: the loss of 1 zone is survived, not of 2");
    edits_.back().is_alternative = true;
    if (available >= kHallHosts && zone_names().size() >= kHalls) edits_.push_back(data_halls());
  }

  void space() {
    count_class(ProcessClass::Storage, "more storage pods to hold the data");
    larger_volumes();
    int groups = 0;
    for (const ProcessGroup& group : snapshot_.groups)
      groups += group.process_class == ProcessClass::Storage ? 1 : 0;
    if (wanted_pods(desired_)[index(ProcessClass::Storage)] < groups) {
      add("keep the old number of storage pods", fmt::format("processCounts.storage={}", groups),
          [groups](ClusterSpec& s) { s.counts[index(ProcessClass::Storage)] = groups; });
      costs(Loss::Wish, "no pod is saved");
    }
  }

  void larger_volumes() {
    const ProcessSettings& now = desired_.processes[index(ProcessClass::Storage)];
    if (now.volume.bytes <= 0) return;
    const std::string scope = now.volume_is_general ? "general" : "storage";
    for (int i = 1; i <= kDoublings; ++i) {
      const std::int64_t bytes = now.volume.bytes << i;
      add("larger volumes, for which the pods are replaced",
          fmt::format("processes.{}.volumeClaimTemplate.spec.resources.requests.storage={}", scope,
                      kube::format_bytes(bytes)),
          [bytes, is_general = now.volume_is_general](ClusterSpec& s) {
            for (std::size_t c = 0; c < kClassCount; ++c) {
              const bool is_meant = is_general ? s.processes[c].volume_is_general
                                               : class_at(c) == ProcessClass::Storage;
              if (!is_meant) continue;
              s.processes[c].volume.bytes = bytes;
              s.processes[c].volume.hash += " larger";
            }
          });
      costs(Loss::Effort, "all data of these pods are copied");
    }
  }

  void zones() {
    if (desired_.uses_distribution()) {
      count("faultDomain.distribution.desiredFaultDomains", "more fault domains",
            desired_.fault_domain.distribution.domains,
            [](ClusterSpec& s, int n) { s.fault_domain.distribution.domains = n; });
      costs(Loss::Effort, "pods are placed anew, and their data copied");
    }
    count_classes("more groups of the class");
  }

  void modes() {
    add("remove zone by zone", "automationOptions.removalMode=Zone",
        [](ClusterSpec& s) { s.automation.removal_mode = Mode::Zone; });
    add("recreate zone by zone", "automationOptions.deletionMode=Zone",
        [](ClusterSpec& s) { s.automation.deletion_mode = Mode::Zone; });
  }

  void disabled() {
    add("let the operator configure the database", "automationOptions.configureDatabase=true",
        [](ClusterSpec& s) { s.automation.configure_database = true; });
    add("let the operator restart servers", "automationOptions.killProcesses=true",
        [](ClusterSpec& s) { s.automation.kill_processes = true; });
    costs(Loss::Service, "clients see a recovery when the servers restart");
  }

  void unavailable_zones() {
    count("maxZonesWithUnavailablePods", "accept more zones with unavailable pods",
          desired_.max_unavailable_zones.value_or(0),
          [](ClusterSpec& s, int n) { s.max_unavailable_zones = n; });
    costs(Loss::Redundancy, "work goes on while more zones are away, and one more may fail");
  }

  /// A command for each pod of the dead end, and what it makes of the pod.
  template <class Apply>
  void change_pods(std::string text, std::string_view command, std::string cost, Apply apply) {
    RemedyEdit edit;
    edit.text = std::move(text);
    for (const std::string& id : dead_end_.targets) {
      const ProcessGroup* group = snapshot_.find(id);
      if (group == nullptr || !group->pod) continue;
      edit.commands.push_back(fmt::format(fmt::runtime(command), shell_word(snapshot_.name_space),
                                          shell_word(group->pod->name)));
    }
    if (edit.commands.empty()) return;
    edit.apply = [ids = dead_end_.targets, apply](Trial& trial, int) {
      for (ProcessGroup& group : trial.snapshot.groups) {
        if (group.pod && std::find(ids.begin(), ids.end(), group.id) != ids.end())
          apply(*group.pod);
      }
    };
    edit.loss = Loss::None;
    edit.cost = std::move(cost);
    edits_.push_back(std::move(edit));
  }

  void isolated() {
    change_pods("take the annotation off",
                "kubectl -n {} annotate pod {} foundationdb.org/isolate-process-group-",
                "what isolated the pods is no longer held back",
                [](Pod& pod) { pod.is_isolated = false; });
  }

  void held_pods() {
    change_pods(
        "take the finalizers off, once what they wait for is done",
        "kubectl -n {} patch pod {} --type=merge -p '{{\"metadata\":{{\"finalizers\":null}}}}'",
        "what the finalizers wait for is no longer waited for",
        [](Pod& pod) { pod.is_held = false; });
  }

  void block_removal() {
    add("let the groups be removed", "buggify.blockRemoval=null",
        [](ClusterSpec& s) { s.buggify.block_removal.clear(); });
    costs(Loss::Wish, "the groups go, which the field kept");
  }

  void maintenance() {
    add("end the maintenance mode",
        "automationOptions.maintenanceModeOptions.resetMaintenanceMode=true",
        [](ClusterSpec& s) { s.automation.reset_maintenance = true; });
  }

  void clients() {
    std::set<std::string> names(desired_.automation.ignored_log_groups.begin(),
                                desired_.automation.ignored_log_groups.end());
    for (const auto& client : unsupported_clients(world_)) names.insert(client.second);
    const std::vector<std::string> list(names.begin(), names.end());
    add("leave these clients behind, only if they are known to be harmless; else upgrade them "
        "first",
        fmt::format("automationOptions.ignoreLogGroupsForUpgrade=[{}]", fmt::join(list, ",")),
        [list](ClusterSpec& s) { s.automation.ignored_log_groups = list; });
    costs(Loss::Service, "these clients cannot reach the database after the upgrade");
  }

  void downgrade() {
    const Version running = snapshot_.status.running_version;
    add("stay on the running version", "version=" + to_string(running),
        [running](ClusterSpec& s) { s.version = running; });
    costs(Loss::Wish, "no other version");
  }

  void passes() {
    RemedyEdit edit;
    edit.loss = Loss::None;
    edit.text = "allow more passes";
    edit.commands = {"hfdb plan --max-passes {}"};
    const int done = std::max(1, world_.passes);
    edit.apply = [](Trial& trial, int n) { trial.options.max_passes = n; };
    for (int i = 1; i <= kDoublings; ++i) {
      edit.from = (done << i) - 1;
      edit.most = done << i;
      edits_.push_back(edit);
    }
  }

  void dead_groups() {
    std::vector<std::string> dead;
    for (const ProcessGroup& group : snapshot_.groups) {
      if (!group.is_marked() && group.processes.empty() && snapshot_.given.database)
        dead.push_back(group.id);
    }
    if (!dead.empty()) {
      remove_groups("remove the groups that do not report", "processGroupsToRemove", dead,
                    &ClusterSpec::groups_to_remove);
    }
    wait();
  }

  void wait() { advise(dead_end_.observed + ": wait, then plan again"); }

  const Cluster& snapshot_;
  const ClusterSpec& desired_;
  const PlanOptions& options_;
  const World& world_;
  const TraceStep& dead_end_;
  std::vector<RemedyEdit> edits_;
};

}  // namespace

std::vector<RemedyEdit> remedy_edits(const RemedyContext& context) {
  std::vector<RemedyEdit> edits = Table(context).edits();
  std::ranges::stable_sort(edits, {}, &RemedyEdit::loss);
  return edits;
}

}  // namespace ballast::fdb
