// SPDX-License-Identifier: BSD-2-Clause
// Better plans against all plans there are, on clusters so small that they can be enumerated: no
// plan scores below the true optimum, the proven bound is never above it, and the search finds it
// nearly always.
#include <iostream>
#include <limits>
#include <map>

#include "ballast/core/random.hpp"
#include "ballast/ganeti/backend/text/text.hpp"
#include "ballast/ganeti/loading/pipeline.hpp"
#include "ballast/ganeti/score/metrics.hpp"
#include "ballast/ganeti/search/balance/candidates.hpp"
#include "ballast/ganeti/search/improve/improve.hpp"
#include "support/each_seed.hpp"

using namespace ballast;
using namespace ballast::ganeti;

namespace {

/// Mirrored instances have as many places as there are pairs of nodes, shared ones as there are
/// nodes: the larger clusters have 65,536 states.
struct Sizes {
  std::uint64_t nodes;
  std::uint64_t instances;
  std::uint32_t shared_per_cent;
};
constexpr Sizes kSmall{3, 4, 20};
constexpr Sizes kLarge{4, 8, 100};
constexpr std::uint64_t kLargeEvery = 20;  // seeds
constexpr double kAlike = 1e-9;
constexpr std::int64_t kBoundWork = 1000000;

std::string random_cluster(Random& rnd, const Sizes& sizes) {
  std::string nodes;
  std::string instances;
  // Little disk: not all secondaries have room on one node.
  const std::string free_disk = rnd.chance(40) ? std::to_string(rnd.between(2000, 9000)) : "60000";
  for (std::uint64_t n = 0; n < sizes.nodes; ++n) {
    const std::uint64_t size = 8192 + 4096 * rnd.below(3);
    nodes += "n" + std::to_string(n) + "|" + std::to_string(size) + "|0|" +
             std::to_string(size / 2 + 1024 * rnd.below(3)) + "|100000|" + free_disk + "|8|" +
             (rnd.chance(8) ? "Y" : "N") + "|uuid-g\n";
  }
  for (std::uint64_t i = 0; i < sizes.instances; ++i) {
    const std::uint64_t primary = rnd.chance(60) ? 0 : rnd.below(sizes.nodes);
    const std::uint64_t secondary = (primary + 1 + rnd.below(sizes.nodes - 1)) % sizes.nodes;
    const bool is_shared = rnd.chance(sizes.shared_per_cent);
    instances += "i" + std::to_string(i) + "|" + std::to_string(512 * rnd.between(1, 4)) + "|" +
                 std::to_string(2048 * rnd.between(1, 6)) + "|1|running|Y|n" +
                 std::to_string(primary) + "|" +
                 (is_shared ? "" : "n" + std::to_string(secondary)) + "|" +
                 (is_shared ? "sharedfile" : "drbd") + "|\n";
  }
  return "g|uuid-g|preferred||\n\n" + nodes + "\n" + instances + "\n";
}

using Key = std::vector<std::int32_t>;

Key key_of(const State& state) {
  Key key;
  for (const Placement& placement : state.placements) {
    key.push_back(placement.primary.value());
    key.push_back(placement.secondary.value());
  }
  return key;
}

struct Reached {
  State state;
  std::int64_t mib = 0;
};

/// Lowest scores: of all states that some sequence of moves leads to, and of those within limits.
struct Optimum {
  double any = std::numeric_limits<double>::infinity();
  double within = std::numeric_limits<double>::infinity();
};

class Oracle {
 public:
  Oracle(const Cluster& cluster, const State& start, const Part& part)
      : cluster_(cluster), part_(part), targets_(target_nodes(cluster, part)) {
    layer_.emplace(key_of(start), Reached{start, 0});
    best_mib_.emplace(key_of(start), 0);
  }

