// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

namespace ballast::fdb {

/// Process classes in the order in which the planner walks them.
enum class ProcessClass : std::uint8_t {
  Unset,
  Storage,
  Transaction,
  Resolution,
  Tester,
  Test,
  Proxy,
  CommitProxy,
  GrvProxy,
  Master,
  Stateless,
  Log,
  ClusterController,
  Router,
  FastRestore,
  DataDistributor,
  Coordinator,
  Ratekeeper,
  StorageCache,
  Backup,
};

inline constexpr std::size_t kClassCount = 20;

/// One value for each class, indexed by `index(c)`.
template <class T>
using PerClass = std::array<T, kClassCount>;

constexpr std::size_t index(ProcessClass c) { return static_cast<std::size_t>(c); }
constexpr ProcessClass class_at(std::size_t i) { return static_cast<ProcessClass>(i); }

/// The name in specs and IDs: "cluster_controller".
std::string_view name(ProcessClass c);
std::optional<ProcessClass> parse_process_class(std::string_view text);

/// Has a volume: storage, log, transaction, coordinator.
bool is_stateful(ProcessClass c);
/// log and transaction: they hold the write-ahead log and share its density.
bool is_log_class(ProcessClass c);
/// Everything but storage; these are replaced, not recreated, under the default update strategy.
inline bool is_transaction_system(ProcessClass c) { return c != ProcessClass::Storage; }

}  // namespace ballast::fdb
