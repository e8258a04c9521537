// SPDX-License-Identifier: BSD-2-Clause
#include "ballast/ganeti/model/request.hpp"

namespace ballast::ganeti {

std::vector<Instance*> new_instances(Request& request) {
  std::vector<Instance*> found;
  if (auto* one = std::get_if<AllocateRequest>(&request)) found.push_back(&one->wanted.instance);
  if (auto* several = std::get_if<MultiAllocateRequest>(&request)) {
    for (NewInstance& wanted : several->wanted) found.push_back(&wanted.instance);
  }
  return found;
}

}  // namespace ballast::ganeti