  /// `steps` moves at most, `mib` copied at most.
  Optimum run(std::size_t steps, std::int64_t mib) {
    Optimum optimum;
    for (std::size_t step = 0; !layer_.empty(); ++step) {
      for (const auto& [key, reached] : layer_) {
        const double score = full_score(cluster_, reached.state, part_.nodes);
        optimum.any = std::min(optimum.any, score);
        if (step <= steps && reached.mib <= mib) optimum.within = std::min(optimum.within, score);
      }
      next_layer();
    }
    return optimum;
  }

 private:
  // A state comes up again where it is reached with less data.
  void next_layer() {
    std::map<Key, Reached> next;
    for (const auto& [key, reached] : layer_) {
      for (const InstanceId id : part_.instances) {
        if (!is_considered(cluster_, reached.state, {}, id)) continue;
        for_each_move(move_kinds(cluster_, reached.state, {}, id), reached.state[id], targets_,
                      [&, &key = key, &reached = reached](Move move) {
                        visit(key, reached, id, move, next);
                      });
      }
    }
    layer_ = std::move(next);
  }

  void visit(Key key, const Reached& from, InstanceId id, Move move, std::map<Key, Reached>& next) {
    auto effect = evaluate(cluster_, from.state, id, move, false);
    if (!effect) return;
    key[2 * id.index()] = effect->placement.primary.value();
    key[2 * id.index() + 1] = effect->placement.secondary.value();
    const std::int64_t mib = from.mib + copied_mib(cluster_, id, move);
    const auto [known, is_new] = best_mib_.emplace(key, mib);
    if (!is_new && known->second <= mib) return;
    known->second = mib;
    Reached reached{from.state, mib};
    apply(reached.state, id, std::move(*effect));
    next.insert_or_assign(std::move(key), std::move(reached));
  }

  const Cluster& cluster_;
  const Part& part_;
  std::vector<NodeId> targets_;
  std::map<Key, Reached> layer_;
  std::map<Key, std::int64_t> best_mib_;
};

struct Counts {
  std::size_t searched = 0;
  std::size_t found = 0;
  std::size_t better = 0;
};

std::string check(std::uint64_t seed, Counts& counts) {
  Random rnd(seed * 7919 + 5);
  const std::string text = random_cluster(rnd, seed % kLargeEvery == 0 ? kLarge : kSmall);
  auto snapshot = read_text(text, "case", {});
  if (!snapshot || !run_pipeline(*snapshot, {})) return "";
  const Part part = parts_of(snapshot->cluster, snapshot->state).front();
  ImproveOptions wish;
  wish.trials = 20000;
  wish.bound_work = kBoundWork;
  wish.seed = seed;
  wish.move_price = wish.data_price = 0;
  const ImproveResult result =
      improve(snapshot->cluster, snapshot->state, part, {}, wish, [] { return 0.0; });
  if (!(result.plan.score_before >= 0)) return "";
  const Optimum optimum = Oracle(snapshot->cluster, snapshot->state, part)
                              .run(result.plain.steps, result.plain.copied_mib);
  if (result.figures.score < optimum.within - kAlike)
    return "a plan below the true optimum\n" + text;
  if (result.at_least.score > optimum.any + kAlike)
    return "the bound is above an achievable score\n" + text;
  if (result.plain.steps == 0) return "";
  ++counts.searched;
  counts.found += result.figures.score <= optimum.within + kAlike ? 1 : 0;
  counts.better += result.is_better ? 1 : 0;
  return "";
}

}  // namespace

int main(int argc, char** argv) {
  const test::Seeds seeds = test::seeds_of(argc, argv, 40);
  Counts counts;
  const auto held = [&](std::uint64_t seed) { return check(seed, counts); };
  if (!test::holds_for_each(seeds, held)) return 1;
  std::cout << counts.searched << " clusters, optimum found in " << counts.found
            << ", better than step by step in " << counts.better << "\n";
  // Nine in ten: the rest needs a detour that the limits do not leave room for, or luck.
  return 10 * counts.found >= 9 * counts.searched ? 0 : 1;
}
