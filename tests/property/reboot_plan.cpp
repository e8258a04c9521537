// SPDX-License-Identifier: BSD-2-Clause
// Random clusters with every combination of options: the colourings are proper and complete, no
// reboot group holds both nodes of a mirrored instance, the plan with its moves there and back
// replays on a fresh model and ends where it began, and nothing runs on a node that reboots: what
// would is elsewhere by then, or stopped by a step of the plan.
#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <map>
#include <set>

#include "ballast/ganeti/search/planning/replay.hpp"
#include "ballast/ganeti/search/reboot/steps.hpp"
#include "support/ganeti_text.hpp"
#include "support/random_cluster.hpp"

namespace {

using namespace ballast;
using namespace ballast::ganeti;

long moves_made = 0;
long groups_of_many = 0;

long stops_made = 0;
constexpr std::string_view kTag = "kernel:old";

struct Wishes {
  RebootOptions options;
  bool first_only = false;
};

/// All combinations come in turn.
Wishes wishes_of(long seed, Random& random) {
  Wishes wishes;
  RebootOptions& options = wishes.options;
  const auto bits = static_cast<unsigned long>(seed);
  options.offline_maintenance = (bits & 1UL) != 0;
  options.ignore_non_redundant = (bits & 2UL) != 0;
  options.skip_non_redundant = (bits & 4UL) != 0;
  options.full_evacuation = (bits & 8UL) != 0;
  if ((bits & 16UL) != 0) options.node_tags = std::vector<std::string>{std::string(kTag)};
  if ((bits & 32UL) != 0) options.master = NodeId(std::size_t{0});
  wishes.first_only = (bits & 64UL) != 0 && random.chance(50);
  return wishes;
}

/// Half of the nodes get the tag that --node-tags asks for.
void add_tags(ballast::test::RandomCluster& cluster, Random& random) {
  constexpr int kBarsBeforeTags = 10;
  for (std::string& line : cluster.nodes) {
    if (random.chance(50)) continue;
    std::size_t at = 0;
    for (int bar = 0; bar < kBarsBeforeTags; ++bar) at = line.find('|', at) + 1;
    line.insert(at, std::string(kTag) + (line[at] == '|' ? "" : ","));
  }
}

bool holds(const std::vector<NodeId>& nodes, NodeId node) {
  return std::ranges::find(nodes, node) != nodes.end();
}

std::string fault_in_colouring(const RebootGraph& graph, const Colouring& colouring) {
  std::vector<int> seen(graph.adjacency.size(), 0);
  for (const auto& nodes : colouring.classes) {
    for (const NodeId node : nodes) {
      ++seen.at(node.index() - graph.first);
      for (const NodeId other : graph.adjacency.at(node.index() - graph.first)) {
        if (other != node && holds(nodes, other))
          return fmt::format("{}: {} and {} are in conflict and have one colour", colouring.name,
                             node.index(), other.index());
      }
    }
  }
  const bool is_partition = std::ranges::all_of(seen, [](int count) { return count == 1; });
  return is_partition ? "" : fmt::format("{}: some node has no colour or two", colouring.name);
}

std::string fault_in_groups(const Cluster& cluster, const State& state, const RebootPlan& found) {
  for (const RebootGroup& group : found.groups) {
    if (group.nodes.size() > 1) ++groups_of_many;
    for (std::size_t i = 0; i < cluster.instances.size(); ++i) {
      const Placement& place = state.placements[i];
      if (!has_secondary(cluster.instances[i].disk_template)) continue;
      if (holds(group.nodes, place.primary) && holds(group.nodes, place.secondary))
        return "both nodes of " + cluster.instances[i].name + " reboot together";
    }
  }
  return "";
}

/// Where everything is while the plan runs, by the words of the steps alone: nothing of the replay.
class Watcher {
 public:
  Watcher(const Cluster& cluster, const State& state, const plan::Plan& plan) : plan_(plan) {
    for (std::size_t i = 0; i < cluster.instances.size(); ++i) {
      const Instance& instance = cluster.instances[i];
      primary_[instance.name] = cluster[state.placements[i].primary].name;
      if (instance.is_running() && !instance.is_forthcoming) running_.insert(instance.name);
    }
    for (const plan::Step& step : plan.steps) {
      if (step.action == kReboot) rebooted_.emplace(group_of(step), step.subject.name);
    }
  }

  std::string fault() {
    for (const plan::Step& step : plan_.steps) {
      if (std::string fault = fault_in(step); !fault.empty())
        return fmt::format("step {}: {}", step.n, fault);
    }
    return "";
  }

