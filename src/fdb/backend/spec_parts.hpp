// SPDX-License-Identifier: BSD-2-Clause
// Parts of read_spec, each for one mapping of the spec. A mapping that is absent leaves the
// defaults.
#pragma once

#include <string>

#include "ballast/fdb/backend/readers.hpp"

namespace ballast::fdb {

void read_automation(MapReader reader, Automation& options, bool is_v1beta1);
/// Needs the redundancy mode, which the number of domains defaults to.
void read_fault_domain(MapReader reader, ClusterSpec& spec);
void read_routing(MapReader reader, Routing& routing, bool is_v1beta1);
void read_labels(MapReader reader, ClusterSpec& spec, const std::string& name);

}  // namespace ballast::fdb
