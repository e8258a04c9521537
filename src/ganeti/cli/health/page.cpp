// SPDX-License-Identifier: BSD-2-Clause
#include "ballast/ganeti/cli/health/page.hpp"

#include "ballast/core/decimal.hpp"
#include "ballast/core/words.hpp"
#include "ballast/ganeti/cli/delivery/document_delivery.hpp"
#include "ballast/ganeti/cli/health/health.hpp"
#include "ballast/ganeti/score/metrics.hpp"

#include <fmt/format.h>

namespace ballast::ganeti::cli {
namespace {

/// "Nodes not N+1 happy: 2, ..." of the counts that are not 0.
std::string counts_text(std::span<const GroupHealth> groups) {
  std::string text;
  const std::vector<std::int64_t> totals = total_counts(groups);
  for (std::size_t i = 0; i < totals.size(); ++i) {
    if (totals[i] == 0) continue;
    text += fmt::format("{}{}: {}", text.empty() ? "" : ", ",
                        words_of(static_cast<HealthCheck>(i)).label, totals[i]);
  }
  return text;
}

std::string headline_of(const HealthRun& run) {
  if (!run.needs_rebalancing()) return "No problems found";
  const std::string now = counts_text(run.initial());
  std::string text = now.empty() ? "The cluster needs rebalancing" : now;
  if (!run.rebalancing()) return text;
  const std::string left = counts_text(run.final());
  return text + (left.empty() ? "; rebalancing would mend all of it"
                              : "; rebalancing would leave: " + left);
}

}  // namespace

report::DocumentPage health_page(const Snapshot& snapshot, const HealthRun& run) {
  report::DocumentPage page;
  page.headline = headline_of(run);
  page.no_findings = "Not asked for in detail.";
  page.nodes = nodes_at_a_glance(snapshot, snapshot.cluster,
                                 run.rebalancing() ? run.rebalancing()->state : snapshot.state);
  return page;
}

report::DocumentPage what_if_page(const Snapshot& snapshot, const Settings& settings) {
  report::DocumentPage page;
  page.no_findings = "Not asked for in detail.";
  page.headline = fmt::format("What if this were gone: {}", fmt::join(settings.tool.what_if, ", "));
  page.nodes = nodes_at_a_glance(snapshot, snapshot.cluster, snapshot.state);
  return page;
}

report::DocumentPage info_page(const Snapshot& snapshot) {
  const Cluster& cluster = snapshot.cluster;
  const Part whole = whole_part(cluster);
  const std::size_t bad = bad_nodes(cluster, snapshot.state, whole.nodes).nodes.size();
  report::DocumentPage page;
  page.headline = fmt::format("{}, {}, {}; {}; score {}", counted(cluster.nodes.size(), "node"),
                              counted(cluster.instances.size(), "instance"),
                              counted(cluster.groups.size(), "node group"),
                              bad == 0 ? "N+1 happy" : counted(bad, "node") + " not N+1 happy",
                              fixed(full_score(cluster, snapshot.state, whole.nodes), 8));
  page.nodes = nodes_at_a_glance(snapshot, cluster, snapshot.state);
  return page;
}

}  // namespace ballast::ganeti::cli
