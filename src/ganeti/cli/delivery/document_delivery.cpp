// SPDX-License-Identifier: BSD-2-Clause
#include "ballast/ganeti/cli/delivery/document_delivery.hpp"

#include "ballast/ganeti/cli/delivery/plan_delivery.hpp"
#include "ballast/ganeti/search/planning/builder.hpp"
#include "ballast/report/metrics.hpp"

namespace ballast::ganeti::cli {

OrExit<void> deliver_document(const report::Document& document,
                              const std::function<report::DocumentPage()>& page,
                              const OutputSettings& how, Output& output) {
  if (how.metrics_file) {
    if (const auto written = report::write_document_metrics(document, *how.metrics_file); !written)
      return tl::unexpected(output.fail_at(written.error()));
  }
  if (!how.wants_page()) {
    if (how.is_json()) output.document(report::document_to_json(document));
    return {};
  }
  const report::DocumentPage told = page();
  if (how.report_file) {
    const std::string html = report::document_to_html(document, told);
    if (const auto written = write_html(html, *how.report_file, output); !written) return written;
  }
  output.document(ballast::cli::render_document(document, told, how.format));
  return {};
}

plan::Plan nodes_at_a_glance(const Snapshot& now, const Cluster& cluster_after,
                             const State& state_after) {
  const Part all = whole_part(now.cluster);
  plan::Plan nodes;
  nodes.before = node_summary(now.cluster, now.state, all);
  nodes.after = node_summary(cluster_after, state_after, all);
  nodes.objects = inventory(now.cluster, now.state, all);
  return nodes;
}

}  // namespace ballast::ganeti::cli