 private:
  static std::int64_t group_of(const plan::Step& step) {
    return *step.system.find("reboot_group")->get<std::int64_t>();
  }

  std::string fault_in(const plan::Step& step) {
    const std::string& name = step.subject.name;
    if (step.action == kStop) {
      ++stops_made;
      running_.erase(name);
    } else if (step.action == kStart) {
      running_.insert(name);
    } else if (step.action == kReboot) {
      rebooted_.erase({group_of(step), name});
      for (const std::string& instance : running_) {
        if (primary_[instance] == name)
          return fmt::format("{} runs on {}, which reboots", instance, name);
      }
    } else {
      for (const char* end : {"primary", "secondary"}) {
        const Value* to = step.to.find(end);
        const Value* from = step.from.find(end);
        const Value* other = step.from.find(end[0] == 'p' ? "secondary" : "primary");
        if (to == nullptr || *to == *from || (other != nullptr && *to == *other)) continue;
        if (rebooted_.contains({group_of(step), *to->get<std::string>()}))
          return fmt::format("{} goes to {}, which is to reboot", name, *to->get<std::string>());
      }
      primary_[name] = *step.to.find("primary")->get<std::string>();
    }
    return "";
  }

  const plan::Plan& plan_;
  std::map<std::string, std::string> primary_;
  std::set<std::string> running_;
  std::set<std::pair<std::int64_t, std::string>> rebooted_;  ///< still to come, by group
};

std::string fault_in_plan(const Cluster& cluster, const State& state, const plan::Plan& plan) {
  if (std::string fault = Watcher(cluster, state, plan).fault(); !fault.empty()) return fault;
  const Part part = whole_part(cluster);
  PlanState replayed(cluster, state, part.nodes, true, plan);
  const plan::ReplayReport report = plan::replay(plan, replayed);
  if (!report.problems.empty())
    return fmt::format("step {} {}", report.problems.front().step,
                       report.problems.front().problem.text);
  for (const plan::Step& step : plan.steps) moves_made += step.from.is_null() ? 0 : 1;
  for (std::size_t i = 0; i < state.placements.size(); ++i) {
    const Placement& before = state.placements[i];
    const Placement& after = replayed.state().placements[i];
    if (before.primary != after.primary || before.secondary != after.secondary)
      return cluster.instances[i].name + " does not come back";
  }
  return "";
}

std::string fault_in(const std::string& text, const Wishes& wishes) {
  const RebootOptions& options = wishes.options;
  const Snapshot snapshot = ganeti::test::load(text);
  const Cluster& cluster = snapshot.cluster;
  const RebootPlan found = plan_reboots(cluster, snapshot.state, options);
  if (found.failure == RebootFailure::NoNodes) return "";
  for (const Colouring& colouring : found.colourings) {
    if (std::string fault = fault_in_colouring(found.graph, colouring); !fault.empty())
      return fault;
  }
  if (found.failure) return "";
  if (std::string fault = fault_in_groups(cluster, snapshot.state, found); !fault.empty())
    return fault;
  return fault_in_plan(
      cluster, snapshot.state,
      reboot_plan(cluster, snapshot.state, whole_part(cluster), found, options, wishes.first_only));
}

}  // namespace

int main(int argc, char** argv) {
  const long seeds = argc > 1 ? std::strtol(argv[1], nullptr, 10) : 400;
  const long first = argc > 2 ? std::strtol(argv[2], nullptr, 10) : 1;
  for (long seed = first; seed < first + seeds; ++seed) {
    Random random(static_cast<std::uint64_t>(seed));
    const Wishes options = wishes_of(seed, random);
    ballast::test::RandomCluster cluster = ballast::test::ClusterGenerator(random.next()).make();
    add_tags(cluster, random);
    if (fault_in(cluster.text(), options).empty()) continue;
    for (std::size_t i = 0; i < cluster.instances.size();) {
      ballast::test::RandomCluster smaller = cluster;
      smaller.instances.erase(smaller.instances.begin() + static_cast<std::ptrdiff_t>(i));
      if (fault_in(smaller.text(), options).empty()) {
        ++i;
      } else {
        cluster = smaller;
      }
    }
    std::fprintf(stderr, "seed %ld: %s\n%s", seed, fault_in(cluster.text(), options).c_str(),
                 cluster.text().c_str());
    return 1;
  }
  if (moves_made < seeds / 2 || groups_of_many < seeds / 6 || stops_made < seeds / 2) {
    std::fprintf(stderr, "only %ld moves, %ld stops and %ld groups of several nodes: too dull\n",
                 moves_made, stops_made, groups_of_many);
    return 1;
  }
  return 0;
}
