// SPDX-License-Identifier: BSD-2-Clause
#include "ballast/kube/quantity.hpp"
#include "ballast/tidb/search/node_match.hpp"
#include "ballast/tidb/search/remedy_parts.hpp"
#include "ballast/tidb/search/search.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace ballast::tidb {

namespace {

constexpr std::int64_t kMostNodes = 64;
constexpr std::int64_t kMostReplicas = 200;

/// The largest number of replicas below the wished one that finds room.
std::optional<std::int64_t> fitting_replicas(const Input& input, const SetSpec& spec) {
  const LiveSet* live = input.live.find(spec.component, spec.name);
  const std::int64_t least = live == nullptr ? 0 : live->replicas;
  for (std::int64_t n = spec.replicas - 1; n >= least && n > spec.replicas - kMostReplicas; --n) {
    Input tried = input;
    wished_set(tried, spec.component, spec.name)->replicas = n;
    const Outcome outcome = plan_steps(tried);
    if (outcome.first_block() == nullptr) return n;
  }
  return std::nullopt;
}

void fewer_pods(Candidates& into, const Input& input, const SetSpec& spec) {
  const LiveSet* live = input.live.find(spec.component, spec.name);
  if (live != nullptr && spec.replicas <= live->replicas) return;
  const auto n = fitting_replicas(input, spec);
  if (!n) return;
  into.add(
      fmt::format("{} replicas of {} fit", *n, spec.name),
      {fmt::format("{}={}", set_key(input.desired, spec.component, spec.name, "replicas"), *n)}, {},
      [c = spec.component, set = spec.name, n = *n](Input& tried) {
        wished_set(tried, c, set)->replicas = n;
      });
}

/// A new set with the wished requests, and the old one drained.
void new_set(Candidates& into, const Input& input, const SetSpec& spec) {
  const LiveSet* live = input.live.find(spec.component, spec.name);
  if (live == nullptr || restart_fields(live->spec, spec).empty()) return;
  const SetSpec beside = set_beside(input, spec, live->replicas);
  // Only v1.6 drains the old set before it would restart it.
  std::vector<std::string> set;
  if (input.options.profile == Profile::V16) set = set_first_extra(input, beside);
  SetSpec old = set.empty() ? live->spec : spec;
  old.replicas = 0;
  if (!set.empty())
    set.push_back(set_key(input.desired, spec.component, spec.name, "replicas") + "=0");
  into.add(fmt::format("a new set {} with the wished resources and {} replicas, {} at 0",
                       beside.name, beside.replicas, spec.name),
           std::move(set), {}, [c = spec.component, beside, old](Input& tried) {
             *wished_set(tried, c, old.name) = old;
             tried.desired.of(c).push_back(beside);
           });
}

/// No more than the smallest node that may take a pod has in all.
void smaller_requests(Candidates& into, const Input& input, const SetSpec& spec) {
  const Node* smallest = nullptr;
  for (const Node& node : input.live.nodes) {
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
    Node node;
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

void more_nodes(Candidates& into, const Input& input, const SetSpec& spec) {
  std::int64_t missing = 1;
  for (; missing < kMostNodes; ++missing) {
    Input tried = input;
    add_nodes(tried, spec, missing);
    const Outcome outcome = plan_steps(tried);
    const Step* stuck = outcome.first_block();
    if (stuck == nullptr || stuck->code != "U-CAPACITY") break;
  }
  const std::string volume = spec.storage_bytes
                                 ? fmt::format(" and a {} volume of {}", spec.storage_class,
                                               kube::format_bytes(*spec.storage_bytes))
                                 : "";
  into.add(fmt::format("{} more node{} with {} cpu, {} memory{}", missing, missing == 1 ? "" : "s",
                       kube::format_cpu(spec.placement.cpu_milli),
                       kube::format_bytes(spec.placement.memory_bytes), volume),
           {}, {}, [spec, missing](Input& tried) { add_nodes(tried, spec, missing); });
}

}  // namespace

void capacity_remedies(Candidates& into, const Input& input, const Step& block) {
  if (block.code != "U-CAPACITY") return;
  const SetSpec* spec = input.desired.find(component_of(block), block.set);
  if (spec == nullptr) return;
  fewer_pods(into, input, *spec);
  new_set(into, input, *spec);
  smaller_requests(into, input, *spec);
  more_nodes(into, input, *spec);
}

}  // namespace ballast::tidb
