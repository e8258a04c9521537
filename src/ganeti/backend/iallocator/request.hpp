// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include "ballast/ganeti/backend/iallocator/iallocator.hpp"
#include "ballast/ganeti/backend/objects/cluster_objects.hpp"

namespace ballast::ganeti {

/// Reads the "request" object against the finished cluster (names and aliases are known by then).
class RequestReader {
 public:
  RequestReader(const Cluster& cluster, bool tells_near_names)
      : cluster_(cluster), tells_near_names_(tells_near_names) {}
  Result<Request> read(json::Value request) const;

 private:
  Result<Request> read_allocate(json::Value request) const;
  Result<Request> read_multi_allocate(json::Value request) const;
  Result<Request> read_relocate(json::Value request) const;
  Result<Request> read_change_group(json::Value request) const;
  Result<Request> read_node_evacuate(json::Value request) const;
  Result<Request> read_allocate_secondary(json::Value request) const;
  Result<NewInstance> read_new_instance(json::Value description, json::Value request) const;
  Result<InstanceId> read_exact_name(json::Value request) const;

  /// An instance to be created, with its tags.
  Result<NewInstance> read_whole_instance(json::Value description, json::Value request) const;

  const Cluster& cluster_;
  bool tells_near_names_;
};

/// The storage units of new instances, from what the request says of them, on a cluster that need
/// not be the document's. The cluster learns storage keys that only the request names.
Status resolve_request_disks(json::Value request, Cluster& cluster,
                             const std::vector<StorageKey>& default_storage, Request& wanted);

}  // namespace ballast::ganeti
