// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include "ballast/ganeti/model/request.hpp"
#include "ballast/ganeti/model/snapshot.hpp"

namespace ballast::ganeti {

/// For a request whose document's cluster gave way to another: its new instances keep the tags that
/// they have there (`symbols` of that document), and the other cluster learns their texts.
void adopt_request_tags(Snapshot& snapshot, Request& request,
                        const std::vector<std::string>& symbols);

}  // namespace ballast::ganeti
