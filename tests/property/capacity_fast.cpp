// SPDX-License-Identifier: BSD-2-Clause
// capacity_fast [SEEDS] [FIRST_SEED]: while a cluster is filled, looking at classes of equal nodes
// gives the choice and the counts of looking at every candidate, and counting room says of the
// redundancy test what its steps say. The filled cluster, written and read again, breaks no rule.
// On a failure the seed and the snapshot are printed.
#include <cstdio>
#include <cstdlib>
#include <string>

#include "../../src/ganeti/search/capacity/finder.hpp"
#include "../../src/ganeti/search/capacity/room.hpp"
#include "ballast/ganeti/backend/text/text.hpp"
#include "ballast/ganeti/loading/pipeline.hpp"
#include "ballast/ganeti/search/redundancy/nplus1.hpp"
#include "support/random_cluster.hpp"

namespace {

using namespace ballast;
using namespace ballast::ganeti;
namespace alloc = ballast::ganeti::alloc;

std::optional<Snapshot> load(const std::string& text) {
  auto snapshot = read_text(text, "cluster.data", TextOptions{});
  if (!snapshot || !run_pipeline(*snapshot, PipelineOptions{})) return std::nullopt;
  return std::move(*snapshot);
}

std::vector<CapacityCandidate> candidates_of(const Cluster& cluster, bool is_pair) {
  std::vector<CapacityCandidate> all;
  for (const NodeId node : whole_part(cluster).nodes) {
    if (cluster[node].is_offline) continue;
    CapacityCandidate candidate{node, {}};
    for (const NodeId other : whole_part(cluster).nodes) {
      if (is_pair && other != node && !cluster[other].is_offline &&
          cluster[other].group == cluster[node].group)
        candidate.secondaries.push_back(other);
    }
    if (!is_pair || !candidate.secondaries.empty()) all.push_back(std::move(candidate));
  }
  return all;
}

class Filling {
 public:
  /// The sizes take turns.
  Filling(Snapshot snapshot, CapacityOptions options, std::vector<InstanceSize> sizes)
      : snapshot_(std::move(snapshot)),
        options_(std::move(options)),
        sizes_(std::move(sizes)),
        nodes_(whole_part(snapshot_.cluster).nodes),
        candidates_(candidates_of(snapshot_.cluster, has_secondary(options_.disk_template))),
        wanted_(snapshot_.cluster, options_, sizes_.front()),
        finder_(snapshot_.cluster, snapshot_.state, candidates_) {
    finder_.set_wanted(wanted_);
  }

  /// What is wrong; empty: nothing.
  std::string run() {
    if (candidates_.empty()) return "";
    for (int step = 0; step < kMostSteps; ++step) {
      const std::size_t turn = static_cast<std::size_t>(step) % sizes_.size();
      wanted_ = alloc::Wanted(snapshot_.cluster, options_, sizes_[turn]);
      wanted_.id = InstanceId(snapshot_.cluster.instances.size());
      finder_.set_wanted(wanted_);
      alloc::Attempt fast = finder_.attempt(true);
      const alloc::Attempt plain =
          alloc::place_one_by_one(snapshot_.cluster, snapshot_.state, wanted_, candidates_, {});
      const std::string where = "step " + std::to_string(step);
      if (fast.failures != plain.failures) return where + ": other failures";
      if (fast.placed.has_value() != plain.placed.has_value()) return where + ": fits or not";
      if (!fast.placed) return "";
      if (fast.placed->placement != plain.placed->placement) return where + ": another place";
      if (std::string wrong = compare_accepted(step); !wrong.empty()) return where + ": " + wrong;
      add(std::move(*fast.placed));
      if (std::string wrong = compare_room(); !wrong.empty()) return where + ": " + wrong;
    }
    return "";
  }

 private:
  static constexpr int kMostSteps = 80;

  void add(alloc::Placed&& placed) {
    snapshot_.cluster.instances.push_back(
        wanted_.of(snapshot_.cluster[placed.placement.primary].group));
    snapshot_.state.placements.push_back(placed.placement);
    for (auto& [node, state] : placed.states) {
      snapshot_.state[node] = std::move(state);
      finder_.update(node);
      if (room_ && !room_->update(node)) room_.reset();
    }
    if (!room_) room_.emplace(snapshot_.cluster, snapshot_.state, nodes_);
  }

