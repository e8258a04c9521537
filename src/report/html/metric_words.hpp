// SPDX-License-Identifier: BSD-2-Clause
// The metrics of the score in words (ballast-score(7) says the same at length).
#pragma once

#include <string_view>

namespace ballast::report {

struct MetricWords {
  std::string_view key;
  std::string_view title;
  std::string_view meaning;
};

/// None for a name that is not known: it is then shown as it is.
const MetricWords* find_metric_words(std::string_view key);

}  // namespace ballast::report
