// SPDX-License-Identifier: BSD-2-Clause
// Answers that move existing instances, as the value that all renderers print.
#pragma once

#include "ballast/ganeti/model/cluster.hpp"
#include "ballast/ganeti/model/request.hpp"
#include "ballast/ganeti/search/allocate/allocator.hpp"
#include "ballast/plan/plan.hpp"

namespace ballast::ganeti {

/// Relocate, change-group and node-evacuate have plans; new instances and new mirrors are no moves.
bool has_plan(const Request& request);

/// "node-evacuate", ...: as documents write it.
std::string_view request_name(const Request& request);

/// One step per operation of the answer's jobs, in the answer's order; a phase ends where a step
/// touches a node that the phase uses already. Instances that find no place are blocked, and those
/// that the answer sends to an offline node. Without what the tool knows: tool, version, options,
/// fingerprint. An instance that is listed twice moves once. Precondition: has_plan(request), and
/// the answer is what answer_request() gives with these options, and has its result.
plan::Plan evacuation_plan(const Cluster& cluster, const State& state, const Request& request,
                           const AllocatorAnswer& answer, const AllocatorOptions& options);

}  // namespace ballast::ganeti