  /// With a rule that lets two of three nodes in, or none.
  std::string compare_accepted(int step) {
    const auto lets_in = [&](NodeId node) {
      return step % 4 != 3 && (static_cast<int>(node.index()) + step) % 3 != 0;
    };
    const auto fast = finder_.attempt_accepted(
        [&](NodeId node) { return lets_in(node) ? alloc::Verdict::Holds : alloc::Verdict::Fails; });
    if (!fast) return "";
    const auto accept = [&](const alloc::Placed& placed) {
      return lets_in(placed.placement.primary);
    };
    const alloc::Attempt plain =
        alloc::place_one_by_one(snapshot_.cluster, snapshot_.state, wanted_, candidates_, accept);
    if (fast->placed.has_value() != plain.placed.has_value()) return "is accepted or not";
    if (fast->placed && fast->placed->placement != plain.placed->placement)
      return "another accepted place";
    if (!fast->placed && fast->failures != plain.failures) return "other failures of the accepted";
    return "";
  }

  std::string compare_room() {
    const alloc::Verdict verdict =
        alloc::CapacityRoom(snapshot_.cluster, snapshot_.state, nodes_).judge();
    if (room_->judge() != verdict) return "room that was kept up to date says otherwise";
    const Evacuation answer = global_redundancy(snapshot_.cluster, snapshot_.state, nodes_);
    if (verdict == alloc::Verdict::Holds && answer != Evacuation::Possible) return "holds by count";
    if (verdict == alloc::Verdict::Fails && answer == Evacuation::Possible) return "fails by count";
    for (const CapacityCandidate& candidate : candidates_) {
      if (std::string wrong = compare_newcomer(candidate.primary); !wrong.empty()) return wrong;
    }
    return "";
  }

  /// One more instance on the node.
  std::string compare_newcomer(NodeId node) {
    const Instance& instance = wanted_.of(snapshot_.cluster[node].group);
    const InstanceId id(snapshot_.cluster.instances.size());
    const InstanceRef ref{id, &instance, {node, NodeId(), 0}, true};
    State after = snapshot_.state;
    if (has_secondary(instance.disk_template) ||
        alloc::put_primary(snapshot_.cluster, snapshot_.state[node], ref, after[node]))
      return "";
    const alloc::Verdict verdict = room_->judge(node, instance);
    if (verdict == alloc::Verdict::Unknown) return "";
    Cluster cluster = snapshot_.cluster;
    cluster.instances.push_back(instance);
    after.placements.push_back(ref.placement);
    const bool holds = global_redundancy(cluster, after, nodes_) == Evacuation::Possible;
    return holds == (verdict == alloc::Verdict::Holds) ? "" : "a newcomer is judged wrongly";
  }

