// SPDX-License-Identifier: BSD-2-Clause
// The metrics of the cluster score: the one place for their order, names, weights and words. All
// that scores, screens, prints or explains reads this table; ballast-score(7) is held against it.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace ballast::ganeti {

/// In the order of summation and printing.
enum class MetricId : std::uint8_t {
  FreeMem,
  FreeDisk,
  FailingN1,
  ReservedMem,
  OfflineAll,
  OfflinePrimary,
  CpuRatio,
  CpuLoad,
  MemLoad,
  DiskLoad,
  NetLoad,
  ExclusionTags,
  Spindles,
  ForthFreeMem,
  ForthFreeDisk,
  ForthCpuRatio,
  ForthSpindles,
  Location,
  LocationExclusion,
  ReservedTotal,
};
inline constexpr std::size_t kMetricCount = 20;

/// Position in the order of summation.
constexpr std::size_t index_of(MetricId id) { return static_cast<std::size_t>(id); }

/// One T for each metric. There is no access by number: a metric is always named.
template <class T>
struct PerMetric {
  std::array<T, kMetricCount> items{};

  constexpr T& operator[](MetricId id) { return items[index_of(id)]; }
  constexpr const T& operator[](MetricId id) const { return items[index_of(id)]; }
  constexpr auto begin() { return items.begin(); }
  constexpr auto end() { return items.end(); }
  constexpr auto begin() const { return items.begin(); }
  constexpr auto end() const { return items.end(); }
};

/// All metrics in order; a loop over them is `for (const MetricId m : kMetricIds)`.
inline constexpr auto kMetricIds = [] {
  std::array<MetricId, kMetricCount> ids{};
  for (std::size_t k = 0; k < kMetricCount; ++k) ids[k] = static_cast<MetricId>(k);
  return ids;
}();

/// How the values of the nodes become one: standard deviation, sum, or the count of merged tag
/// pairs.
enum class Statistic : std::uint8_t { Deviation, Sum, TagMap };
/// Whose values: those of the online or of the offline nodes.
enum class Scope : std::uint8_t { Online, Offline };

/// For people who do not know the name; the meaning stands word for word in ballast-score(7).
struct MetricWords {
  std::string_view title;
  std::string_view meaning;
};

struct Metric {
  MetricId id;
  std::string_view name;
  double weight;
  Statistic statistic = Statistic::Deviation;
  Scope scope = Scope::Online;
  bool is_forth = false;  ///< counts instances that are only planned as if they were there
  MetricWords words{};
  std::string_view unit_name{};  ///< what it is called once storage units count; empty: the same
  MetricWords unit_words{};
};

namespace table {

inline constexpr std::string_view kLoad =
    "deviation of the load that the instances bring, from --dynu-file or the monitoring daemons";
inline constexpr std::string_view kForthcoming =
    "the same with forthcoming instances counted as if they were there";

}  // namespace table

