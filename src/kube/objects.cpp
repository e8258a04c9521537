// SPDX-License-Identifier: BSD-2-Clause
#include "ballast/kube/objects.hpp"

#include <algorithm>
#include <charconv>
#include <utility>

#include "ballast/kube/quantity.hpp"

namespace ballast::kube {
namespace {

using doc::Tree;

const std::vector<Tree>& items_of(const Tree* list) {
  static const std::vector<Tree> kNone;
  return list == nullptr || !list->is_list() ? kNone : list->items();
}

/// Metadata, as much of it as can be read.
ObjectMeta meta_of(const Tree& object) {
  if (auto whole = read_metadata(object)) return std::move(*whole);
  ObjectMeta meta;
  meta.kind = text_of(object.find("kind"));
  meta.name = text_at(object, {"metadata", "name"});
  meta.name_space = text_at(object, {"metadata", "namespace"});
  meta.uid = text_at(object, {"metadata", "uid"});
  meta.labels = read_texts(object.at({"metadata", "labels"}));
  meta.annotations = read_texts(object.at({"metadata", "annotations"}));
  meta.creation_timestamp = text_at(object, {"metadata", "creationTimestamp"});
  meta.deletion_timestamp = text_at(object, {"metadata", "deletionTimestamp"});
  return meta;
}

/// Reads quantities of one object.
class Amounts {
 public:
  Amounts(const ObjectMeta& meta, const Complain& complain) : meta_(meta), complain_(complain) {}

  [[nodiscard]] std::optional<Quantity> at(const Tree* map, std::string_view key,
                                           std::string_view path) const {
    const Tree* value = map == nullptr ? nullptr : map->find(key);
    if (value == nullptr || value->is_null()) return std::nullopt;
    const bool is_text = value->is_scalar() && value->kind() != Tree::Kind::Bool;
    const auto quantity = is_text ? parse_quantity(value->text(), value->place())
                                  : Result<Quantity>(fail("not a quantity"));
    if (quantity) return *quantity;
    if (complain_) {
      complain_({meta_.kind, meta_.name, std::string(path) + "." + std::string(key), *value,
                 quantity.error().message});
    }
    return std::nullopt;
  }
  [[nodiscard]] std::int64_t milli(const Tree* map, std::string_view key,
                                   std::string_view path) const {
    return at(map, key, path).value_or(Quantity{}).milli;
  }
  [[nodiscard]] std::int64_t units(const Tree* map, std::string_view key,
                                   std::string_view path) const {
    return at(map, key, path).value_or(Quantity{}).value();
  }
  [[nodiscard]] std::optional<std::int64_t> units_if_any(const Tree* map, std::string_view key,
                                                         std::string_view path) const {
    const auto quantity = at(map, key, path);
    return quantity ? std::optional(quantity->value()) : std::nullopt;
  }

 private:
  const ObjectMeta& meta_;
  const Complain& complain_;
};

std::optional<std::int64_t> number_in(std::string_view text) {
  std::int64_t number = 0;
  const char* end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, number);
  if (text.empty() || error != std::errc{} || stop != end || number < 0) return std::nullopt;
  return number;
}

/// "2", or a percentage of `all`, rounded up.
std::optional<std::int64_t> share_of(std::string_view text, std::int64_t all) {
  if (!text.ends_with('%')) return number_in(text);
  const auto percent = number_in(text.substr(0, text.size() - 1));
  if (!percent || *percent > 100) return std::nullopt;
  return (*percent * all + 99) / 100;
}

void read_containers(const Tree& object, Pod& pod, const Complain& complain) {
  const Amounts amounts(pod.meta, complain);
  for (const Tree& container : items_of(object.at({"spec", "containers"}))) {
    const Tree* requests = container.at({"resources", "requests"});
    if (requests == nullptr) continue;
    pod.requests_known = true;
    pod.cpu_milli += amounts.milli(requests, "cpu", "resources.requests");
    pod.memory_bytes += amounts.units(requests, "memory", "resources.requests");
  }
}

}  // namespace

std::optional<bool> Pod::is_ready() const {
  const auto ready = std::ranges::find(conditions, "Ready", &Condition::type);
  return ready == conditions.end() ? std::nullopt : std::optional(ready->holds);
}

std::vector<Condition> read_conditions(const Tree* list) {
  std::vector<Condition> conditions;
  for (const Tree& item : items_of(list)) {
    conditions.push_back({text_of(item.find("type")), text_of(item.find("status")) == "True",
                          text_of(item.find("reason")), text_of(item.find("message")),
                          parse_time(text_of(item.find("lastTransitionTime")))});
  }
  return conditions;
}

std::vector<Taint> read_taints(const Tree* list) {
  std::vector<Taint> taints;
  for (const Tree& item : items_of(list)) {
    taints.push_back({text_of(item.find("key")), text_of(item.find("value")),
                      text_of(item.find("effect")), parse_time(text_of(item.find("timeAdded")))});
  }
  return taints;
}

