// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include "ballast/tidb/backend/pd_dump.hpp"
#include "ballast/tidb/model/live.hpp"
#include "ballast/tidb/model/names.hpp"
#include "ballast/tidb/model/spec.hpp"
#include "kube_dump.hpp"
#include "status_reader.hpp"

#include <string>

namespace ballast::tidb {

/// Everything that says something about what runs; which source wins is the builder's matter.
struct LiveSources {
  const ClusterSpec* current = nullptr;  // nullptr: a new cluster
  const ClusterSpec* desired = nullptr;
  StatusData status;
  KubeData kube;
  PdData pd;
  InfraData infra;
  NameStyle style;
  bool failure_needs_deletion = true;  // v1.6: a PD record adds a pod once its member is deleted
};

/// kubectl wins over status, status over the current specification; pd-ctl wins over status for
/// stores and members. What nothing tells is assumed to be well, and each assumption is a remark.
Live build_live(const LiveSources& sources);

/// The default set's name style that the running StatefulSets show; plain where they show none.
DefaultName running_style(const KubeData& kube, const std::string& cluster);

}  // namespace ballast::tidb
