// SPDX-License-Identifier: BSD-2-Clause
#include "ballast/ganeti/cli/health/report.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "ballast/core/decimal.hpp"
#include "ballast/ganeti/cli/tables/machine_line.hpp"

namespace ballast::ganeti::cli {
namespace {

constexpr std::array<HealthCheckWords, kHealthChecks> kWords{{
    {"N1_FAIL", "Nodes not N+1 happy"},
    {"CONFLICT_TAGS", "Nodes with conflicting instances"},
    {"OFFLINE_PRI", "Instances having the primary node offline"},
    {"OFFLINE_SEC", "Instances having a secondary node offline"},
    {"GN1_FAIL", "Nodes not directly evacuateable"},
}};
constexpr std::string_view kPrefix = "HCHECK";

std::string_view when(Stage stage) {
  return stage == Stage::Initial ? "initially" : "after rebalancing";
}

std::string_view key_prefix(Stage stage) { return stage == Stage::Initial ? "INIT" : "FINAL"; }

std::string count_rows(std::span<const std::int64_t> counts) {
  std::string text;
  for (std::size_t i = 0; i < counts.size(); ++i)
    text += fmt::format("    {}: {}\n", kWords.at(i).label, counts[i]);
  return text;
}

std::string count_lines(std::string_view scope, std::span<const std::int64_t> counts) {
  std::string text;
  for (std::size_t i = 0; i < counts.size(); ++i) {
    text += machine_line(kPrefix, fmt::format("{}_{}", scope, kWords.at(i).key),
                         std::to_string(counts[i]));
  }
  return text;
}

}  // namespace

const HealthCheckWords& words_of(HealthCheck check) {
  return kWords.at(static_cast<std::size_t>(check));
}

std::string group_blocks(const Cluster& cluster, std::span<const GroupHealth> groups, Stage stage) {
  std::string text;
  for (const GroupHealth& group : groups) {
    text += fmt::format("\nStatistics for group {} {}\n", cluster[group.group].name, when(stage)) +
            count_rows(group.counts);
    if (group.is_incomplete) break;
    text += fmt::format("    Group score: {}\n", fixed(group.score, 8));
  }
  return text;
}

std::string cluster_block(std::span<const GroupHealth> groups, bool needs_rebalancing,
                          Stage stage) {
  const std::vector<std::int64_t> totals = total_counts(groups);
  // Without groups the verdict takes the place of the first count: a quirk that is kept.
  const std::string_view verdict = totals.empty() ? kWords.front().label : "Cluster is not healthy";
  return fmt::format("\nCluster statistics {}\n{}    {}: {}\n", when(stage), count_rows(totals),
                     verdict, needs_rebalancing ? "True" : "False");
}

std::string group_uuid_lines(const Cluster& cluster) {
  std::string text;
  for (std::size_t g = 0; g < cluster.groups.size(); ++g)
    text += machine_line(kPrefix, fmt::format("GROUP_UUID_{}", g), cluster.groups[g].uuid);
  return text;
}

std::string group_lines(std::span<const GroupHealth> groups, Stage stage) {
  std::string text;
  for (const GroupHealth& group : groups) {
    const std::string scope = fmt::format("{}_GROUP_{}", key_prefix(stage), group.group.index());
    text += count_lines(scope, group.counts);
    if (group.is_incomplete) break;
    text += machine_line(kPrefix, scope + "_SCORE", fixed(group.score, 8));
  }
  return text;
}

std::string cluster_lines(std::span<const GroupHealth> groups, bool needs_rebalancing,
                          Stage stage) {
  const std::vector<std::int64_t> totals = total_counts(groups);
  const std::string scope = fmt::format("{}_CLUSTER", key_prefix(stage));
  const std::string_view verdict = totals.empty() ? kWords.front().key : "NEED_REBALANCE";
  return count_lines(scope, totals) +
         machine_line(kPrefix, fmt::format("{}_{}", scope, verdict), needs_rebalancing ? "1" : "0");
}

std::string incomplete_line(const Cluster& cluster, const State& state,
                            std::span<const Part> parts) {
  for (const Part& part : parts) {
    for (const InstanceId id : part.instances) {
      if (!has_secondary(cluster[id].disk_template)) continue;
      const NodeId secondary = state[id].secondary;
      if (secondary.is_none()) {
        return fmt::format("hcheck: instance {} has the disk template drbd but no secondary node\n",
                           cluster[id].name);
      }
      if (cluster[secondary].group != part.group) {
        return fmt::format("hcheck: instance {}: its secondary node {} is not in its group {}\n",
                           cluster[id].name, cluster[secondary].name, cluster[part.group].name);
      }
    }
  }
  return "hcheck: the secondary node of an instance is not in its group\n";
}

}  // namespace ballast::ganeti::cli
