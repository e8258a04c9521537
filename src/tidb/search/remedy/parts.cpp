// SPDX-License-Identifier: BSD-2-Clause
#include "ballast/tidb/search/remedy/parts.hpp"
#include "ballast/core/words.hpp"

#include "ballast/core/strings.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace ballast::tidb {

Remedy& Candidates::add(std::string text, Price price, std::vector<std::string> set,
                        std::vector<std::string> commands, std::function<void(Input&)> apply) {
  Remedy remedy;
  remedy.text = std::move(text);
  remedy.loss = price.loss;
  remedy.cost = std::move(price.text);
  remedy.set = std::move(set);
  remedy.commands = std::move(commands);
  list_.push_back({std::move(remedy), std::move(apply)});
  return list_.back().remedy;
}

Component component_of(const Line& block) { return block.component.value_or(Component::Pd); }

SetSpec* wished_set(Input& input, Component c, const std::string& set) {
  const auto found = std::ranges::find(input.desired.of(c), set, &SetSpec::name);
  return found == input.desired.of(c).end() ? nullptr : &*found;
}

std::string annotate(const Input& input, const std::string& what) {
  return kubectl(input, fmt::format("annotate tc {} {} --overwrite", input.desired.name, what));
}

std::vector<std::string> sick_members(const Input& input) {
  std::vector<std::string> sick;
  for (const Member& member : input.live.members) {
    if (!member.healthy) sick.push_back(member.name);
  }
  return sick;
}

void heal_members(Input& input) {
  for (Member& member : input.live.members) member.healthy = true;
  for (LiveSet& set : input.live.of(Component::Pd)) {
    for (LivePod& pod : set.pods) {
      pod.ready = true;
      pod.scheduled = true;
      pod.waiting_reason.clear();
    }
  }
}

SetSpec set_beside(const Input& input, const SetSpec& spec, std::int64_t replicas) {
  SetSpec beside = spec;
  beside.name = name_beside(input.desired, spec.component, spec.name);
  beside.statefulset = input.desired.form == Form::Groups
                           ? fmt::format("{}-{}", beside.name, name_of(spec.component))
                           : statefulset_name(input.desired.name, spec.component, beside.name,
                                              input.options.names.default_name);
  beside.config_map = beside.statefulset;
  beside.replicas = replicas;
  beside.slots.clear();
  return beside;
}

std::vector<std::string> set_first_extra(const Input& input, const SetSpec& beside) {
  const Form form = input.desired.form;
  if (input.desired.of(beside.component).size() != 1) return {};
  if (form != Form::Values && form != Form::Single) return {};
  return {fmt::format("{}.extra=[{{name: {}, replicas: {}}}]", name_of(beside.component),
                      beside.name, beside.replicas)};
}

void add_slots(Candidates& into, const Input& input, const Line& block,
               const std::vector<std::string>& pods, const std::string& why) {
  const Component c = component_of(block);
  if (block.set != kDefaultSet || input.options.profile == Profile::V2) return;
  const LiveSet* live = input.live.find(c, block.set);
  const SetSpec* spec = input.desired.find(c, block.set);
  if (live == nullptr || spec == nullptr || spec->replicas >= live->replicas) return;
  std::vector<std::int64_t> named = spec->slots;
  const auto most = static_cast<std::size_t>(live->replicas - spec->replicas) + named.size();
  for (const LivePod& pod : live->pods) {
    const bool listed = std::ranges::find(pods, pod.name) != pods.end();
    if (listed && named.size() < most) named.push_back(pod.ordinal);
  }
  std::ranges::sort(named);
  add_slots_of(into, input, block, named, why,
               {Loss::Effort, "the pods named leave in place of the highest ordinals"});
}

void add_slots_of(Candidates& into, const Input& input, const Line& block,
                  const std::vector<std::int64_t>& slots, const std::string& why, Price price) {
  const Component c = component_of(block);
  const SetSpec* spec = input.desired.find(c, block.set);
  if (spec == nullptr || slots == spec->slots) return;
  std::vector<std::string> texts;
  for (const std::int64_t slot : slots) texts.push_back(fmt::format("{}", slot));
  const std::string annotation =
      fmt::format("{}.tidb.pingcap.com/delete-slots='[{}]'", name_of(c), join(texts, ","));
  into.add(
      fmt::format("{}: annotation {} with replicas {}{}", why, annotation, spec->replicas,
                  input.options.advanced_statefulset() ? "" : " (feature AdvancedStatefulSet)"),
      std::move(price), {}, {annotate(input, annotation)},
      [c, set = block.set, slots](Input& tried) {
        tried.options.features.insert("AdvancedStatefulSet");
        if (SetSpec* changed = wished_set(tried, c, set)) changed->slots = slots;
      });
}

std::string pd_tolerance(std::int64_t members) {
  const std::int64_t lost = (members - 1) / 2;
  return lost <= 0 ? counted(members, "member") + ": no loss can be survived"
                   : fmt::format("{} members: the loss of {} can be survived", members, lost);
}

namespace {

/// Those that run, without failover pods, or that ran before they were suspended.
std::optional<std::int64_t> old_replicas(const Input& input, Component c, const std::string& set) {
  if (const LiveSet* live = input.live.find(c, set)) {
    const auto records = static_cast<std::int64_t>(live->failures.size());
    return std::max<std::int64_t>(0, live->replicas - records);
  }
  const SetSpec* before = input.current ? input.current->find(c, set) : nullptr;
  if (before == nullptr || !input.live.suspended[index_of(c)]) return std::nullopt;
  return before->replicas;
}

}  // namespace

void add_old_replicas(Candidates& into, const Input& input, const Line& block) {
  const Component c = component_of(block);
  const std::optional<std::int64_t> old = old_replicas(input, c, block.set);
  if (!old || input.desired.find(c, block.set) == nullptr) return;
  std::int64_t replicas = *old;
  // As many stores may leave as there are more than copies.
  const std::int64_t up = input.live.up_stores();
  const std::int64_t wished = input.desired.find(c, block.set)->replicas;
  const bool by_copies = block.code.ends_with("-TIKV-MAXREPLICAS") && up > input.max_replicas;
  if (by_copies) replicas = std::max(wished + 1, replicas - (up - input.max_replicas));
  if (replicas == 0) return;  // nothing is no way out
  into.add("stay at " + counted(replicas, "replica"),
           {Loss::Wish, "the wished number is not reached"},
           {fmt::format("{}={}", set_key(input.desired, c, block.set, "replicas"), replicas)}, {},
           [c, set = block.set, replicas](Input& tried) {
             if (SetSpec* changed = wished_set(tried, c, set)) changed->replicas = replicas;
           });
}

}  // namespace ballast::tidb
