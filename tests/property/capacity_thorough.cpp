// SPDX-License-Identifier: BSD-2-Clause
// hspace --thorough and --no-worse on random clusters: the tiers are worth at least the usual ones
// and one size alone, a limit counts what is placed, of smaller sizes more fit; and with --no-worse
// no node that fails leaves more instances without a place than before.
#include <algorithm>

#include "ballast/ganeti/backend/text/text.hpp"
#include "ballast/ganeti/loading/pipeline.hpp"
#include "ballast/ganeti/search/capacity/thorough.hpp"
#include "ballast/ganeti/search/capacity/why_full.hpp"
#include "ballast/ganeti/search/redundancy/what_if.hpp"
#include "support/each_seed.hpp"
#include "support/random_cluster.hpp"

using namespace ballast;
using namespace ballast::ganeti;

namespace {

CapacityOptions random_options(Random& rnd) {
  CapacityOptions options;
  constexpr std::array kTemplates{DiskTemplate::Drbd, DiskTemplate::Plain, DiskTemplate::Ext,
                                  DiskTemplate::Diskless};
  options.disk_template = kTemplates[rnd.below(kTemplates.size())];
  options.capacity_checks = rnd.chance(70);
  options.no_worse = rnd.chance(50);
  options.accept_existing_errors = rnd.chance(20);
  return options;
}

std::size_t without_place(const Cluster& cluster, const State& state, NodeId node) {
  const WhatIf answer = what_if(cluster, state, {{node}, {}});
  return static_cast<std::size_t>(std::ranges::count_if(answer.affected, [](const Affected& one) {
    return one.fate == Fate::Stuck || one.fate == Fate::Lost;
  }));
}

/// The N+1 test of the others also sends instances to offline nodes, so clusters with such nodes
/// are left out.
std::string worse_node(const Snapshot& snapshot, const FilledCluster& filled) {
  const auto is_offline = [](const Node& node) { return node.is_offline; };
  if (std::ranges::any_of(snapshot.cluster.nodes, is_offline)) return "";
  for (std::size_t n = 0; n < snapshot.cluster.nodes.size(); ++n) {
    const NodeId node(n);
    if (snapshot.cluster[node].is_offline) continue;
    if (without_place(filled.cluster, filled.state, node) >
        without_place(snapshot.cluster, snapshot.state, node))
      return "more instances are without a place if " + snapshot.cluster[node].name + " fails";
  }
  return "";
}

std::string check_sizes(const Snapshot& snapshot, const CapacityOptions& options,
                        const InstanceSize& largest, const InstanceSize& standard) {
  CapacityPlanner planner(snapshot.cluster, snapshot.state, options);
  const std::vector<InstanceSize> sizes{largest};
  const auto usual = planner.tiered(sizes);
  const auto fixed = planner.fixed(standard);
  if (!usual || !fixed || usual->is_suppressed) return "";
  const auto thorough = planner.thorough(sizes, standard);
  if (!thorough) return "no answer though both others have one";
  const bool has_disk = options.disk_template != DiskTemplate::Diskless;
  const double worth = worth_of(thorough->run.filled, standard, has_disk);
  if (worth != thorough->worth) return "the worth is not that of the run";
  if (worth < worth_of(usual->filled, standard, has_disk)) return "worth less than the usual tiers";
  if (thorough->standard_placed != fixed->filled.placed()) return "counts another standard run";
  constexpr double kRounding = 1e-9;
  if (worth < static_cast<double>(fixed->filled.placed()) * (1 - kRounding))
    return "worth less than the standard size alone";
  for (const SmallerSize& smaller : thorough->smaller) {
    const auto run = planner.fixed(smaller.size);
    if (!run || run->filled.placed() != smaller.placed) return "a smaller size is counted wrongly";
    if (smaller.placed <= fixed->filled.placed()) return "no more of a smaller size fit";
  }
  const auto why = planner.why_full(*fixed);
  if (!why) return "no reason can be told";
  if (why->empty() && fixed->filled.placed() == 0) return "nothing fits, and nobody refuses it";
  if (options.no_worse && options.capacity_checks && !has_secondary(options.disk_template))
    return worse_node(snapshot, fixed->filled);
  return "";
}

std::string check_limit(const Snapshot& snapshot, CapacityOptions options,
                        const InstanceSize& largest, const InstanceSize& standard, Random& rnd) {
  options.max_length = rnd.between(0, 4);
  CapacityPlanner planner(snapshot.cluster, snapshot.state, options);
  const std::vector<InstanceSize> sizes{largest};
  const auto run = planner.thorough(sizes, standard);
  if (!run || run->run.is_suppressed) return "";
  if (static_cast<std::int64_t>(run->run.filled.placed()) > options.max_length)
    return "more are placed than -l allows";
  return "";
}

std::string check(std::uint64_t seed, std::size_t& asked) {
  Random rnd(seed * 4099 + 3);
  const test::RandomCluster text = test::ClusterGenerator(seed).make();
  auto snapshot = read_text(text.text(), "case", {});
  if (!snapshot || !run_pipeline(*snapshot, {})) return "";
  CapacityOptions options = random_options(rnd);
  auto units = units_of_new_disks(snapshot->cluster, {}, options.disk_template);
  if (!units) return "";
  options.units = std::move(*units);
  const InstanceSize standard{rnd.between(128, 2000), rnd.between(1024, 30000), rnd.between(1, 3),
                              1};
  const InstanceSize largest{standard.memory_mib * rnd.between(1, 6),
                             standard.disk_mib * rnd.between(1, 4), rnd.between(1, 4), 1};
  std::string wrong = check_sizes(*snapshot, options, largest, standard);
  if (wrong.empty()) wrong = check_limit(*snapshot, options, largest, standard, rnd);
  ++asked;
  return wrong.empty() ? "" : wrong + "\n" + text.text();
}

}  // namespace

int main(int argc, char** argv) { return test::holds_for_some(argc, argv, 8, "questions", check); }
