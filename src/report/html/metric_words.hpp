// SPDX-License-Identifier: BSD-2-Clause
// The metrics of the score in words (ballast-score(7) says the same at length).
#pragma once

#include "ballast/ganeti/metrics/table.hpp"

namespace ballast::report {

/// By the name that plans carry. None for a name that is not known, or that needs no words: it is
/// then shown as it is.
const ganeti::MetricWords* find_metric_words(std::string_view name);

}  // namespace ballast::report
