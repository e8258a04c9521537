// SPDX-License-Identifier: BSD-2-Clause
// Classes of instances that are near each other share one box of bounds, so that the work per step
// does not grow with the number of different instances.
#pragma once

#include "ballast/ganeti/search/balance/fast_layout.hpp"

namespace ballast::ganeti::fast {

/// All fields of the amounts in one fixed order.
std::vector<double> flat(const Amounts& amounts);
/// Fills Layout::boxes and box_of from its classes.
void make_boxes(Layout& layout);

}  // namespace ballast::ganeti::fast
