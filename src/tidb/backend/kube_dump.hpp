// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include "ballast/doc/tree.hpp"
#include "ballast/operators/input/diagnostics.hpp"
#include "ballast/tidb/backend/documents.hpp"
#include "ballast/tidb/model/live.hpp"

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace ballast::tidb {

struct KubeStatefulSet {
  std::string name;
  std::string ns;
  std::int64_t replicas = 1;
  std::optional<std::int64_t> status_replicas;
  std::optional<std::int64_t> ready_replicas;
  std::optional<std::int64_t> updated_replicas;
  std::int64_t generation = 0;
  std::optional<std::int64_t> observed_generation;
  bool rolling_update = true;
  std::optional<std::int64_t> partition;
  std::string current_revision;
  std::string update_revision;
  std::optional<std::vector<std::int64_t>> slots;
  doc::Tree pod_spec;  // spec.template.spec
  doc::Tree claims;    // spec.volumeClaimTemplates
};

struct KubePod {
  LivePod pod;  // ordinal not yet set
  std::string ns;
  std::string owner;  // owning StatefulSet
  std::string component;
  std::string instance;
  std::string phase;
  doc::Tree spec;  // of the pod
};

struct KubeClaim {
  Claim claim;
  std::string ns;
};

/// What `kubectl get statefulsets,pods,pvc` printed, all files together. Objects of other kinds are
/// left out.
struct KubeData {
  std::vector<KubeStatefulSet> sets;
  std::vector<KubePod> pods;
  std::vector<KubeClaim> claims;
  bool has_pods = false;
  Time newest = 0;
};
KubeData read_kube(const std::vector<SourceText>& sources, Diagnostics& errors);

/// --nodes: `kubectl get nodes` or the short form; its local volumes become volumes. Errors: E009,
/// E015.
struct InfraData {
  std::vector<Machine> nodes;  // by name
  std::vector<Volume> volumes;
  bool has_nodes = false;
  bool has_volumes = false;
};
void read_nodes(const SourceText& source, InfraData& data, Diagnostics& errors);
/// --pvs: `kubectl get pv`.
void read_volumes(const SourceText& source, InfraData& data, Diagnostics& errors);

}  // namespace ballast::tidb
