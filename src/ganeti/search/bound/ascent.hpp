// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include "dual.hpp"

namespace ballast::ganeti::bound {

/// Offsets with a high bound, improved from the given ones: limited-memory BFGS on soft minima that
/// get harder. `best` is what was seen with the highest value on the way.
struct Ascent {
  Offsets offsets;
  Seen best;
  int looks = 0;  ///< that it took
};
Ascent ascend(const Dual& dual, Offsets offsets);

}  // namespace ballast::ganeti::bound
