// SPDX-License-Identifier: BSD-2-Clause
#include "metric_words.hpp"

#include <algorithm>
#include <array>

namespace ballast::report {
namespace {

constexpr auto kWords = std::to_array<MetricWords>({
    {"free_mem_cv", "evenness of free memory", "how much the free share of memory differs between nodes"},
    {"free_disk_cv", "evenness of free disk", "how much the free share of disk differs between nodes"},
    {"storage_cv", "evenness of storage units", "how much the free share of each storage unit differs between nodes"},
    {"n1_cnt", "instances without a place to fail over to", "instances on nodes whose partner could not take them all if it failed"},
    {"reserved_mem_cv", "evenness of reserved memory", "how much the memory kept for the failure of another node differs between nodes"},
    {"offline_all_cnt", "instances on offline nodes", "instances with a primary or secondary on an offline node"},
    {"offline_pri_cnt", "instances that run on offline nodes", "instances whose primary node is offline"},
    {"vcpu_ratio_cv", "evenness of virtual CPUs", "how much virtual to physical CPUs differ between nodes"},
    {"cpu_load_cv", "evenness of CPU load", "how much the load of CPUs differs between nodes"},
    {"mem_load_cv", "evenness of memory load", "how much the load of memory differs between nodes"},
    {"disk_load_cv", "evenness of disk load", "how much the load of disks differs between nodes"},
    {"net_load_cv", "evenness of network load", "how much the load of networks differs between nodes"},
    {"pri_tags_score", "conflicts of exclusion tags", "instances beyond the first with the same exclusion tag on one node"},
    {"spindles_cv", "evenness of spindles", "how much the used share of spindles differs between nodes"},
    {"free_mem_cv_forth", "evenness of free memory, forthcoming too", "with instances that are only planned counted as if they were there"},
    {"free_disk_cv_forth", "evenness of free disk, forthcoming too", "with instances that are only planned counted as if they were there"},
    {"vcpu_ratio_cv_forth", "evenness of virtual CPUs, forthcoming too", "with instances that are only planned counted as if they were there"},
    {"spindles_cv_forth", "evenness of spindles, forthcoming too", "with instances that are only planned counted as if they were there"},
    {"location_score", "mirrors in one location", "instances whose two nodes share a location (a rack, a power feed)"},
    {"location_exclusion_score", "exclusion tags met in one location", "instances with the same exclusion tag whose nodes share a location"},
    {"reserved_mem_rtotal", "memory reserved for failures", "the shares of memory kept for the failure of another node, summed"},
});

}  // namespace

const MetricWords* find_metric_words(std::string_view key) {
  const auto* found = std::ranges::find(kWords, key, &MetricWords::key);
  return found == kWords.end() ? nullptr : &*found;
}

}  // namespace ballast::report
