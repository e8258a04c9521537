// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include "ballast/ganeti/cli/options/output.hpp"
#include "ballast/ganeti/cli/options/start.hpp"
#include "ballast/ganeti/model/snapshot.hpp"
#include "ballast/ganeti/search/allocate/allocator.hpp"

#include <string>

namespace ballast::ganeti::cli {

/// The cluster as the answer leaves it, in the text format: what -S writes last. Where an instance
/// lives on a node that the answer does not show, the file is left empty and the run fails, as the
/// reference's does.
OrExit<void> save_answer(const Snapshot& snapshot, const AllocatorAnswer& answer,
                         const std::string& path, Output& output);

}  // namespace ballast::ganeti::cli
