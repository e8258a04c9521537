// SPDX-License-Identifier: BSD-2-Clause
// Copies of the data, counted from the evidence alone.
#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <utility>

#include "ballast/fdb/model/counts.hpp"
#include "ballast/fdb/search/moments/weak_moments.hpp"
#include "ballast/fdb/search/world/world.hpp"

#include "rule.hpp"

namespace ballast::fdb {
namespace {

/// The step takes pods of its own accord, not ones that are dead or that the wish names.
bool takes_pods(const TraceStep& step) {
  return step.action == Action::DeletePod && step.reconciler == Reconciler::UpdatePods;
}

/// What the snapshot lacks of its fault tolerance; configuring the database may bring it back.
std::optional<std::string> first_lack(const Evidence& evidence) {
  const Database& db = evidence.snapshot.database;
  if (evidence.options.assume_healthy || !db.is_given) return std::nullopt;
  const std::string& mode = db.configuration ? db.configuration->redundancy_mode
                                             : evidence.desired.database.redundancy_mode;
  if (db.replicas_remaining) {
    for (const int left : *db.replicas_remaining) {
      if (left < redundancy_of(mode).minimum_domains)
        return fmt::format("{} replicas remain", left);
    }
  }
  return db.is_available ? std::nullopt : std::optional<std::string>("the database is down");
}

bool is_missed(const ProcessGroup& group) {
  return is_stateful(group.process_class) && !group.is_excluded() && group.processes.empty();
}

/// What the snapshot lacks of its fault tolerance, until every group that it lacked has come back
/// or has been emptied. Copies are those of storage groups, where any of these is missed.
class Lack {
 public:
  explicit Lack(const Evidence& evidence) : text_(first_lack(evidence)) {
    const auto is_storage = [](const ProcessGroup& group) {
      return group.process_class == ProcessClass::Storage;
    };
    const bool misses_storage = std::ranges::any_of(
        evidence.snapshot.groups,
        [&](const ProcessGroup& group) { return is_storage(group) && is_missed(group); });
    for (const ProcessGroup& group : evidence.snapshot.groups) {
      if (misses_storage && !is_storage(group)) continue;
      const bool moves =
          group.is_marked() && std::ranges::any_of(group.processes, [](const auto& p) {
            return p.is_excluded && p.has_role;
          });
      if (!moves && !is_missed(group)) continue;
      is_explained_ = true;
      if (!is_starting(evidence.snapshot, evidence.desired, group)) away_.insert(group.id);
    }
    settle();
  }
  void apply(const TraceStep& step) {
    if (step.action == Action::ConfigureDatabase) text_.reset();
    const bool brings_back = step.action == Action::CreatePod || step.action == Action::Exclude ||
                             step.action == Action::DropProcessGroup ||
                             (step.action == Action::Wait && step.gate == "exclusion-complete");
    if (!brings_back) return;
    for (const std::string& id : step.targets) away_.erase(id);
    settle();
  }
  [[nodiscard]] const std::optional<std::string>& text() const { return text_; }

 private:
  void settle() {
    if (is_explained_ && away_.empty()) text_.reset();
  }

  std::optional<std::string> text_;
  bool is_explained_ = false;
  std::set<std::string> away_;
};

/// Groups by zone, and in how many zones there are any.
class ZonesOfGroups {
 public:
  void place(const std::string& id, std::string zone) {
    const auto [entry, is_new] = zone_of_.try_emplace(id, std::move(zone));
    if (is_new) ++groups_in_[entry->second];
  }
  void remove(const std::string& id) {
    const auto entry = zone_of_.find(id);
    if (entry == zone_of_.end()) return;
    const auto zone = groups_in_.find(entry->second);
    if (--zone->second == 0) groups_in_.erase(zone);
    zone_of_.erase(entry);
  }
  [[nodiscard]] int count() const { return static_cast<int>(groups_in_.size()); }

