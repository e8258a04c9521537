// SPDX-License-Identifier: BSD-2-Clause
// Which pods can only be replaced, and how many at once.
#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <utility>

#include "ballast/fdb/model/identity.hpp"
#include "ballast/fdb/search/pass/reconcilers.hpp"
#include "ballast/fdb/search/spread/packing.hpp"
#include "ballast/fdb/search/world/changes.hpp"

namespace ballast::fdb {
namespace {

struct Requests {
  std::int64_t cpu = 0;
  std::int64_t memory = 0;
};

Requests sum(const std::vector<Container>& containers) {
  Requests total;
  for (const Container& container : containers) {
    total.cpu += container.cpu_milli;
    total.memory += container.memory_bytes;
  }
  return total;
}

bool grows(const std::vector<Container>& now, const std::vector<Container>& wanted) {
  if (now.empty()) return false;
  const Requests a = sum(now);
  const Requests b = sum(wanted);
  return b.cpu > a.cpu || b.memory > a.memory;
}

/// Only pods of the split image have an init container of the operator's own, with requests.
bool gains_init_container(const Pod& pod, const ClusterSpec& spec) {
  return pod.image_type == ImageType::Unified && spec.image_type == ImageType::Split;
}

bool security_differs(const Pod& pod, const PodTemplate& wanted) {
  if (pod.fs_group != wanted.fs_group ||
      pod.fs_group_change_policy != wanted.fs_group_change_policy)
    return true;
  for (const Container& now : pod.containers) {
    for (const Container& other : wanted.containers) {
      if (now.name != other.name) continue;
      const auto effective = [](const auto& own, const auto& of_pod) { return own ? own : of_pod; };
      if (effective(now.run_as_user, pod.run_as_user) !=
              effective(other.run_as_user, wanted.run_as_user) ||
          effective(now.run_as_group, pod.run_as_group) !=
              effective(other.run_as_group, wanted.run_as_group)) {
        return true;
      }
    }
  }
  return false;
}

bool is_data_volume_of(std::string_view volume, std::string_view pod) {
  return volume.size() == pod.size() + 5 && volume.substr(0, pod.size()) == pod &&
         volume.substr(pod.size()) == "-data";
}

/// Marks with the same reason are one step of the plan.
class Marks {
 public:
  explicit Marks(World& world) : world_(world) {}
  void add(Member& group, const std::string& reason) {
    mark(world_, group);
    auto known = std::find_if(reasons_.begin(), reasons_.end(),
                              [&](const auto& r) { return r.first == reason; });
    if (known == reasons_.end()) known = reasons_.insert(reasons_.end(), {reason, {}});
    known->second.push_back(group.id);
  }
  void emit() {
    for (auto& [reason, ids] : reasons_) {
      const std::string first = ids.front();
      TraceStep& step = world_.emit(Reconciler::ReplaceMisconfiguredProcessGroups,
                                    Action::MarkForRemoval, std::move(ids), reason);
      step.reason = reason;
      if (!reason.starts_with("fault-domain-")) {
        step.changes = pod_changes(world_, step.targets);
        for (plan::Change& change : volume_changes(world_, step.targets))
          add_change(step.changes, change.path, change.from, change.to);
      }
      step.because = because(reason, first);
    }
  }

 private:
  [[nodiscard]] std::string because(const std::string& reason, const std::string& id) const {
    const Member& group = *world_.find(id);
    if (reason == "servers-per-pod") {
      const char* field = group.process_class == ProcessClass::Storage ? "storageServersPerPod"
                                                                       : "logServersPerPod";
      return fmt::format("servers per pod: {} -> {} (spec.{})", group.pod->servers,
                         world_.spec.density(group.process_class), field);
    }
    if (reason == "pvc-spec") {
      return fmt::format(
          "the volume claim asks for another size or class ({} bytes -> {} bytes); existing claims "
          "are never changed",
          group.volume ? group.volume->request_bytes : 0,
          world_.spec.processes[index(group.process_class)].volume.bytes);
    }
    if (reason == "node-selector") return "nodeSelector differs between the pod and spec.processes";
    if (reason == "update-strategy") {
      return "the pod spec differs, and the update strategy replaces pods of this class";
    }
    if (reason == "fault-domain-rebalance") {
      return "another domain would stay below its minimum of floor(groups / domains)";
    }
    if (reason == "fault-domain-over-max")
      return "the domain holds more than ceil(groups / domains)";
    if (reason == "fault-domain-dropped")
      return "the domain's index is not below the wanted number of domains";
    if (reason == "fault-domain-unbound") return "the group is bound to no logical domain";
    return "the pod cannot be changed in place: " + reason;
  }