std::map<std::string, std::string> read_texts(const Tree* map) {
  std::map<std::string, std::string> texts;
  if (map == nullptr || !map->is_map()) return texts;
  for (const auto& [key, value] : map->entries()) texts[key] = value.text();
  return texts;
}

Pod read_pod(const Tree& object, const Complain& complain) {
  Pod pod;
  pod.meta = meta_of(object);
  for (const Tree& owner : items_of(object.at({"metadata", "ownerReferences"}))) {
    if (text_of(owner.find("kind")) == "StatefulSet") pod.owner = text_of(owner.find("name"));
  }
  pod.machine = text_at(object, {"spec", "nodeName"});
  pod.phase = text_at(object, {"status", "phase"});
  pod.conditions = read_conditions(object.at({"status", "conditions"}));
  read_containers(object, pod, complain);
  for (const Tree& container : items_of(object.at({"status", "containerStatuses"}))) {
    const std::string reason = text_at(container, {"state", "waiting", "reason"});
    if (!reason.empty()) pod.waiting_reason = reason;
  }
  for (const Tree& volume : items_of(object.at({"spec", "volumes"}))) {
    const std::string claim = text_at(volume, {"persistentVolumeClaim", "claimName"});
    if (!claim.empty()) pod.claims.push_back(claim);
  }
  return pod;
}

Claim read_claim(const Tree& object, const Complain& complain) {
  Claim claim;
  claim.meta = meta_of(object);
  const Amounts amounts(claim.meta, complain);
  claim.storage_class = text_at(object, {"spec", "storageClassName"});
  claim.volume = text_at(object, {"spec", "volumeName"});
  claim.request_bytes = amounts.units_if_any(object.at({"spec", "resources", "requests"}),
                                             "storage", "spec.resources.requests");
  claim.capacity_bytes =
      amounts.units_if_any(object.at({"status", "capacity"}), "storage", "status.capacity");
  return claim;
}

Machine read_machine(const Tree& object, const Complain& complain) {
  const ObjectMeta meta = meta_of(object);
  Machine machine;
  machine.name = meta.name;
  machine.labels = read_texts(object.at({"metadata", "labels"}));
  machine.taints = read_taints(object.at({"spec", "taints"}));
  const Amounts amounts(meta, complain);
  const Tree* allocatable = object.at({"status", "allocatable"});
  machine.cpu_milli = amounts.milli(allocatable, "cpu", "status.allocatable");
  machine.memory_bytes = amounts.units(allocatable, "memory", "status.allocatable");
  machine.max_pods = amounts.units_if_any(allocatable, "pods", "status.allocatable");
  const Tree* off = object.at({"spec", "unschedulable"});
  machine.unschedulable = off != nullptr && off->as_bool() == true;
  for (const Condition& condition : read_conditions(object.at({"status", "conditions"}))) {
    if (condition.type == "Ready") machine.ready = condition.holds;
  }
  return machine;
}

Budget read_budget(const Tree& object) {
  return {meta_of(object), read_texts(object.at({"spec", "selector", "matchLabels"})),
          text_at(object, {"spec", "minAvailable"}), text_at(object, {"spec", "maxUnavailable"})};
}

bool Budget::covers(const std::map<std::string, std::string>& labels) const {
  return std::ranges::all_of(match_labels, [&](const auto& wanted) {
    const auto found = labels.find(wanted.first);
    return found != labels.end() && found->second == wanted.second;
  });
}

std::int64_t Budget::least_of(std::int64_t all) const {
  if (const auto least = share_of(min_available, all)) return *least;
  const auto away = share_of(max_unavailable, all);
  return away ? std::max<std::int64_t>(all - *away, 0) : 0;
}

std::int64_t least_of(const std::vector<Budget>& budgets, std::int64_t all) {
  std::int64_t most = 0;
  for (const Budget& budget : budgets) most = std::max(most, budget.least_of(all));
  return most;
}

std::optional<std::int64_t> ordinal_of(std::string_view pod) {
  const std::size_t dash = pod.rfind('-');
  return dash == std::string_view::npos ? std::nullopt : number_in(pod.substr(dash + 1));
}

Objects read_objects(const std::vector<Tree>& objects, const Complain& complain) {
  Objects result;
  for (const Tree& object : objects) {
    const std::string kind = text_of(object.find("kind"));
    if (kind == "Pod") {
      result.pods.push_back(read_pod(object, complain));
    } else if (kind == "PersistentVolumeClaim") {
      result.claims.push_back(read_claim(object, complain));
    } else if (kind == "Node") {
      result.machines.push_back(read_machine(object, complain));
    } else if (kind == "PodDisruptionBudget") {
      result.budgets.push_back(read_budget(object));
    } else {
      result.others.push_back(object);
    }
  }
  return result;
}

}  // namespace ballast::kube