  Snapshot snapshot_;
  CapacityOptions options_;
  std::vector<InstanceSize> sizes_;
  std::vector<NodeId> nodes_;
  std::vector<CapacityCandidate> candidates_;
  alloc::Wanted wanted_;
  alloc::CapacityFinder finder_;
  std::optional<alloc::CapacityRoom> room_;
};

/// Nodes of one or two sizes and nothing on them: where failures are played through on kinds.
std::string bare_cluster(Random& random) {
  std::string text = "group|uuid|preferred||\n\n";
  const std::int64_t nodes = random.between(3, 9);
  const std::int64_t small = random.chance(50) ? random.between(1, nodes) : 0;
  for (std::int64_t n = 0; n < nodes; ++n) {
    const std::string memory = n < small ? "6144" : "8192";
    text +=
        "node" + std::to_string(n) + "|" + memory + "|0|" + memory + "|200000|200000|16|N|uuid|1\n";
  }
  return text + "\n\n\n|128,1,1024,1,1,1|0,1,0,1,0,1;32768,8,1048576,16,8,12|plain,ext|9|32\n";
}

std::string check_bare(std::uint64_t seed) {
  Random random(seed * 17 + 3);
  const std::string text = bare_cluster(random);
  const auto snapshot = load(text);
  if (!snapshot) return "no cluster";
  CapacityOptions options;
  options.disk_template = random.chance(50) ? DiskTemplate::Plain : DiskTemplate::Ext;
  const std::int64_t mib = std::int64_t{512} << random.between(0, 3);
  const InstanceSize size{mib, 1024, random.between(1, 2), 1};
  const InstanceSize smaller{mib - 64 * random.between(1, 4), 1024, 1, 1};
  Snapshot copy = *snapshot;
  const auto units = units_of_new_disks(copy.cluster, {}, options.disk_template);
  if (!units) return "";
  options.units = *units;
  const std::string wrong = Filling(copy, options, {size, smaller, smaller}).run();
  return wrong.empty() ? wrong : wrong + "\n" + text;
}

/// The state after a run, as -S writes it, read again.
std::string check_saved(const Snapshot& initial, const CapacityRun& run) {
  const auto again = load(write_text(run.filled.cluster, run.filled.state));
  if (!again) return "the saved cluster cannot be read";
  if (again->cluster.instances.size() != run.filled.cluster.instances.size())
    return "the saved cluster lacks instances";
  const std::size_t nodes = initial.cluster.nodes.size();
  for (std::size_t n = 0; n < nodes; ++n) {
    const NodeState& before = initial.state.nodes[n];
    const NodeState& after = run.filled.state.nodes[n];
    const bool is_new_error = after.fails_n1 && !before.fails_n1;
    if (is_new_error) return initial.cluster.nodes[n].name + " lacks memory for a failover";
    if (again->state.nodes[n].free_disk != after.free_disk) return "another free disk";
    if (after.free_disk < 0 && after.free_disk < before.free_disk) return "disk below zero";
    for (const Capacity& capacity : after.capacities) {
      if (capacity.free_mib < 0) return "a unit below zero";
    }
  }
  return "";
}

std::string check_seed(std::uint64_t seed, const Snapshot& snapshot) {
  Random random(seed * 31 + 7);
  CapacityOptions options;
  options.disk_template = random.chance(50)   ? DiskTemplate::Drbd
                          : random.chance(70) ? DiskTemplate::Plain
                                              : DiskTemplate::Ext;
  options.accept_existing_errors = true;
  const InstanceSize size{std::int64_t{128} << random.between(0, 4),
                          std::int64_t{1024} << random.between(0, 4), random.between(1, 2), 1};
  Snapshot copy = snapshot;
  const auto units = units_of_new_disks(copy.cluster, {}, options.disk_template);
  if (!units) return "";
  options.units = *units;
  if (std::string wrong = Filling(copy, options, {size}).run(); !wrong.empty()) return wrong;
  CapacityPlanner planner(copy.cluster, copy.state, options);
  const auto fixed = planner.fixed(size);
  if (fixed) {
    if (std::string wrong = check_saved(copy, *fixed); !wrong.empty()) return "fixed: " + wrong;
  }
  const auto tiered = planner.tiered(std::span(&size, 1));
  if (tiered) {
    if (std::string wrong = check_saved(copy, *tiered); !wrong.empty()) return "tiered: " + wrong;
  }
  return "";
}

}  // namespace

int main(int argc, char** argv) {
  const std::uint64_t seeds = argc > 1 ? std::strtoull(argv[1], nullptr, 10) : 300;
  const std::uint64_t first = argc > 2 ? std::strtoull(argv[2], nullptr, 10) : 1;
  for (std::uint64_t seed = first; seed < first + seeds; ++seed) {
    if (const std::string wrong = check_bare(seed); !wrong.empty()) {
      std::printf("bare cluster of seed %llu: %s\n", static_cast<unsigned long long>(seed),
                  wrong.c_str());
      return 1;
    }
    const std::string text = ballast::test::ClusterGenerator(seed).make().text();
    const auto snapshot = load(text);
    if (!snapshot) continue;
    if (const std::string wrong = check_seed(seed, *snapshot); !wrong.empty()) {
      std::printf("seed %llu: %s\n%s\n", static_cast<unsigned long long>(seed), wrong.c_str(),
                  text.c_str());
      return 1;
    }
  }
  std::printf("%llu seeds hold\n", static_cast<unsigned long long>(seeds));
  return 0;
}