  World& world_;
  std::vector<std::pair<std::string, std::vector<std::string>>> reasons_;
};

std::vector<PackingMember> packing_members(const World& world, ProcessClass c) {
  std::vector<PackingMember> members;
  for (const Member& group : world.groups) {
    if (group.process_class != c || group.is_marked()) continue;
    PackingMember member;
    member.id = group.id;
    member.number = group.number;
    if (group.has_bound_domain) member.domain = domain_of_key(c, group.fault_domain);
    for (std::size_t i = 0; i < kConditionCount; ++i) {
      const auto condition = static_cast<Condition>(i);
      member.wants_replacement = member.wants_replacement || (triggers_replacement(condition) &&
                                                              group.conditions.has(condition));
    }
    member.is_coordinator = group.is_coordinator();
    member.stored_bytes = group.stored_bytes();
    if (group.pod) member.created = group.pod->created;
    members.push_back(std::move(member));
  }
  return members;
}

void pack_domains(World& world, Marks& marks, int& budget) {
  if (!world.spec.uses_distribution()) return;
  const int domains = world.spec.fault_domain.distribution.domains;
  for (std::size_t i = 0; i < kClassCount && domains > 0; ++i) {
    const auto members = packing_members(world, class_at(i));
    if (members.empty()) continue;
    for (const PackingVictim& victim : packing_victims(members, world.wanted[i], domains)) {
      if (budget <= 0) return;
      --budget;
      marks.add(*world.find(victim.id), std::string(code(victim.reason)));
    }
  }
}

}  // namespace

std::vector<std::string> replacement_differences(const World& world, const Member& group) {
  std::vector<std::string> reasons;
  if (!group.pod) return reasons;
  const Pod& pod = *group.pod;
  const ClusterSpec& spec = world.spec;
  const ProcessSettings& wanted = spec.processes[index(group.process_class)];
  if (is_stateful(group.process_class) && group.volume && !group.volume->is_assumed &&
      group.volume->spec_hash != wanted.volume.hash) {
    reasons.emplace_back("pvc-spec");
  } else if (is_stateful(group.process_class) && group.volume && group.volume->is_assumed &&
             world.snapshot->spec.processes[index(group.process_class)].volume.hash !=
                 wanted.volume.hash) {
    reasons.emplace_back("pvc-spec");
  }
  if (group.volume && !group.volume->is_assumed &&
      !is_data_volume_of(group.volume->name, pod.name)) {
    reasons.emplace_back("pvc-name");
  }
  if (spec.group_prefix != group.prefix) reasons.emplace_back("group-id");
  if (pod.public_ip_source != spec.routing.public_ip_source)
    reasons.emplace_back("public-ip-source");
  if (pod.servers != spec.density(group.process_class)) reasons.emplace_back("servers-per-pod");
  if (spec.replace_on_resource_change &&
      (grows(pod.containers, wanted.pod.containers) ||
       grows(pod.init_containers, wanted.pod.init_containers) || gains_init_container(pod, spec))) {
    reasons.emplace_back("resources-increased");
  }
  if (!pod.spec_differs) return reasons;
  if (pod.node_selector != wanted.pod.node_selector) reasons.emplace_back("node-selector");
  if (spec.density(ProcessClass::Storage) == 1 && pod.image_type != spec.image_type)
    reasons.emplace_back("image-type");
  if (pod.ip_family != spec.routing.ip_family) reasons.emplace_back("ip-family");
  if (is_replaced_by_strategy(world, group)) reasons.emplace_back("update-strategy");
  if (world.options.flags.replace_on_security_context && security_differs(pod, wanted.pod)) {
    reasons.emplace_back("security-context");
  }
  return reasons;
}

bool is_replaced_by_strategy(const World& world, const Member& group) {
  switch (world.spec.automation.update_strategy) {
    case UpdateStrategy::Replace:
      return true;
    case UpdateStrategy::ReplaceTransactionSystem:
      return is_transaction_system(group.process_class);
    case UpdateStrategy::Delete:
      return false;
  }
  return false;
}

std::string replacement_reason(const World& world, const Member& group) {
  const auto reasons = replacement_differences(world, group);
  return reasons.empty() ? std::string() : reasons.front();
}

void replace_misconfigured(World& world) {
  if (world.is_upgrading || world.is_tls_conversion()) {
    world.delay_pass(5);
    return;
  }
  int budget = static_cast<int>(world.groups.size());
  const auto& limit = world.spec.automation.max_concurrent_replacements;
  if (limit && !world.is_seed()) {
    budget = *limit;
    for (const std::size_t i : world.departing()) {
      const Member& group = world.groups[i];
      budget -= group.is_marked() && !group.is_excluded() ? 1 : 0;
    }
  }
  Marks marks(world);
  for (Member& group : world.groups) {
    if (budget <= 0) break;
    if (group.is_marked()) continue;
    const std::string reason = replacement_reason(world, group);
    if (reason.empty()) continue;
    --budget;
    marks.add(group, reason);
  }
  pack_domains(world, marks, budget);
  marks.emit();
}

}  // namespace ballast::fdb
