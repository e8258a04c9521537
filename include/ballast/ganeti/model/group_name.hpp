// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <string_view>

#include "ballast/ganeti/model/cluster.hpp"

namespace ballast::ganeti {

/// People and requests call a node group by its name or by its UUID.
inline bool is_called(const Group& group, std::string_view text) {
  return group.name == text || group.uuid == text;
}

}  // namespace ballast::ganeti
