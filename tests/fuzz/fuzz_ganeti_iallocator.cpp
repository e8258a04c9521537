// SPDX-License-Identifier: BSD-2-Clause
// Allocator requests: whatever is read is answered, explained, shown and planned, strictly and with
// everything lifted; nothing may crash or hang.
#include <cstdint>
#include <string>

#include "ballast/ganeti/backend/iallocator/iallocator.hpp"
#include "ballast/ganeti/report/explain/allocation.hpp"
#include "ballast/ganeti/report/explain/evacuation_plan.hpp"
#include "ballast/ganeti/search/allocate/allocator.hpp"
#include "ballast/ganeti/shown/shown.hpp"

namespace {

using namespace ballast::ganeti;

void ask(const Cluster& cluster, const State& state, const Request& request,
         const AllocatorOptions& options) {
  const AllocatorAnswer answer = answer_request(cluster, state, request, options);
  (void)explain_request(cluster, state, request, options, true);
  if (has_plan(request) && !answer.dies_at_key)
    (void)evacuation_plan(cluster, state, request, answer, options);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  auto document = read_iallocator(std::string(reinterpret_cast<const char*>(data), size), {});
  if (!document) return 0;
  const Cluster& cluster = document->snapshot.cluster;
  const State& state = document->snapshot.state;
  (void)shown_of(document->request, cluster.symbols);
  (void)shown_cluster_data(cluster, state, 0);
  AllocatorOptions options;
  ask(cluster, state, document->request, options);
  options.ignore_all_soft_errors = true;
  options.evacuate_in_place = true;
  options.capacity_checks = false;
  ask(cluster, state, document->request, options);
  return 0;
}
