// SPDX-License-Identifier: BSD-2-Clause
#include "ballast/core/strings.hpp"
#include "ballast/core/words.hpp"
#include "ballast/kube/quantity.hpp"
#include "ballast/tidb/search/placement/node_match.hpp"
#include "ballast/tidb/search/remedy/parts.hpp"
#include "ballast/tidb/search/steps/plan_steps.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace ballast::tidb {

namespace {

constexpr std::int64_t kMostNodes = 64;  // how far is searched; it is never told
constexpr std::int64_t kMostReplicas = 200;

/// The largest number of replicas below the wished one that finds room; at least one.
std::optional<std::int64_t> fitting_replicas(const Input& input, const SetSpec& spec) {
  const LiveSet* live = input.live.find(spec.component, spec.name);
  const std::int64_t least = std::max<std::int64_t>(1, live == nullptr ? 1 : live->replicas);
  for (std::int64_t n = spec.replicas - 1; n >= least && n > spec.replicas - kMostReplicas; --n) {
    Input tried = input;
    wished_set(tried, spec.component, spec.name)->replicas = n;
    const Outcome outcome = plan_steps(tried);
    if (outcome.first_block() == nullptr) return n;
  }
  return std::nullopt;
}

/// What is lost with `n` pods of the set in place of the wished ones.
Price price_of_fewer(const Input& input, const SetSpec& spec, std::int64_t n) {
  const std::int64_t total = total_replicas(input.desired.of(spec.component)) - spec.replicas + n;
  if (spec.component == Component::Pd) return {Loss::Redundancy, pd_tolerance(total)};
  if (spec.component == Component::Tikv && total < input.max_replicas) {
    return {Loss::Redundancy, fmt::format("{} for {} copies of each region: the copies that "
                                          "are wanted find no place",
                                          counted(total, "store"), input.max_replicas)};
  }
  if (total == 1) return {Loss::Redundancy, "1 pod: its loss stops the service"};
  return {Loss::Wish, counted(spec.replicas - n, "pod") + " fewer than wished"};
}

void fewer_pods(Candidates& into, const Input& input, const SetSpec& spec) {
  const LiveSet* live = input.live.find(spec.component, spec.name);
  if (live != nullptr && spec.replicas <= live->replicas) return;
  const auto n = fitting_replicas(input, spec);
  if (!n) return;
  into.add(
      fmt::format("{} of {} {}", counted(*n, "replica"), spec.name, of_count(*n, "fits", "fit")),
      price_of_fewer(input, spec, *n),
      {fmt::format("{}={}", set_key(input.desired, spec.component, spec.name, "replicas"), *n)}, {},
      [c = spec.component, set = spec.name, n = *n](Input& tried) {
        wished_set(tried, c, set)->replicas = n;
      });
}

std::string entry(const std::string& indent, const SetSpec& spec, std::int64_t replicas,
                  const std::string& name) {
  const Placement& asked = spec.placement;
  std::string text =
      fmt::format("{}- name: {}\n{}  replicas: {}\n", indent, name, indent, replicas);
  text += fmt::format("{}  resources:\n{}    requests:\n", indent, indent);
  if (asked.cpu_milli > 0)
    text += fmt::format("{}      cpu: \"{}\"\n", indent, kube::format_cpu(asked.cpu_milli));
  if (asked.memory_bytes > 0)
    text += fmt::format("{}      memory: {}\n", indent, kube::format_bytes(asked.memory_bytes));
  if (spec.storage_bytes)
    text += fmt::format("{}      storage: {}\n", indent, kube::format_bytes(*spec.storage_bytes));
  return text;
}

/// A new set with the wished resources beside the old one at 0, as values.
std::string values_of(const SetSpec& old, const SetSpec& beside) {
  std::string text = fmt::format("{}:\n", name_of(old.component));
  if (old.name == kDefaultSet) {
    text += "  replicas: 0\n  extra:\n";
  } else {
    text += fmt::format("  extra:\n  - name: {}\n    replicas: 0\n", old.name);
  }
  return text + entry("  ", beside, beside.replicas, beside.name);
}

/// A new set with the wished requests, and the old one drained.
void new_set(Candidates& into, const Input& input, const SetSpec& spec) {
  const LiveSet* live = input.live.find(spec.component, spec.name);
  if (live == nullptr || live->replicas == 0 || restart_fields(live->spec, spec).empty()) return;
  const SetSpec beside = set_beside(input, spec, live->replicas);
  // Only v1.6 drains the old set before it would restart it.
  std::vector<std::string> set;
  if (input.options.profile == Profile::V16) set = set_first_extra(input, beside);
  SetSpec old = set.empty() ? live->spec : spec;
  old.replicas = 0;
  if (!set.empty())
    set.push_back(set_key(input.desired, spec.component, spec.name, "replicas") + "=0");
  Remedy& remedy = into.add(
      fmt::format("a new set {} with the wished resources and {}, {} at 0", beside.name,
                  counted(beside.replicas, "replica"), spec.name),
      {Loss::Effort, spec.component == Component::Tikv ? "all data of the set is copied"
                                                       : "every pod of the set is replaced"},
      std::move(set), {}, [c = spec.component, beside, old](Input& tried) {
        *wished_set(tried, c, old.name) = old;
        tried.desired.of(c).push_back(beside);
      });
  remedy.snippet = values_of(spec, beside);
}

/// No more than the smallest node that may take a pod has in all.
void smaller_requests(Candidates& into, const Input& input, const SetSpec& spec) {
  const Machine* smallest = nullptr;
  for (const Machine& node : input.live.nodes) {
    if (!node_refusal(node, spec.placement).empty()) continue;
    if (smallest == nullptr || node.memory_bytes < smallest->memory_bytes) smallest = &node;
  }
  if (smallest == nullptr) return;
  const std::int64_t cpu =
      std::min(spec.placement.cpu_milli, smallest->cpu_milli - smallest->used_cpu_milli);
  const std::int64_t memory =
      std::min(spec.placement.memory_bytes, smallest->memory_bytes - smallest->used_memory_bytes);
  if (cpu == spec.placement.cpu_milli && memory == spec.placement.memory_bytes) return;
  if (cpu <= 0 || memory <= 0) return;
  const std::string requests = input.desired.form == Form::Groups   ? "template.spec.resources"
                               : input.desired.form == Form::Values ? "resources.requests"
                                                                    : "requests";
  const std::string key = set_key(input.desired, spec.component, spec.name, requests);
  into.add(fmt::format("requests that fit the smallest node, {}", smallest->name),
           {Loss::Wish, "pods with less than wished"},
           {fmt::format("{}.cpu={}", key, kube::format_cpu(cpu)),
            fmt::format("{}.memory={}", key, kube::format_bytes(memory))},
           {}, [c = spec.component, set = spec.name, cpu, memory](Input& tried) {
             Placement& asked = wished_set(tried, c, set)->placement;
             asked.cpu_milli = cpu;
             asked.memory_bytes = memory;
           });
}

/// Nodes that would each take one pod of the set.
void add_nodes(Input& input, const SetSpec& spec, std::int64_t count) {
  for (std::int64_t n = 1; n <= count; ++n) {
    Machine node;
    node.name = fmt::format("new-{}", n);
    node.labels = spec.placement.node_selector;
    node.labels["kubernetes.io/hostname"] = node.name;
    node.cpu_milli = spec.placement.cpu_milli;
    node.memory_bytes = spec.placement.memory_bytes;
    Volume volume;
    volume.name = node.name + "-volume";
    volume.node = node.name;
    volume.storage_class = spec.storage_class;
    volume.bytes = spec.storage_bytes.value_or(0);
    input.live.nodes.push_back(std::move(node));
    input.live.volumes.push_back(std::move(volume));
  }
}

/// The fewest nodes that help; none do where a pod is tied to its node by its volume.
void more_nodes(Candidates& into, const Input& input, const SetSpec& spec) {
  const auto helps = [&](std::int64_t count) {
    Input tried = input;
    add_nodes(tried, spec, count);
    const Outcome outcome = plan_steps(tried);
    const Line* stuck = outcome.first_block();
    return stuck == nullptr || stuck->code != "U-CAPACITY";
  };
  if (!helps(kMostNodes)) return;
  std::int64_t missing = 1;
  while (!helps(missing)) ++missing;
  const std::string asks_for =
      spec.storage_class.empty() ? "volume" : fmt::format("{} volume", spec.storage_class);
  std::vector<std::string> asked;
  if (spec.placement.cpu_milli > 0)
    asked.push_back(kube::format_cpu(spec.placement.cpu_milli) + " cpu");
  if (spec.placement.memory_bytes > 0)
    asked.push_back(kube::format_bytes(spec.placement.memory_bytes) + " memory");
  const std::string volume =
      spec.storage_bytes && input.live.volumes_known
          ? fmt::format(" and a {} of {}", asks_for, kube::format_bytes(*spec.storage_bytes))
          : "";
  into.add(fmt::format("{} with {}{}{}", counted(missing, "more node"),
                       asked.empty() ? "room for the pod" : join(asked, ", "), volume,
                       of_count(missing, "", " each")),
           {Loss::Effort, missing == 1 ? "a machine" : counted(missing, "machine")}, {}, {},
           [spec, missing](Input& tried) { add_nodes(tried, spec, missing); });
}

/// Nodes that are kept free of pods: the first that helps alone, else all of them.
void uncordoned(Candidates& into, const Input& input) {
  std::vector<std::string> cordoned;
  for (const Machine& node : input.live.nodes) {
    if (node.unschedulable && node.ready) cordoned.push_back(node.name);
  }
  const auto apply = [](const std::vector<std::string>& names) {
    return [names](Input& tried) {
      for (Machine& node : tried.live.nodes) {
        if (std::ranges::find(names, node.name) != names.end()) node.unschedulable = false;
      }
    };
  };
  if (cordoned.empty()) return;
  for (const std::string& name : cordoned) {
    Input tried = input;
    apply({name})(tried);
    const Outcome outcome = plan_steps(tried);
    const Line* stuck = outcome.first_block();
    if (stuck != nullptr && stuck->code == "U-CAPACITY") continue;
    cordoned = {name};
    break;
  }
  std::vector<std::string> commands;
  for (const std::string& name : cordoned) commands.push_back("kubectl uncordon " + name);
  into.add(fmt::format("uncordon {}, where the work on {} is over", join(cordoned, ", "),
                       of_count(cordoned.size(), "it", "them")),
           {Loss::Effort, ""}, {}, std::move(commands), apply(cordoned));
}

}  // namespace

void capacity_remedies(Candidates& into, const Input& input, const Line& block) {
  if (block.code != "U-CAPACITY") return;
  const SetSpec* spec = input.desired.find(component_of(block), block.set);
  if (spec == nullptr) return;
  uncordoned(into, input);
  more_nodes(into, input, *spec);
  new_set(into, input, *spec);
  smaller_requests(into, input, *spec);
  fewer_pods(into, input, *spec);
}

}  // namespace ballast::tidb
