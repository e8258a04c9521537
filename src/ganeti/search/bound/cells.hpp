// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include "dual.hpp"

namespace ballast::ganeti::bound {

struct LeastRelaxed {
  double score = 0;
  Sides at{};  ///< where the relaxed optimum of the lowest cell seems to lie
};

/// Bound of the deviations' and the reserve's part of the score, over all placements of which that
/// part is below what is known; that where there are none. Cells with the lowest bound are parted,
/// where their chords are furthest from the roots, until nothing is gained or the work is done.
LeastRelaxed least_relaxed(const Relaxation& relaxation, const BoundOptions& within);

}  // namespace ballast::ganeti::bound
