// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include "ballast/tidb/model/live.hpp"
#include "live_builder.hpp"

#include <vector>

namespace ballast::tidb {

/// Instances of a group of operator v2, whose `replicas` say how many there are. kubectl's pods
/// win; else the names come from PD, where it knows exactly that many; else each is called
/// "GROUP-COMPONENT-??????". Sorted by name; `ordinal` is the index.
std::vector<LivePod> group_instances(const LiveSources& sources, const LiveSet& group);

/// Whether a pod is an instance of the group: its name, a hyphen and six letters or digits.
bool is_instance_of(std::string_view group, std::string_view pod);

}  // namespace ballast::tidb
