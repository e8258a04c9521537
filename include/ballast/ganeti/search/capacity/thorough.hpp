// SPDX-License-Identifier: BSD-2-Clause
// A thorough tiered run: several first sizes are tried, and wherever nothing more fits the largest
// size that does is searched to the MiB, in place of the reference's fixed steps by the most
// frequent reason.
#pragma once

#include <vector>

#include "ballast/ganeti/search/capacity/capacity.hpp"

namespace ballast::ganeti {

/// A size that is smaller than the standard one in one figure, and how many of it fit.
struct SmallerSize {
  InstanceSize size;
  std::size_t placed = 0;
};

/// An instance is worth as many standard instances as fit into it: the least of its figures, each
/// divided by the standard one. A run is worth the sum.
struct ThoroughRun {
  CapacityRun run;                   ///< the one that is worth most
  double worth = 0;                  ///< never below the next two
  double usual_worth = 0;            ///< of the reference's tiers; with a limit, of what it counts
  std::size_t standard_placed = 0;   ///< how many of the standard size fit: that is their worth
  std::vector<SmallerSize> smaller;  ///< the largest of each figure of which more fit
};

/// `counts_disk`: the template has disks.
double worth_of(const FilledCluster& filled, const InstanceSize& standard, bool counts_disk);

}  // namespace ballast::ganeti
