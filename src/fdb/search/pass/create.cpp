// SPDX-License-Identifier: BSD-2-Clause
// New groups and their resources.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>
#include <set>
#include <utility>

#include "ballast/fdb/model/identity.hpp"
#include "ballast/fdb/model/templates.hpp"
#include "ballast/fdb/search/pass/reconcilers.hpp"
#include "ballast/fdb/search/spread/packing.hpp"
#include "ballast/fdb/search/world/layout.hpp"

namespace ballast::fdb {
namespace {

constexpr int kMostNumber = 99999;  ///< that the operator draws

bool is_excluded_in_database(const World& world, const std::string& id) {
  return world.db.exclusions.contains(locality_target(id));
}

/// The lowest number from `number` on that no group of the class has and no exclusion names.
int free_number(const World& world, ProcessClass c, const std::set<int>& taken, int number) {
  for (;; ++number) {
    if (taken.contains(number)) continue;
    const std::string id = group_id(world.spec.group_prefix, c, number);
    const auto& named = world.spec.groups_to_remove;
    const auto& without = world.spec.groups_to_remove_without_exclusion;
    if (is_excluded_in_database(world, id) ||
        std::find(named.begin(), named.end(), id) != named.end() ||
        std::find(without.begin(), without.end(), id) != without.end()) {
      continue;
    }
    return number;
  }
}

struct ClassState {
  int unmarked = 0;
  std::set<int> numbers;
  std::vector<int> occupied;  ///< per logical domain
};

PerClass<ClassState> class_states(const World& world) {
  PerClass<ClassState> states;
  const int domains = world.spec.fault_domain.distribution.domains;
  for (const Member& group : world.groups) {
    ClassState& state = states[index(group.process_class)];
    state.numbers.insert(group.number);
    if (group.is_marked()) continue;
    ++state.unmarked;
    if (!world.spec.uses_distribution() || !group.has_bound_domain) continue;
    state.occupied.resize(static_cast<std::size_t>(std::max(1, domains)), 0);
    const auto domain = domain_of_key(group.process_class, group.fault_domain);
    if (domain && *domain < domains) ++state.occupied[static_cast<std::size_t>(*domain)];
  }
  return states;
}

Member new_member(const World& world, ProcessClass c, int number) {
  Member group;
  group.id = group_id(world.spec.group_prefix, c, number);
  group.process_class = c;
  group.prefix = world.spec.group_prefix;
  group.number = number;
  group.is_new = true;
  group.conditions.set(Condition::MissingProcesses, world.now);
  group.conditions.set(Condition::MissingPod, world.now);
  if (is_stateful(c)) group.conditions.set(Condition::MissingPvc, world.now);
  return group;
}

Pod pod_for(World& world, const Member& group) {
  Pod pod = templated_pod(world.spec, world.snapshot->name, group);
  pod.created = world.now;
  // While the servers still run the old version, a new pod starts with it as well.
  if (world.is_upgrading)
    pod.version = pod.sidecar_version = to_string(world.status.running_version);
  pod.config = world.config_id(group.process_class, pod.image_type, pod.servers);
  if (world.spec.uses_distribution()) pod.distribution_key = group.fault_domain;
  return pod;
}

/// How the operator would pick the numbers of the new groups.
std::vector<std::string> draws(const World& world, const PerClass<ClassState>& before) {
  std::vector<std::string> lines;
  for (std::size_t i = 0; i < kClassCount; ++i) {
    const int missing = world.wanted[i] - before[i].unmarked;
    if (missing <= 0) continue;
    lines.push_back(fmt::format(
        "{}: the operator draws {} number{} from 1 to {} at random, other than those of groups "
        "that are there or leaving ({}); the lowest free ones stand for them here",
        name(class_at(i)), missing, missing == 1 ? "" : "s", kMostNumber,
        before[i].numbers.empty() ? std::string("none")
                                  : fmt::format("{}", fmt::join(before[i].numbers, ", "))));
  }
  return lines;
}

}  // namespace

void add_groups(World& world) {
  const PerClass<int> unmarked = world.counts().unmarked;
  bool any_missing = false;
  for (std::size_t i = 0; i < kClassCount; ++i)
    any_missing = any_missing || unmarked[i] < world.wanted[i];
  if (!any_missing) return;
  PerClass<ClassState> states = class_states(world);
  const PerClass<ClassState> before = states;
  std::map<std::string, std::string> places;
  std::vector<std::string> ids;
  for (std::size_t i = 0; i < kClassCount; ++i) {
    const ProcessClass c = class_at(i);
    ClassState& state = states[i];
    const int missing = world.wanted[i] - state.unmarked;
    if (missing <= 0) continue;
    std::vector<int> domains;
    if (world.spec.uses_distribution()) {
      state.occupied.resize(
          static_cast<std::size_t>(std::max(1, world.spec.fault_domain.distribution.domains)), 0);
      domains = packing_places(state.occupied, missing);
    }
    int number = 0;
    for (int k = 0; k < missing; ++k) {
      number = free_number(world, c, state.numbers, number + 1);
      Member group = new_member(world, c, number);
      if (!domains.empty()) {
        group.fault_domain = domain_key(c, domains[static_cast<std::size_t>(k)]);
        group.has_bound_domain = true;
        places[group.id] = group.fault_domain;
      }
      ids.push_back(group.id);
      world.groups.push_back(std::move(group));
      world.forget_departing();
    }
  }
  if (ids.empty()) return;
  const auto by_id = [](const Member& a, const Member& b) { return a.id < b.id; };
  const auto first_new = world.groups.end() - static_cast<std::ptrdiff_t>(ids.size());
  std::sort(first_new, world.groups.end(), by_id);
  std::inplace_merge(world.groups.begin(), first_new, world.groups.end(), by_id);
  std::string detail = "count";
  if (!places.empty()) {
    detail.clear();
    for (const auto& [id, place] : places) detail += (detail.empty() ? "" : ",") + place;
  }
  TraceStep& step =
      world.emit(Reconciler::AddProcessGroups, Action::AddProcessGroup, std::move(ids), detail);
  step.reason = "count";
  step.because = "fewer groups than wanted are not marked for removal";
  if (world.options.ids == NewIds::RandomNote) step.listing = draws(world, before);
}

void add_services(World& world) {
  if (world.spec.routing.headless_service && !world.has_headless_service) {
    world.has_headless_service = true;
    world.emit(Reconciler::AddServices, Action::CreateService, {world.snapshot->name}).because =
        "DNS names of pods need the headless service";
  }
  if (world.spec.routing.public_ip_source != IpSource::Service) return;
  std::vector<std::string> ids;
  for (const std::size_t i : world.awake()) {
    Member& group = world.groups[i];
    if (group.has_service || group.is_leaving() || group.resources_deleted) continue;
    group.has_service = true;
    group.conditions.clear(Condition::MissingService);
    world.rouse(group);
    ids.push_back(group.id);
  }
  if (!ids.empty()) {
    world.emit(Reconciler::AddServices, Action::CreateService, std::move(ids)).because =
        "public addresses come from services";
  }
}

void add_volumes(World& world) {
  std::vector<std::string> ids;
  for (const std::size_t i : world.awake()) {
    Member& group = world.groups[i];
    if (!is_stateful(group.process_class) || group.volume || group.is_leaving()) continue;
    group.volume = templated_volume(world.spec, world.snapshot->name, group);
    ids.push_back(group.id);
  }
  if (!ids.empty()) {
    world.emit(Reconciler::AddPVCs, Action::CreatePvc, std::move(ids)).because =
        "the groups have no volume claim";
  }
}

void add_pods(World& world) {
  constexpr std::size_t kMostListed = 12;
  std::vector<std::string> ids;
  std::vector<GroupLayout> layouts;
  for (const std::size_t i : world.awake()) {
    Member& group = world.groups[i];
    if (group.pod || group.is_leaving() || group.resources_deleted) continue;
    group.pod = pod_for(world, group);
    group.pod_created = true;
    ids.push_back(group.id);
    layouts.push_back(layout_of(world, group));
  }
  if (ids.empty()) return;
  TraceStep& step = world.emit(Reconciler::AddPods, Action::CreatePod, std::move(ids));
  step.because = "the groups have no pod";
  for (std::size_t i = 0; i < std::min(layouts.size(), kMostListed); ++i)
    step.listing.push_back(layout_text(layouts[i]));
  if (layouts.size() > kMostListed)
    step.listing.push_back(fmt::format("{} more in the same way", layouts.size() - kMostListed));
  step.layouts = std::move(layouts);
}

}  // namespace ballast::fdb
