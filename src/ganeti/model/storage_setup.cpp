// SPDX-License-Identifier: BSD-2-Clause
#include "pipeline_steps.hpp"

namespace ballast::ganeti {

void set_storage(Snapshot& snapshot, const PipelineOptions& /*options*/) {
  snapshot.cluster.has_storage = false;
}

void set_reserves(Snapshot& /*snapshot*/, const std::vector<Reserve>& /*reserves*/) {}

}  // namespace ballast::ganeti
