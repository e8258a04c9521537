// SPDX-License-Identifier: BSD-2-Clause
#include "ballast/core/strings.hpp"
#include "ballast/kube/quantity.hpp"
#include "ballast/tidb/search/basis/versions.hpp"
#include "ballast/tidb/search/remedy/parts.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace ballast::tidb {

namespace {

/// The values that lead back, as --set takes them; nothing where one of them does not fit a line.
std::vector<std::string> old_values(const Input& input, const SetSpec& now, const SetSpec& spec) {
  std::vector<std::string> keys;
  const bool grouped = input.desired.form == Form::Groups;
  const std::string requests = grouped                              ? "template.spec.resources"
                               : input.desired.form == Form::Values ? "resources.requests"
                                                                    : "requests";
  const auto add = [&](const std::string& name, const std::string& value) {
    keys.push_back(
        fmt::format("{}={}", set_key(input.desired, spec.component, spec.name, name), value));
  };
  for (const std::string& field : restart_fields(now, spec)) {
    if (field == "image" && spec.has_base_image) {
      const auto tag = now.image.rfind(':');
      if (tag == std::string::npos) return {};
      if (!spec.image.starts_with(now.image.substr(0, tag + 1)))
        add("baseImage", now.image.substr(0, tag));
      add("version", now.image.substr(tag + 1));
    } else if (field == "image" && !grouped) {
      add("image", now.image);
    } else if (field == "version" && grouped) {
      add("template.spec.version", now.version);
    } else if (field == "requests") {
      add(requests + ".cpu", kube::format_cpu(now.placement.cpu_milli));
      if (now.placement.memory_bytes > 0)
        add(requests + ".memory", kube::format_bytes(now.placement.memory_bytes));
    } else {
      return {};
    }
  }
  return keys;
}

/// The pod runs, and nothing else is in its way.
void make_well(Input& changed, Component c, const std::string& set, const std::string& name) {
  LiveSet* live = changed.live.find(c, set);
  if (live == nullptr) return;
  for (LivePod& pod : live->pods) {
    if (pod.name != name) continue;
    pod.ready = true;
    pod.healthy = true;
    pod.scheduled = true;
    pod.running = true;
    pod.waiting_reason.clear();
  }
  if (Member* member = changed.live.member_of(name)) member->healthy = true;
  if (Store* store = changed.live.store_of(name)) store->state = StoreState::Up;
}

const LivePod* pod_named(const Input& input, Component c, const Line& block) {
  const LiveSet* live = input.live.find(c, block.set);
  if (live == nullptr) return nullptr;
  const auto pod = std::ranges::find(live->pods, block.object, &LivePod::name);
  return pod == live->pods.end() ? nullptr : &*pod;
}

/// A pod that finds no node: room for it, or nobody who wants it any longer.
void without_node(Candidates& into, const Input& input, const Line& block) {
  const Component c = component_of(block);
  const SetSpec* spec = input.desired.find(c, block.set);
  const LiveSet* live = input.live.find(c, block.set);
  into.add(fmt::format("one more node that takes {} ({} cpu, {} memory)", block.object,
                       kube::format_cpu(spec->placement.cpu_milli),
                       kube::format_bytes(spec->placement.memory_bytes)),
           {Loss::Effort, "a machine"}, {}, {},
           [c, set = block.set, name = block.object](Input& changed) {
             make_well(changed, c, set, name);
           });
  if (c != Component::Tikv || live == nullptr || live->failures.empty() || spec->recover_failover)
    return;
  into.add("the failed stores repaired, and their records dropped, so that the failover pod goes",
           {Loss::Effort, "the operator drops them once all wished pods are well"},
           {set_key(input.desired, c, block.set, "recoverFailover") + "=true"}, {},
           [c, set = block.set](Input& changed) {
             LiveSet* repaired = changed.live.find(c, set);
             if (repaired == nullptr) return;
             for (const Failure& failure : repaired->failures)
               make_well(changed, c, set, failure.pod);
             if (SetSpec* wished = wished_set(changed, c, set)) wished->recover_failover = true;
           });
}

void not_well(Candidates& into, const Input& input, const Line& block) {
  const Component c = component_of(block);
  const SetSpec* now = input.current ? input.current->find(c, block.set) : nullptr;
  const SetSpec* spec = input.desired.find(c, block.set);
  const LivePod* pod = pod_named(input, c, block);
  if (spec == nullptr || pod == nullptr) return;
  if (!pod->scheduled) without_node(into, input, block);
  const auto fields = now == nullptr ? std::vector<std::string>{} : restart_fields(*now, *spec);
  if (!fields.empty()) {
    into.add(fmt::format("the old value of what changed last ({})", join(fields, ", ")),
             {Loss::Wish, "the change is taken back"}, old_values(input, *now, *spec), {},
             [c, old = *now](Input& changed) {
               if (SetSpec* set = wished_set(changed, c, old.name)) {
                 const std::int64_t replicas = set->replicas;
                 *set = old;
                 set->replicas = replicas;
               }
             });
  }
  // Any other template makes the stuck pod an outdated one, which is restarted in its turn.
  if (pod->scheduled) {
    into.add("a template that works: the pod is then an outdated one, and is restarted in its turn",
             {Loss::Effort, "the cause must be found"}, {}, {},
             [c, set = block.set](Input& changed) {
               if (SetSpec* wished = wished_set(changed, c, set))
                 wished->pod_template["image"] = "corrected";
             });
  }
  // The same template again: only where it is not the template that keeps the pod down.
  if (pod->waiting_reason.empty() && pod->scheduled) {
    into.add("where the template is right: delete the pod, it is made again",
             {Loss::Service, fmt::format("{} is away meanwhile, as it is now", block.object)}, {},
             {kubectl(input, "delete pod " + block.object)},
             [c, set = block.set, name = block.object](Input& changed) {
               make_well(changed, c, set, name);
             });
  }
}

void data_sub_dir(Candidates& into, const Input& input, const Line& block) {
  const Component c = component_of(block);
  const LiveSet* live = input.live.find(c, block.set);
  const std::string old = live == nullptr ? "" : live->spec.data_sub_dir;
  into.add("dataSubDir as it was", {Loss::Wish, "the folder stays"},
           {fmt::format("{}={}", set_key(input.desired, c, block.set, "dataSubDir"),
                        old.empty() ? "null" : old)},
           {}, [c, set = block.set, old](Input& changed) {
             if (SetSpec* wished = wished_set(changed, c, set)) wished->data_sub_dir = old;
           });
}

/// Groups: an older component keeps the newer one back.
void version_gate(Candidates& into, const Input& input, const Line& block) {
  const SetSpec* held = input.desired.find(component_of(block), block.set);
  if (held == nullptr) return;
  std::vector<std::string> keys;
  for (const Component c : kComponents) {
    if (c >= held->component) break;
    for (const SetSpec& group : input.desired.of(c)) {
      const auto version = parse_version(group.version);
      if (version && *version < parse_version(held->version).value_or(*version))
        keys.push_back(fmt::format("{}={}",
                                   set_key(input.desired, c, group.name, "template.spec.version"),
                                   held->version));
    }
  }
  into.add("the same version for the components before it",
           {Loss::Effort, "they are upgraded, too"}, std::move(keys), {},
           [before = held->component, version = held->version](Input& changed) {
             for (const Component c : kComponents) {
               if (c >= before) break;
               for (SetSpec& group : changed.desired.of(c)) {
                 group.version = version;
                 group.pod_template["version"] = version;
               }
             }
           });
  into.add("Cluster spec.upgradePolicy: NoConstraints, which drops the order",
           {Loss::Service, "versions run together that may not fit"}, {}, {},
           [](Input& changed) { changed.desired.no_constraints = true; });
}

void in_the_way(Candidates& into, const Input& input, const Line& block) {
  if (block.code == "B-GATE" && input.options.profile == Profile::V2)
    return version_gate(into, input, block);
  into.add("wait until the component that is in the way is done, or repair it", {}, {}, {},
           [](Input& changed) {
             heal_members(changed);
             changed.live.other_phases.clear();
             for (Store& store : changed.live.stores) {
               if (store.state == StoreState::Down || store.state == StoreState::Disconnected)
                 store.state = StoreState::Up;
             }
             for (LiveSet& set : changed.live.of(Component::Tikv)) {
               for (LivePod& pod : set.pods) pod.ready = true;
             }
           });
}

}  // namespace

void rollout_remedies(Candidates& into, const Input& input, const Line& block) {
  const std::string& code = block.code;
  if (code == "B-UPGRADED-NOT-WELL") not_well(into, input, block);
  if (code == "U-DATA-SUBDIR") data_sub_dir(into, input, block);
  if (code == "B-GATE" || code == "B-COMPONENT-DOWN") in_the_way(into, input, block);
}

}  // namespace ballast::tidb
