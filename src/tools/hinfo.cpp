// SPDX-License-Identifier: BSD-2-Clause
// hinfo: what there is, group by group, and how well it is balanced.
#include <fmt/format.h>

#include <string>
#include <vector>

#include "ballast/core/decimal.hpp"
#include "ballast/core/table.hpp"
#include "ballast/core/words.hpp"
#include "ballast/ganeti/cli/delivery/document_delivery.hpp"
#include "ballast/ganeti/cli/health/cluster_documents.hpp"
#include "ballast/ganeti/cli/health/health.hpp"
#include "ballast/ganeti/cli/health/page.hpp"
#include "ballast/ganeti/cli/options/start.hpp"
#include "ballast/ganeti/cli/sources/load.hpp"
#include "ballast/ganeti/cli/sources/opening.hpp"
#include "ballast/ganeti/cli/tables/listing.hpp"
#include "ballast/ganeti/cli/tables/unit_table.hpp"
#include "ballast/ganeti/score/metrics.hpp"
#include "tools/ganeti_tools.hpp"

namespace ballast::tools {
namespace {

using namespace ganeti;
using ganeti::cli::Frame;
using ganeti::cli::Output;
using ganeti::cli::Settings;

const Frame& frame() {
  static const Frame kFrame{{"hinfo",
                             "hinfo -t FILE [OPTION...]",
                             "Shows what a cluster consists of and how well it is balanced.",
                             {}},
                            {"print-nodes",
                             "print-instances",
                             "text-data",
                             "master",
                             "luxi",
                             "ialloc-src",
                             "verbose",
                             "quiet",
                             "offline",
                             "ignore-dynu",
                             "mond",
                             "mond-data",
                             "static-kvm-node-memory",
                             "timeout",
                             "answer-limit",
                             "rapi-ca",
                             "rapi-any-name",
                             "rapi-user-file",
                             "default-storage",
                             "ignore-storage",
                             "state-of-record",
                             "corrected-n1",
                             "json",
                             "format@document",
                             "output",
                             "metrics"},
                            ""};
  return kFrame;
}

/// The heading goes to standard output, the names to standard error, as in the reference.
void say_split_instances(const Snapshot& snapshot, bool is_verbose, Output& output) {
  const std::vector<InstanceId> split =
      ganeti::cli::split_instances(snapshot.cluster, snapshot.state);
  if (split.empty()) {
    if (is_verbose) output.say("No split instances found\n");
    return;
  }
  output.say("Found instances belonging to multiple node groups:\n");
  for (const InstanceId i : split) output.note(fmt::format("  {}\n", snapshot.cluster[i].name));
}

std::string group_table(const Snapshot& snapshot, const std::vector<Part>& parts) {
  using Align = TextTable::Align;
  TextTable table{{{"Group", Align::Left},
                   {"Nodes", Align::Right},
                   {"Instances", Align::Right},
                   {"Bad_Nodes", Align::Right},
                   {"Bad_Instances", Align::Right},
                   {"N+1", Align::Left},
                   {"Score", Align::Right}},
                  {}};
  for (const Part& part : parts) {
    const ganeti::cli::BadNodes bad =
        ganeti::cli::bad_nodes(snapshot.cluster, snapshot.state, part.nodes);
    table.rows.push_back({snapshot.cluster[part.group].name, std::to_string(part.nodes.size()),
                          std::to_string(part.instances.size()), std::to_string(bad.nodes.size()),
                          std::to_string(bad.instance_count), bad.nodes.empty() ? "True" : "False",
                          fixed(full_score(snapshot.cluster, snapshot.state, part.nodes), 8)});
  }
  return "Node group information:\n" + table.render("  ");
}

bool is_n1_happy(const Snapshot& snapshot, const std::vector<Part>& parts) {
  for (const Part& part : parts) {
    if (!ganeti::cli::bad_nodes(snapshot.cluster, snapshot.state, part.nodes).nodes.empty())
      return false;
  }
  return true;
}

void say_lists(const Snapshot& snapshot, const Part& whole, const Settings& settings,
               Output& output) {
  if (settings.output.print_instances) {
    const auto table = ganeti::cli::instance_table(snapshot.cluster, snapshot.state, whole);
    output.note("\nInstances instance map:\n" + table.value_or(""));
  }
  if (settings.output.node_fields) {
    output.note(ganeti::cli::node_listing(snapshot.cluster, snapshot.state, whole.nodes,
                                          *settings.output.node_fields, "Cluster status:"));
  }
}

}  // namespace

int run_hinfo(const ballast::cli::Invocation& invocation, ballast::cli::Streams& streams) {
  auto run = ganeti::cli::open_run(frame(), invocation, streams);
  if (!run) return run.error();
  const Settings& settings = run->settings;
  Output& output = run->output;
  Snapshot& snapshot = run->snapshot;
  const int verbosity = settings.output.verbosity;
  const Cluster& cluster = snapshot.cluster;
  output.say(ganeti::cli::cluster_tags_line(cluster));
  if (verbosity > 2) output.say(ganeti::cli::cluster_policy_line(cluster));
  if (const auto limited = ganeti::cli::apply_limits(snapshot, settings.limits, output); !limited)
    return limited.error();

  if (verbosity > 1 && cluster.instances.empty()) output.say("Cluster is empty.\n");
  output.say(fmt::format("Loaded {}, {}, {}\n", counted(cluster.nodes.size(), "node"),
                         counted(cluster.instances.size(), "instance"),
                         counted(cluster.groups.size(), "node group")));
  if (verbosity > 2 && !cluster.common_suffix.empty()) {
    output.say(
        fmt::format("Note: Stripping common suffix of '{}' from names\n", cluster.common_suffix));
  }
  say_split_instances(snapshot, verbosity > 1, output);

  const std::vector<Part> parts = parts_of(cluster, snapshot.state);
  if (verbosity > 1) output.say(group_table(snapshot, parts));
  output.say(is_n1_happy(snapshot, parts) ? "Cluster is N+1 happy\n" : "Cluster is N+1 unhappy\n");

  const Part whole = whole_part(cluster);
  say_lists(snapshot, whole, settings, output);
  const ScoreDetail score = score_detail(cluster, snapshot.state, whole.nodes);
  output.say("Cluster coefficients:\n" + score_table(cluster, score));
  output.say(fmt::format("Cluster score: {}\n", fixed(score.total, 8)));
  output.say(ganeti::cli::unit_table(cluster, snapshot.state, whole.nodes));
  if (output.is_text() && !settings.output.metrics_file) return ballast::cli::kDone;
  const auto delivered = ganeti::cli::deliver_document(
      ganeti::cli::info_document(snapshot, parts, settings),
      [&] { return ganeti::cli::info_page(snapshot); }, settings.output, output);
  return delivered ? ballast::cli::kDone : delivered.error();
}

}  // namespace ballast::tools
