// SPDX-License-Identifier: BSD-2-Clause
// Small hand-made clusters and steps for unit tests of hfdb.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "ballast/fdb/model/identity.hpp"
#include "ballast/fdb/search/step/trace_step.hpp"

namespace ballast::fdb::test {

/// Group number `i` of the storage class, with one process and a pod.
inline ProcessGroup storage_group(int i, const std::string& zone) {
  ProcessGroup group;
  group.id = group_id("", ProcessClass::Storage, i);
  group.process_class = ProcessClass::Storage;
  group.number = i;
  group.fault_domain = zone;
  group.processes.emplace_back();
  group.pod.emplace();
  return group;
}

inline TraceStep step(Action action, std::vector<std::string> targets) {
  TraceStep result;
  result.action = action;
  result.targets = std::move(targets);
  return result;
}

}  // namespace ballast::fdb::test
