// SPDX-License-Identifier: BSD-2-Clause
#include "ballast/ganeti/report/explain/bound.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "ballast/core/decimal.hpp"
#include "ballast/core/words.hpp"
#include "ballast/ganeti/metrics/table.hpp"

namespace ballast::ganeti {

namespace {

/// Parts below this share of the score are not worth a line.
constexpr double kWorthALine = 0.001;

std::string title_of(MetricId id) { return std::string(kMetrics[id].words.title); }

std::string words_of(BoundPart part, const Bound& bound) {
  using enum BoundPart;
  switch (part) {
    case OnOfflineNodes:
      return fmt::format("{}: {} cannot leave them", title_of(MetricId::OfflineAll),
                         bound.attached_offline);
    case Memory:
      return title_of(MetricId::FreeMem);
    case Disk:
      return title_of(MetricId::FreeDisk);
    case Cpus:
      return title_of(MetricId::CpuRatio);
    case Primaries:
      return "evenness of the number of primaries (the load metrics)";
    case Attached:
      return "evenness of the number of primaries and secondaries (the load of disks)";
    case ReserveSpread:
      return title_of(MetricId::ReservedMem);
    case Reserve:
      break;
  }
  return fmt::format("{}: others must cover each node, and the largest secondary needs {} MiB",
                     title_of(MetricId::ReservedTotal), bound.largest_need_mib);
}

std::string_view noun_of(BoundPart part) {
  if (part == BoundPart::Disk) return "disk";
  return part == BoundPart::Cpus ? "CPUs" : "memory";
}

std::string fullest_text(const Cluster& cluster, const OverfullNode& node) {
  return fmt::format("what cannot leave {} alone takes {} % of its {}, in the mean {} % is taken",
                     cluster[node.node].alias, fixed(100 * node.held, 0), noun_of(node.part),
                     fixed(100 * node.mean, 0));
}

}  // namespace

std::vector<std::string> bound_text(const Cluster& cluster, const Bound& bound) {
  std::vector<std::pair<double, BoundPart>> parts;
  for (std::size_t k = 0; k < kBoundParts; ++k)
    parts.emplace_back(bound.parts[k], static_cast<BoundPart>(k));
  std::ranges::stable_sort(parts, std::ranges::greater{},
                           [](const auto& part) { return part.first; });
  std::vector<std::string> lines;
  for (const auto& [score, part] : parts) {
    if (score > kWorthALine * bound.score)
      lines.push_back(fmt::format("about {} for {}", fixed(score, 4), words_of(part, bound)));
  }
  if (bound.immovable > 0)
    lines.push_back(
        fmt::format("{} of {} cannot move", bound.immovable, counted(bound.instances, "instance")));
  if (bound.fullest) lines.push_back(fullest_text(cluster, *bound.fullest));
  return lines;
}

}  // namespace ballast::ganeti