inline constexpr PerMetric<Metric> kMetrics{{{
    {.id = MetricId::FreeMem,
     .name = "free_mem_cv",
     .weight = 0.5,
     .words = {"evenness of free memory", "deviation of the share of memory that is free"}},
    {.id = MetricId::FreeDisk,
     .name = "free_disk_cv",
     .weight = 0.5,
     .words = {"evenness of free disk",
               "deviation of the share of disk that is free (of spindles with exclusive storage)"},
     .unit_name = "storage_cv",
     .unit_words =
         {"evenness of storage units",
          "deviation of the share of each storage unit that is free, averaged over the units"}},
    {.id = MetricId::FailingN1,
     .name = "n1_cnt",
     .weight = 1,
     .statistic = Statistic::Sum,
     .words = {"instances on nodes that fail N+1",
               "instances on nodes that are not N+1 happy: were the node to fail for which most "
               "memory is "
               "reserved there, its instances could not all start"}},
    {.id = MetricId::ReservedMem,
     .name = "reserved_mem_cv",
     .weight = 1,
     .words =
         {"evenness of reserved memory",
          "deviation of the share of memory that is reserved for the failure of another node"}},
    {.id = MetricId::OfflineAll,
     .name = "offline_all_cnt",
     .weight = 4,
     .statistic = Statistic::Sum,
     .scope = Scope::Offline,
     .words = {"instances on offline nodes",
               "instances whose primary or secondary node is offline"}},
    {.id = MetricId::OfflinePrimary,
     .name = "offline_pri_cnt",
     .weight = 16,
     .statistic = Statistic::Sum,
     .scope = Scope::Offline,
     .words = {"instances that run on offline nodes", "instances whose primary node is offline"}},
    {.id = MetricId::CpuRatio,
     .name = "vcpu_ratio_cv",
     .weight = 0.5,
     .words = {"evenness of virtual CPUs",
               "deviation of virtual to physical CPUs, divided by the speed of the node's CPUs"}},
    {.id = MetricId::CpuLoad,
     .name = "cpu_load_cv",
     .weight = 1,
     .words = {"evenness of CPU load", table::kLoad}},
    {.id = MetricId::MemLoad,
     .name = "mem_load_cv",
     .weight = 1,
     .words = {"evenness of memory load", table::kLoad}},
    {.id = MetricId::DiskLoad,
     .name = "disk_load_cv",
     .weight = 1,
     .words = {"evenness of disk load", table::kLoad}},
    {.id = MetricId::NetLoad,
     .name = "net_load_cv",
     .weight = 1,
     .words = {"evenness of network load", table::kLoad}},
    {.id = MetricId::ExclusionTags,
     .name = "pri_tags_score",
     .weight = 2,
     .statistic = Statistic::Sum,
     .words =
         {"conflicts of exclusion tags",
          "conflicts of exclusion tags: instances beyond the first with the same tag on one node"}},
    {.id = MetricId::Spindles,
     .name = "spindles_cv",
     .weight = 0.5,
     .words =
         {"evenness of spindles",
          "deviation of the spindle use of the instances, as a share of what the policy allows the "
          "node"}},
    {.id = MetricId::ForthFreeMem,
     .name = "free_mem_cv_forth",
     .weight = 0.5,
     .is_forth = true,
     .words = {"evenness of free memory, forthcoming too", table::kForthcoming}},
    {.id = MetricId::ForthFreeDisk,
     .name = "free_disk_cv_forth",
     .weight = 0.5,
     .is_forth = true,
     .words = {"evenness of free disk, forthcoming too", table::kForthcoming},
     .unit_name = "storage_cv_forth",
     .unit_words = {"evenness of storage units, forthcoming too", table::kForthcoming}},
    {.id = MetricId::ForthCpuRatio,
     .name = "vcpu_ratio_cv_forth",
     .weight = 0.5,
     .is_forth = true,
     .words = {"evenness of virtual CPUs, forthcoming too", table::kForthcoming}},
    {.id = MetricId::ForthSpindles,
     .name = "spindles_cv_forth",
     .weight = 0.5,
     .is_forth = true,
     .words = {"evenness of spindles, forthcoming too", table::kForthcoming}},
    {.id = MetricId::Location,
     .name = "location_score",
     .weight = 1,
     .statistic = Statistic::Sum,
     .words = {"mirrors in one location",
               "instances whose two nodes share a location tag (a rack, a power feed)"}},
    {.id = MetricId::LocationExclusion,
     .name = "location_exclusion_score",
     .weight = 1,
     .statistic = Statistic::TagMap,
     .words = {"exclusion tags met in one location",
               "instances with the same exclusion tag whose primary nodes share a location tag"}},
    {.id = MetricId::ReservedTotal,
     .name = "reserved_mem_rtotal",
     .weight = 0.25,
     .statistic = Statistic::Sum,
     .words = {"memory reserved for failures", "the reserved shares of memory, summed"}},
}}};

constexpr double weight_of(MetricId id) { return kMetrics[id].weight; }

/// The metrics that storage units replace once they count.
constexpr bool is_storage(MetricId id) { return !kMetrics[id].unit_name.empty(); }

constexpr bool is_deviation(MetricId id) { return kMetrics[id].statistic == Statistic::Deviation; }

namespace table {

constexpr bool is_in_order() {
  for (std::size_t k = 0; k < kMetricCount; ++k) {
    if (index_of(kMetrics.items[k].id) != k || kMetrics.items[k].name.empty()) return false;
  }
  return true;
}
static_assert(is_in_order(), "a row of the table stands at another place than its MetricId");

}  // namespace table

}  // namespace ballast::ganeti
