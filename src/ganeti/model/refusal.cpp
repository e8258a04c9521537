// SPDX-License-Identifier: BSD-2-Clause
#include "ballast/ganeti/model/refusal.hpp"

#include <array>
#include <cstddef>

namespace ballast::ganeti {

std::string_view text_of(FailReason reason) {
  constexpr std::array<std::string_view, 9> kTexts{"FailMem",       "FailDisk",     "FailCPU",
                                                   "FailN1",        "FailTags",     "FailMig",
                                                   "FailDiskCount", "FailSpindles", "FailInternal"};
  return kTexts[static_cast<std::size_t>(reason)];
}

}  // namespace ballast::ganeti
