// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <string_view>

namespace ballast::fdb {

/// Seconds since 1970-01-01 UTC.
using Time = std::int64_t;

enum class Condition : std::uint8_t {
  IncorrectPodSpec,
  IncorrectPodMetadata,
  IncorrectConfigMap,
  IncorrectCommandLine,
  IncorrectSidecarImage,
  PodFailing,
  PodPending,
  MissingPod,
  MissingPvc,
  MissingService,
  MissingProcesses,
  SidecarUnreachable,
  ProcessIsMarkedAsExcluded,
  ProcessHasIoError,
  ProcessHasHighRunLoopBusy,
  NodeTaintDetected,
  NodeTaintReplacing,
  ResourcesTerminating,
};

inline constexpr std::size_t kConditionCount = 18;

/// The operator's spelling: "MissingPVC".
std::string_view name(Condition c);
/// Any letter case, and the older spellings (missingPvc, NotConnecting).
std::optional<Condition> parse_condition(std::string_view text);
/// Automatic replacement acts on it. NodeTaintReplacing does too, but with a timer of its own.
bool triggers_replacement(Condition c);

/// The conditions of one process group, each with the time from which it holds.
class Conditions {
 public:
  Conditions() { since_.fill(kNever); }

  [[nodiscard]] bool has(Condition c) const { return since_[at(c)] != kNever; }
  [[nodiscard]] bool any() const { return count_ != 0; }
  /// Precondition: has(c).
  [[nodiscard]] Time since(Condition c) const { return since_[at(c)]; }
  /// A condition that already holds keeps its time.
  void set(Condition c, Time now) {
    if (!has(c)) {
      since_[at(c)] = now;
      ++count_;
    }
  }
  void clear(Condition c) {
    if (has(c)) {
      since_[at(c)] = kNever;
      --count_;
    }
  }
  void assign(Condition c, bool holds, Time now) { holds ? set(c, now) : clear(c); }
  void clear_all() {
    since_.fill(kNever);
    count_ = 0;
  }

  friend bool operator==(const Conditions&, const Conditions&) = default;

 private:
  static constexpr Time kNever = std::numeric_limits<Time>::min();
  static constexpr std::size_t at(Condition c) { return static_cast<std::size_t>(c); }
  std::array<Time, kConditionCount> since_;
  std::uint8_t count_ = 0;
};

}  // namespace ballast::fdb
