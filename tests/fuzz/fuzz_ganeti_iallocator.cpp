// SPDX-License-Identifier: BSD-2-Clause
// Allocator requests: whatever is read is answered, strictly and with everything lifted; nothing
// may crash or hang.
#include <cstdint>
#include <string>

#include "ballast/ganeti/backend/iallocator.hpp"
#include "ballast/ganeti/search/allocator.hpp"
#include "ballast/ganeti/search/explain_allocation.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace ballast::ganeti;
  auto document = read_iallocator(std::string(reinterpret_cast<const char*>(data), size), {});
  if (!document) return 0;
  const Snapshot& snapshot = document->snapshot;
  AllocatorOptions options;
  (void)answer_request(snapshot.cluster, snapshot.state, document->request, options);
  options.ignore_all_soft_errors = true;
  options.evacuate_in_place = true;
  options.capacity_checks = false;
  (void)answer_request(snapshot.cluster, snapshot.state, document->request, options);
  (void)explain_allocation(snapshot.cluster, snapshot.state, document->request, options);
  return 0;
}
