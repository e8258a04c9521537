// SPDX-License-Identifier: BSD-2-Clause
#include "metric_words.hpp"

namespace ballast::report {

const ganeti::MetricWords* find_metric_words(std::string_view name) {
  for (const ganeti::Metric& metric : ganeti::kMetrics) {
    const bool is_unit_name = name == metric.unit_name && !name.empty();
    if (name != metric.name && !is_unit_name) continue;
    const ganeti::MetricWords& words = is_unit_name ? metric.unit_words : metric.words;
    return words.title.empty() ? nullptr : &words;
  }
  return nullptr;
}

}  // namespace ballast::report