 private:
  std::map<std::string, std::string> zone_of_;
  std::map<std::string, int> groups_in_;
};

/// Zones whose pods with data the plan has taken and not brought back.
class DownZones {
 public:
  void take(const std::string& id, std::string zone) {
    zones_.remove(id);
    zones_.place(id, zone.empty() ? id : std::move(zone));
  }
  void bring_back(const std::string& id) { zones_.remove(id); }
  [[nodiscard]] int count() const { return zones_.count(); }

 private:
  ZonesOfGroups zones_;
};

/// Zones of a class that hold data and are not being emptied.
class DataZones {
 public:
  DataZones(const Evidence& evidence, ProcessClass c) : class_(c) {
    for (const ProcessGroup& group : evidence.snapshot.groups) {
      if (group.process_class != c || group.is_excluded()) continue;
      // Where a pod that is still to come lands is not known; it may be anywhere.
      const bool is_to_come = !group.pod || is_starting(evidence.snapshot, evidence.desired, group);
      zones_.place(group.id, group.fault_domain.empty() && is_to_come ? "<" + group.id + ">"
                                                                      : zone_of_group(group));
    }
    // Servers of other objects in the same data centre hold copies, too.
    for (const ForeignProcess& other : evidence.snapshot.database.foreign) {
      const Process& process = other.process;
      if (process.process_class == c && process.data_center == evidence.desired.data_center)
        zones_.place("other " + other.group, process.zone);
    }
  }
  void add(const Evidence& evidence, const std::string& id) {
    // Where a new pod lands is not known; it may be anywhere.
    if (class_of(evidence, id) == class_) zones_.place(id, "<" + id + ">");
  }
  void empty(const std::string& id) { zones_.remove(id); }
  [[nodiscard]] int count() const { return zones_.count(); }

 private:
  ProcessClass class_;
  ZonesOfGroups zones_;
};

class Copies final : public Rule {
 public:
  explicit Copies(const Evidence& evidence)
      : Rule(evidence), lack_(evidence), data_(evidence, ProcessClass::Storage) {}

 private:
  void take(const TraceStep& step) override {
    lack_.apply(step);
    const bool removes = step.action == Action::DeleteResources;
    if (is_guarded(evidence_) && lack_.text() && (takes_pods(step) || removes))
      complain("takes pods although " + *lack_.text());
    const int before = data_.count();
    for (const std::string& id : step.targets) follow(step, id);
    const bool by_zone = evidence_.desired.automation.deletion_mode != Mode::All;
    const int tolerance = std::max(1, evidence_.desired.redundancy().fault_tolerance);
    if (takes_pods(step) && by_zone && down_.count() > tolerance)
      complain(fmt::format("pods with data are down in {} zones", down_.count()));
    const int minimum = evidence_.desired.redundancy().minimum_domains;
    const int left = data_.count();
    if (step.action == Action::Exclude && step.reconciler == Reconciler::ExcludeProcesses &&
        is_guarded(evidence_) && !evidence_.options.allow_unsafe && left < minimum &&
        left < before && wanted_pods(evidence_.desired)[index(ProcessClass::Storage)] > 0) {
      complain(fmt::format("{} zones are left for {} copies", left, minimum));
    }
  }

  void follow(const TraceStep& step, const std::string& id) {
    const ProcessGroup* group = evidence_.snapshot.find(id);
    const auto c = class_of(evidence_, id);
    if (step.action == Action::AddProcessGroup) data_.add(evidence_, id);
    if (step.action == Action::CreatePod) down_.bring_back(id);
    if (step.action == Action::Exclude) data_.empty(id);
    // What a finalizer holds is deleted in vain; whether its copies are missed, and when they lie
    // elsewhere, the operator learns from the database before it takes the next.
    const bool is_held = group != nullptr && group->pod && group->pod->is_held;
    if (takes_pods(step) && c && is_stateful(*c) && !is_held)
      down_.take(id, group == nullptr ? "<" + id + ">" : zone_of_group(*group));
  }

  Lack lack_;
  DownZones down_;
  DataZones data_;
};

}  // namespace

void check_copies(const Evidence& evidence, std::vector<std::string>& problems) {
  hold(Copies(evidence), evidence, problems);
}

}  // namespace ballast::fdb
