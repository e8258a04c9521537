// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include "ballast/ganeti/backend/iallocator/iallocator.hpp"
#include "ballast/ganeti/backend/objects/cluster_objects.hpp"

namespace ballast::ganeti {

/// Reads the "request" object against the finished cluster (names and aliases are known by then).
class RequestReader {
 public:
  /// The cluster learns storage keys that only the request names.
  RequestReader(Cluster& cluster, const std::vector<StorageKey>& default_storage)
      : cluster_(cluster), default_storage_(default_storage) {}
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

  /// Tags and storage units of an instance to be created.
  Status finish_instance(NewInstance& wanted, json::Value description) const;

  Cluster& cluster_;
  const std::vector<StorageKey>& default_storage_;
};

}  // namespace ballast::ganeti
