// SPDX-License-Identifier: BSD-2-Clause
// Objects of Kubernetes as kubectl prints them, as far as planners look at them.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "ballast/doc/tree.hpp"
#include "ballast/kube/object.hpp"

namespace ballast::kube {

/// A part of an object that cannot be read.
struct Unreadable {
  std::string kind;  ///< of the object
  std::string name;  ///< of the object
  std::string path;  ///< "spec.resources.requests.storage"
  const doc::Tree& value;
  std::string message;
};
/// Told of each. May be empty.
using Complain = std::function<void(const Unreadable&)>;

/// An entry of `conditions`.
struct Condition {
  std::string type;
  bool holds = false;
  std::string reason;
  std::string message;
  std::optional<std::int64_t> since{};  ///< of its last transition
};

struct Pod {
  ObjectMeta meta;
  std::string owner;  ///< name of the StatefulSet that it belongs to; empty: none
  std::string machine;
  std::string phase;
  std::vector<Condition> conditions;
  bool requests_known = false;  ///< a container says what it asks for
  std::int64_t cpu_milli = 0;
  std::int64_t memory_bytes = 0;
  std::string waiting_reason;  ///< of a container that does not start
  std::vector<std::string> claims;

  [[nodiscard]] bool is_leaving() const { return !meta.deletion_timestamp.empty(); }
  /// Nothing where the pod does not say.
  [[nodiscard]] std::optional<bool> is_ready() const;
};

struct Claim {
  ObjectMeta meta;
  std::string storage_class;
  std::string volume;
  std::optional<std::int64_t> request_bytes;
  std::optional<std::int64_t> capacity_bytes;
};

struct Taint {
  std::string key;
  std::string value;
  std::string effect;
  std::optional<std::int64_t> since{};
};

/// What Kubernetes calls a node.
struct Machine {
  std::string name;
  std::map<std::string, std::string> labels;
  std::vector<Taint> taints;
  bool ready = true;
  bool unschedulable = false;
  std::int64_t cpu_milli = 0;     ///< allocatable
  std::int64_t memory_bytes = 0;  ///< allocatable
  std::int64_t used_cpu_milli = 0;
  std::int64_t used_memory_bytes = 0;
  std::optional<std::int64_t> max_pods;
};

/// A PodDisruptionBudget: a number of pods, or a percentage of all, which rounds up.
struct Budget {
  ObjectMeta meta;
  std::map<std::string, std::string> match_labels;
  std::string min_available;    ///< as it is written; empty: not set
  std::string max_unavailable;  ///< the same

  [[nodiscard]] bool covers(const std::map<std::string, std::string>& labels) const;
  /// How many of `all` pods it wants to be there.
  [[nodiscard]] std::int64_t least_of(std::int64_t all) const;
};

/// Of all pods that the budgets cover: what the strictest one wants to be there.
std::int64_t least_of(const std::vector<Budget>& budgets, std::int64_t all);

/// Objects by kind, in the order of the documents; what is of no such kind is in `others`.
struct Objects {
  std::vector<Pod> pods;
  std::vector<Claim> claims;
  std::vector<Machine> machines;
  std::vector<Budget> budgets;
  std::vector<doc::Tree> others;
};

std::vector<Condition> read_conditions(const doc::Tree* list);
std::vector<Taint> read_taints(const doc::Tree* list);
/// Texts of a mapping; empty where there is none.
std::map<std::string, std::string> read_texts(const doc::Tree* map);

// `object` is of that kind.
Pod read_pod(const doc::Tree& object, const Complain& complain);
Claim read_claim(const doc::Tree& object, const Complain& complain);
Machine read_machine(const doc::Tree& object, const Complain& complain);
Budget read_budget(const doc::Tree& object);

/// The number at the end of the name of a StatefulSet's pod.
std::optional<std::int64_t> ordinal_of(std::string_view pod);

Objects read_objects(const std::vector<doc::Tree>& objects, const Complain& complain);

}  // namespace ballast::kube
