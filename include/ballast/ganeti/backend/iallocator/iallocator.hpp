// SPDX-License-Identifier: BSD-2-Clause
// The allocator's request documents (man/ballast-iallocator.5).
#pragma once

#include <string>
#include <vector>

#include "ballast/core/result.hpp"
#include "ballast/ganeti/model/pipeline.hpp"
#include "ballast/ganeti/model/request.hpp"

namespace ballast::ganeti {

struct IallocatorOptions {
  std::int64_t static_kvm_memory = 0;  ///< hail: its option; as a source for other tools: 0
  bool ignore_storage = false;         ///< the "storage" and "sunit" keys are not even looked at
  std::vector<StorageKey> default_storage;
};

struct IallocatorDocument {
  Snapshot snapshot;  ///< the pipeline has run on it
  Request request;
  std::vector<std::string>
      warnings;  ///< about inconsistent figures, in the order in which they are shown
};

/// Errors in the reference's words; those about storage, which it does not have, name the key and
/// the value. A null total_disk or free_disk is read as 0.
Result<IallocatorDocument> read_iallocator(std::string text, const IallocatorOptions& options);

}  // namespace ballast::ganeti
