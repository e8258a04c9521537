// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include "ballast/tidb/model/live.hpp"
#include "ballast/tidb/model/names.hpp"
#include "ballast/tidb/model/spec.hpp"

#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace ballast::tidb {

struct PlanOptions {
  Profile profile = Profile::V16;
  Time now = 0;
  bool allow_unsafe = false;
  bool assume_healthy = false;
  bool set_order = false;  // scale set by set; else out first
  bool ramp = false;       // create new sets with 0 replicas
  bool auto_failover = true;
  std::array<std::int64_t, 3> failover_period_s{300, 300, 300};
  std::int64_t stuck_after_s = 600;
  std::map<Component, std::vector<std::string>> order;
  std::set<std::string> features;
  NameStyle names;
  std::optional<double> rate_mib;
  std::int64_t parallel = 1;

  bool advanced_statefulset() const { return features.contains("AdvancedStatefulSet"); }
};

/// Everything a plan depends on.
struct Input {
  std::optional<ClusterSpec> current;
  ClusterSpec desired;
  Live live;
  PlanOptions options;
  std::int64_t max_replicas = 3;
};

/// That of the wished side, else of what runs, else "default".
std::string namespace_of(const Input& input);
/// "kubectl -n NS REST", "pd-ctl -u URL REST".
std::string kubectl(const Input& input, std::string_view rest);
std::string pdctl(const Input& input, std::string_view rest);

}  // namespace ballast::tidb
