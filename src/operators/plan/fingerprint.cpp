// SPDX-License-Identifier: BSD-2-Clause
#include "ballast/operators/plan/fingerprint.hpp"

#include "ballast/core/sha256.hpp"

namespace ballast::operators {

std::string Fingerprint::hex() const { return sha256_hex(text_); }

}  // namespace ballast::operators
