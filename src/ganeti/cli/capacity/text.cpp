// SPDX-License-Identifier: BSD-2-Clause
#include <fmt/format.h>

#include <algorithm>

#include "ballast/core/decimal.hpp"
#include "ballast/core/strings.hpp"
#include "ballast/core/table.hpp"
#include "ballast/core/words.hpp"
#include "ballast/ganeti/cli/capacity/report.hpp"

namespace ballast::ganeti::cli {
namespace {

struct Efficiency {
  std::string_view label;
  double value;
};

std::string efficiency_lines(const std::vector<Efficiency>& all) {
  std::size_t width = 0;
  for (const Efficiency& one : all) width = std::max(width, one.label.size());
  std::string text;
  for (const Efficiency& one : all) {
    text += fmt::format("  - {} usage efficiency: {}%\n", pad_left(one.label, width),
                        pad_left(fixed(one.value * 100, 2), 5));
  }
  return text;
}

InstanceSize size_of_placed(const Instance& instance) {
  return {instance.memory_mib, instance.disk_mib, instance.vcpus,
          instance.disk_spindles().value_or(0)};
}

std::string reason_line(const ReasonCounts& failures) {
  return fmt::format("  - most likely failure reason: {}\n",
                     ganeti::text_of(main_reason(failures)));
}

}  // namespace

FailReason main_reason(const ReasonCounts& failures) {
  return static_cast<FailReason>(std::max_element(failures.begin(), failures.end()) -
                                 failures.begin());
}

std::vector<PlacedRun> placed_runs(const FilledCluster& filled) {
  std::vector<PlacedRun> runs;
  for (std::size_t i = filled.existing; i < filled.cluster.instances.size(); ++i) {
    const InstanceSize size = size_of_placed(filled.cluster.instances[i]);
    if (runs.empty() || runs.back().size != size) runs.push_back({size, 0});
    ++runs.back().count;
  }
  return runs;
}

std::string units_in_words(const Cluster& cluster, const std::vector<UnitRefusals>& refusals) {
  std::vector<std::string> parts;
  for (const UnitRefusals& one : refusals) {
    const auto on = [](std::string_view what, std::size_t count) {
      return fmt::format("{} {}", what, counted(count, "node"));
    };
    std::vector<std::string> where;
    if (one.full > 0) where.push_back(on("full on", one.full));
    if (one.missing > 0) where.push_back(on("missing on", one.missing));
    parts.push_back(fmt::format("{} ({})", to_string(cluster[one.unit]), join(where, ", ")));
  }
  return join(parts, "; ");
}

CapacityText::CapacityText(const Cluster& cluster, const ClusterTotals& before,
                           const CapacityOptions& options)
    : cluster_(cluster),
      before_(before),
      options_(options),
      has_exclusive_storage_(
          std::any_of(cluster.nodes.begin(), cluster.nodes.end(),
                      [](const Node& node) { return node.has_exclusive_storage; })) {}

std::string CapacityText::cluster() const {
  std::string text = fmt::format(
      "The cluster has {} nodes and the following resources:\n"
      "  MEM {}, DSK {}, CPU {}, VCPU {}",
      cluster_.nodes.size(), ballast::fixed(before_.total_mem, 0),
      ballast::fixed(before_.total_disk, 0), ballast::fixed(before_.total_cpus, 0),
      before_.virtual_cpus);
  if (has_exclusive_storage_) text += ", SPN " + ballast::fixed(before_.total_spindles, 0);
  text += ".\n";
  if (before_.instances > 0)
    return text +
           fmt::format("There are {} initial instances on the cluster.\n", before_.instances);
  return text + "There are no initial instances on the cluster.\n";
}

std::string CapacityText::size_in_words(const InstanceSize& size) const {
  std::string text =
      fmt::format("MEM {}, DSK {}, CPU {}", size.memory_mib, size.disk_mib, size.vcpus);
  if (has_exclusive_storage_) text += fmt::format(", SPN {}", size.spindles);
  return text;
}

std::string CapacityText::size(RunKind kind, const InstanceSize& size) const {
  return fmt::format("{} instance spec is:\n  {}, using disk template '{}'.\n",
                     kind == RunKind::Tiered ? "Tiered (initial size)" : "Standard (fixed-size)",
                     size_in_words(size), ganeti::text_of(options_.disk_template));
}

ResultText CapacityText::results(const CapacityAnswer& answer) const {
  const bool is_tiered = answer.kind == RunKind::Tiered;
  std::string text =
      is_tiered ? "Tiered allocation results:\n" : "Normal (fixed-size) allocation results:\n";
  const FilledCluster& filled = answer.run.filled;
  if (!is_tiered) {
    text += fmt::format("  - {:3} instances allocated\n", filled.placed());
  } else if (filled.placed() == 0) {
    text += "  - no instances allocated\n";
  } else {
    for (const PlacedRun& run : placed_runs(filled))
      text += fmt::format("  - {:3} instances of spec {}\n", run.count, size_in_words(run.size));
  }
  if (!answer.run.failures) return {std::move(text), true};
  return {text + statistics(answer), false};
}

std::string CapacityText::statistics(const CapacityAnswer& answer) const {
  const ClusterTotals& after = answer.totals;
  std::string text = reason_line(*answer.run.failures);
  if (!answer.refusals.empty()) {
    text += fmt::format("  - storage units without room: {}\n",
                        units_in_words(answer.run.filled.cluster, answer.refusals));
  }
  text += fmt::format("  - initial cluster score: {}\n  -   final cluster score: {}\n",
                      ballast::fixed(before_.score, 8), ballast::fixed(after.score, 8));
  std::vector<Efficiency> all{{"memory", after.mem_efficiency()},
                              {"disk", after.disk_efficiency()},
                              {"vcpu", after.cpu_efficiency()}};
  if (has_exclusive_storage_) all.push_back({"spindles", after.spindle_efficiency()});
  return text + efficiency_lines(all);
}

std::string CapacityText::map(const CapacityAnswer& answer) const {
  using Align = TextTable::Align;
  const std::string heading =
      answer.kind == RunKind::Tiered ? "Tiered allocation map\n" : "Standard allocation map\n";
  TextTable table;
  for (int column = 0; column < 7; ++column)
    table.columns.push_back({"", column < 3 ? Align::Left : Align::Right});
  const FilledCluster& filled = answer.run.filled;
  for (std::size_t i = filled.existing; i < filled.cluster.instances.size(); ++i) {
    const Instance& instance = filled.cluster.instances[i];
    const Placement& at = filled.state.placements[i];
    const InstanceSize size = size_of_placed(instance);
    table.rows.push_back({instance.name, cluster_[at.primary].name,
                          at.secondary.is_none() ? "" : cluster_[at.secondary].name,
                          std::to_string(size.memory_mib), std::to_string(size.disk_mib),
                          std::to_string(size.vcpus),
                          has_exclusive_storage_ ? std::to_string(size.spindles) : ""});
  }
  if (table.rows.empty()) return heading;
  const std::string rendered = table.render();
  return heading + rendered.substr(rendered.find('\n') + 1);
}

}  // namespace ballast::ganeti::cli
