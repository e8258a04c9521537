// SPDX-License-Identifier: BSD-2-Clause
#include "ballast/kube/quantity.hpp"
#include "ballast/tidb/search/remedies.hpp"
#include "ballast/tidb/search/search.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace ballast::tidb {

namespace {

SetSpec* wished(Input& input, Component c, const std::string& set) {
  for (SetSpec& spec : input.desired.of(c)) {
    if (spec.name == set) return &spec;
  }
  return nullptr;
}

/// The largest number of replicas below the wished one that finds room.
std::optional<std::int64_t> fitting_replicas(const Input& input, Component c, const SetSpec& spec) {
  const LiveSet* live = input.live.find(c, spec.name);
  const std::int64_t least = live == nullptr ? 0 : live->replicas;
  for (std::int64_t n = spec.replicas - 1; n >= least && n > spec.replicas - 200; --n) {
    Input tried = input;
    wished(tried, c, spec.name)->replicas = n;
    const Outcome outcome = plan_steps(tried);
    const Step* block = outcome.first_block();
    if (block == nullptr) return n;
  }
  return std::nullopt;
}

/// Copies of the set's pods that would need one more node each, with what.
std::string missing_nodes(const Input& input, const Step& block, const SetSpec& spec) {
  std::int64_t missing = 0;
  Input tried = input;
  for (; missing < 64; ++missing) {
    const Outcome outcome = plan_steps(tried);
    const Step* stuck = outcome.first_block();
    if (stuck == nullptr || stuck->code != "U-CAPACITY") break;
    Node node;
    node.name = fmt::format("new-{}", missing + 1);
    node.labels = spec.placement.node_selector;
    node.labels["kubernetes.io/hostname"] = node.name;
    node.cpu_milli = spec.placement.cpu_milli;
    node.memory_bytes = spec.placement.memory_bytes;
    tried.live.nodes.push_back(node);
    Volume volume;
    volume.name = node.name + "-volume";
    volume.node = node.name;
    volume.storage_class = spec.storage_class;
    volume.bytes = spec.storage_bytes.value_or(0);
    tried.live.volumes.push_back(std::move(volume));
  }
  (void)block;
  return fmt::format("{} more node{} with {} cpu, {} memory{}", missing, missing == 1 ? "" : "s",
                     kube::format_cpu(spec.placement.cpu_milli),
                     kube::format_bytes(spec.placement.memory_bytes),
                     spec.storage_bytes ? fmt::format(" and a {} volume of {}", spec.storage_class,
                                                      kube::format_bytes(*spec.storage_bytes))
                                        : "");
}

}  // namespace

std::vector<Candidate> capacity_candidates(const Input& input, const Step& block) {
  std::vector<Candidate> result;
  const Component c = block.component.value_or(Component::Tikv);
  const SetSpec* spec = input.desired.find(c, block.set);
  if (spec == nullptr) return result;
  const LiveSet* live = input.live.find(c, block.set);
  const bool grows = live == nullptr || spec->replicas > live->replicas;
  if (grows) {
    if (const auto n = fitting_replicas(input, c, *spec)) {
      Remedy remedy;
      remedy.text = fmt::format("{} replicas of {} fit", *n, block.set);
      remedy.set.push_back(
          fmt::format("{}={}", set_key(input.desired, c, block.set, "replicas"), *n));
      result.push_back({std::move(remedy), [c, set = block.set, n = *n](Input& tried) {
                          wished(tried, c, set)->replicas = n;
                        }});
    }
  }
  if (live != nullptr && !restart_fields(live->spec, *spec).empty()) {
    SetSpec beside = *spec;
    beside.name = name_beside(input.desired, c, block.set);
    beside.statefulset =
        statefulset_name(input.desired.name, c, beside.name, input.options.names.default_name);
    beside.config_map = beside.statefulset;
    beside.replicas = live->replicas;
    Remedy remedy;
    remedy.text = fmt::format("a new set {} with the wished resources and {} replicas, {} at 0",
                              beside.name, beside.replicas, block.set);
    SetSpec old = live->spec;
    old.replicas = 0;
    result.push_back({std::move(remedy), [c, set = block.set, beside, old](Input& tried) {
                        *wished(tried, c, set) = old;
                        tried.desired.of(c).push_back(beside);
                      }});
  }
  const auto smallest = std::ranges::min_element(input.live.nodes, {}, &Node::memory_bytes);
  if (smallest != input.live.nodes.end()) {
    Remedy remedy;
    remedy.text = fmt::format("requests that fit the smallest node, {} (cpu {}, memory {})",
                              smallest->name, kube::format_cpu(smallest->cpu_milli),
                              kube::format_bytes(smallest->memory_bytes));
    result.push_back({std::move(remedy), nullptr});
  }
  Remedy remedy;
  remedy.text = missing_nodes(input, block, *spec);
  result.push_back({std::move(remedy), nullptr});
  return result;
}

}  // namespace ballast::tidb
