// SPDX-License-Identifier: BSD-2-Clause
// The allocator's request documents (man/ballast-iallocator.5).
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "ballast/core/result.hpp"
#include "ballast/ganeti/loading/pipeline.hpp"
#include "ballast/ganeti/model/request.hpp"

namespace ballast::ganeti {

struct IallocatorOptions {
  std::int64_t static_kvm_memory = 0;  ///< hail: its option; as a source for other tools: 0
  bool ignore_storage = false;         ///< the "storage" and "sunit" keys are not even looked at
  std::vector<StorageKey> default_storage;
  bool corrected_n1 = false;  ///< PipelineOptions::corrected_n1
  /// Another cluster will take the place of the document's: the request's disks get no units here.
  bool is_replaced = false;
  bool tells_near_names = false;  ///< errors about names end with the one that may be meant
};

struct IallocatorDocument {
  Snapshot snapshot;  ///< the pipeline has run on it
  Request request;
  std::vector<std::string>
      warnings;  ///< about inconsistent figures, in the order in which they are shown
  /// Gives the disks of new instances their storage units on the cluster that is used (the one of
  /// `snapshot` has been asked already, unless it is replaced). The error names disk and option.
  std::function<Status(Cluster&, Request&)> resolve_disks;
};

/// Errors in the reference's words; those about storage, which it does not have, name the key and
/// the value. A null total_disk or free_disk is read as 0.
Result<IallocatorDocument> read_iallocator(std::string text, const IallocatorOptions& options);

}  // namespace ballast::ganeti
