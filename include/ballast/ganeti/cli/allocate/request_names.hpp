// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <string>

#include "ballast/ganeti/model/request.hpp"
#include "ballast/ganeti/search/allocate/allocator.hpp"

namespace ballast::ganeti::cli {

/// One line for each name of the request, or of --restrict-allocation-to, that means nothing in the
/// cluster and yet is no error: with the near name where there is one.
std::string strange_names_text(const Cluster& cluster, const Request& request,
                               const AllocatorOptions& options);

}  // namespace ballast::ganeti::cli
