// SPDX-License-Identifier: BSD-2-Clause
#include "metric_words.hpp"

#include <algorithm>
#include <array>

namespace ballast::report {
namespace {

constexpr std::string_view kLoad =
    "deviation of the load that the instances bring, from --dynu-file or the monitoring daemons";
constexpr std::string_view kForthcoming =
    "the same with forthcoming instances counted as if they were there";

/// What a metric means stands word for word in ballast-score(7).
constexpr auto kWords = std::to_array<MetricWords>({
    {"free_mem_cv", "evenness of free memory", "deviation of the share of memory that is free"},
    {"free_disk_cv", "evenness of free disk",
     "deviation of the share of disk that is free (of spindles with exclusive storage)"},
    {"storage_cv", "evenness of storage units",
     "deviation of the share of each storage unit that is free, averaged over the units"},
    {"n1_cnt", "instances on nodes that fail N+1",
     "instances on nodes that are not N+1 happy: were the node to fail for which most memory is "
     "reserved there, its instances could not all start"},
    {"reserved_mem_cv", "evenness of reserved memory",
     "deviation of the share of memory that is reserved for the failure of another node"},
    {"offline_all_cnt", "instances on offline nodes",
     "instances whose primary or secondary node is offline"},
    {"offline_pri_cnt", "instances that run on offline nodes",
     "instances whose primary node is offline"},
    {"vcpu_ratio_cv", "evenness of virtual CPUs",
     "deviation of virtual to physical CPUs, divided by the speed of the node's CPUs"},
    {"cpu_load_cv", "evenness of CPU load", kLoad},
    {"mem_load_cv", "evenness of memory load", kLoad},
    {"disk_load_cv", "evenness of disk load", kLoad},
    {"net_load_cv", "evenness of network load", kLoad},
    {"pri_tags_score", "conflicts of exclusion tags",
     "conflicts of exclusion tags: instances beyond the first with the same tag on one node"},
    {"spindles_cv", "evenness of spindles",
     "deviation of the spindle use of the instances, as a share of what the policy allows the "
     "node"},
    {"free_mem_cv_forth", "evenness of free memory, forthcoming too", kForthcoming},
    {"free_disk_cv_forth", "evenness of free disk, forthcoming too", kForthcoming},
    {"storage_cv_forth", "evenness of storage units, forthcoming too", kForthcoming},
    {"vcpu_ratio_cv_forth", "evenness of virtual CPUs, forthcoming too", kForthcoming},
    {"spindles_cv_forth", "evenness of spindles, forthcoming too", kForthcoming},
    {"location_score", "mirrors in one location",
     "instances whose two nodes share a location tag (a rack, a power feed)"},
    {"location_exclusion_score", "exclusion tags met in one location",
     "instances with the same exclusion tag whose primary nodes share a location tag"},
    {"reserved_mem_rtotal", "memory reserved for failures",
     "the reserved shares of memory, summed"},
});

}  // namespace

const MetricWords* find_metric_words(std::string_view key) {
  const auto* found = std::ranges::find(kWords, key, &MetricWords::key);
  return found == kWords.end() ? nullptr : &*found;
}

}  // namespace ballast::report
