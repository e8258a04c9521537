// SPDX-License-Identifier: BSD-2-Clause
// What Ganeti does when a node fails: it knows no reserves and no rules of administrators.
#pragma once

#include "ballast/ganeti/search/kernel/scoped_cluster.hpp"

namespace ballast::ganeti::alloc {

/// As fail_over and fail_over_to, forced, and without reserves and rules.
MaybeRefusal fail_over_in_emergency(Overlay& overlay, Record& record);
MaybeRefusal fail_over_to_in_emergency(Overlay& overlay, Record& record, NodeId target);

}  // namespace ballast::ganeti::alloc
