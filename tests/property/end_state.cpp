// SPDX-License-Identifier: BSD-2-Clause
// The end state of the search against the model, on random clusters of all kinds: after random
// changes, taken back or kept, its score is the model's full score of the same placements, its cost
// is what the way there takes, and the way back leads to where it began.
#include "../../src/ganeti/search/improve/end_state.hpp"

#include <cmath>
#include <iostream>

#include "ballast/ganeti/backend/text/text.hpp"
#include "ballast/ganeti/loading/pipeline.hpp"
#include "ballast/ganeti/score/metrics.hpp"
#include "support/each_seed.hpp"
#include "support/random_cluster.hpp"

using namespace ballast;
using namespace ballast::ganeti;

namespace {

constexpr int kChanges = 60;
constexpr double kAlike = 1e-5;  // a deviation of 0 is the root of what rounding leaves

struct Counts {
  std::size_t compared = 0;
  std::size_t exclusive = 0;
  std::size_t storage = 0;
  std::size_t forthcoming_tags = 0;
};

/// The moves that lead from one placement of a mirrored instance to another, at most two.
std::vector<Move> way_of(const Placement& from, NodeId primary, NodeId secondary) {
  using enum MoveKind;
  if (primary == from.primary) return {{ReplaceSecondary, secondary}};
  if (primary == from.secondary && secondary == from.primary) return {{Failover, {}}};
  if (primary == from.secondary) return {{FailoverAndReplace, secondary}};
  if (secondary == from.primary) return {{ReplaceAndFailover, primary}};
  if (secondary == from.secondary) return {{ReplacePrimary, primary}};
  return {{ReplaceAndFailover, primary}, {ReplaceSecondary, secondary}};
}

/// The model's state with the instances at these placements, whatever the limits.
State moved(const Cluster& cluster, const State& start, const std::vector<Placement>& placements) {
  State state = start;
  for (std::size_t i = 0; i < placements.size(); ++i) {
    const InstanceId id(i);
    const Placement& to = placements[i];
    const Placement from = state[id];
    if (to.primary == from.primary && to.secondary == from.secondary) continue;
    const std::vector<Move> way = has_secondary(cluster[id].disk_template)
                                      ? way_of(from, to.primary, to.secondary)
                                      : std::vector<Move>{{MoveKind::FailoverToAny, to.primary}};
    for (const Move move : way) apply(state, id, *evaluate_unchecked(cluster, state, id, move));
  }
  return state;
}

class Case {
 public:
  Case(const Snapshot& snapshot, const Part& part, const BalanceOptions& options, Random& rnd)
      : snapshot_(snapshot),
        part_(part),
        ends_(snapshot.cluster, snapshot.state, part, options),
        rnd_(rnd) {}

  std::string run(Counts& counts) {
    const double at_start = full_score(snapshot_.cluster, snapshot_.state, part_.nodes);
    if (!std::isfinite(at_start) || ends_.count() == 0 || ends_.target_count() < 2) return "";
    if (std::string wrong = compare(); !wrong.empty()) return "at the start, " + wrong;
    ends_.set_softness(1);
    for (int change = 0; change < kChanges; ++change) {
      if (rnd_.chance(5)) ends_.set_hardness(rnd_.chance(50) ? 1 : 0.3);
      const double before = ends_.score();
      const double soft_before = ends_.blurred_score();
      const std::int64_t length = rnd_.between(1, 3);
      for (std::int64_t k = 0; k < length; ++k) place_any();
      if (std::string wrong = compare(); !wrong.empty()) return wrong;
      ++counts.compared;
      if (rnd_.chance(60)) {
        ends_.keep();
        continue;
      }
      ends_.take_back();
      if (std::abs(ends_.score() - before) > kAlike) return "taking back changes the score";
      if (std::abs(ends_.blurred_score() - soft_before) > kAlike)
        return "taking back changes the soft score";
    }
    ends_.adopt(snapshot_.state.placements);
    if (std::abs(ends_.score() - at_start) > kAlike) return "the way back changes the score";
    if (ends_.total().steps != 0 || ends_.total().mib != 0) return "being at home costs something";
    return ends_.walls() > kAlike && !fails_n1() ? "there is a wall at the start" : "";
  }

 private:
  void place_any() {
    const std::size_t i = rnd_.below(ends_.count());
    const auto any = [&] { return static_cast<std::int32_t>(rnd_.below(ends_.target_count())); };
    const Spot& home = ends_.home(i);
    const Spot& now = ends_.spot(i);
    Spot spot{any(), -1};
    if (ends_.is_mirrored(i)) spot.secondary = any();
    if (rnd_.chance(20)) spot.primary = rnd_.chance(50) ? home.primary : now.primary;
    if (ends_.is_mirrored(i) && rnd_.chance(20))
      spot.secondary = rnd_.chance(50) ? now.primary : home.secondary;
    if (rnd_.chance(10)) spot = home;
    if (spot != now && ends_.may_be(i, spot)) ends_.place(i, spot);
  }

  std::string compare() const {
    const State state = moved(snapshot_.cluster, snapshot_.state, ends_.placements());
    const double full = full_score(snapshot_.cluster, state, part_.nodes);
    if (ends_.blurred_score() < ends_.score() - kAlike)
      return "the soft reserve is below the true one";
    if (std::abs(full - ends_.score()) <= kAlike * (1 + std::abs(full) / 1000)) return "";
    return "the fast score is " + std::to_string(ends_.score()) + ", the model's is " +
           std::to_string(full) + "\n" +
           score_table(snapshot_.cluster, score_detail(snapshot_.cluster, state, part_.nodes));
  }

  [[nodiscard]] bool fails_n1() const {
    return std::any_of(part_.nodes.begin(), part_.nodes.end(), [&](NodeId node) {
      return !snapshot_.cluster[node].is_offline && snapshot_.state[node].fails_n1;
    });
  }

  const Snapshot& snapshot_;
  const Part& part_;
  EndState ends_;
  Random& rnd_;
};

void count_kind(const Cluster& cluster, Counts& counts) {
  const auto is_exclusive = [](const Node& node) { return node.has_exclusive_storage; };
  const auto is_tagged_shadow = [](const Instance& instance) {
    return instance.is_forthcoming && !instance.exclusion_tags.empty();
  };
  const auto& nodes = cluster.nodes;
  const auto& instances = cluster.instances;
  counts.exclusive += std::any_of(nodes.begin(), nodes.end(), is_exclusive) ? 1U : 0U;
  counts.storage += cluster.has_storage ? 1U : 0U;
  counts.forthcoming_tags +=
      std::any_of(instances.begin(), instances.end(), is_tagged_shadow) ? 1U : 0U;
}

std::string check(std::uint64_t seed, Counts& counts) {
  Random rnd(seed * 7907 + 11);
  const test::RandomCluster cluster_text = test::ClusterGenerator(seed).make();
  auto snapshot = read_text(cluster_text.text(), "case", {});
  PipelineOptions pipeline;
  if (auto loads = read_utilisation(cluster_text.load_text())) pipeline.utilisation = *loads;
  if (!snapshot || !run_pipeline(*snapshot, pipeline)) return "";
  count_kind(snapshot->cluster, counts);
  BalanceOptions options;
  if (rnd.chance(10)) options.evacuation = true;
  if (rnd.chance(10)) options.disk_moves = false;
  if (rnd.chance(10)) options.instance_moves = false;
  if (rnd.chance(10)) options.restricted_migration = true;
  if (rnd.chance(10)) options.ignore_soft_errors = true;
  for (const Part& part : parts_of(snapshot->cluster, snapshot->state)) {
    const std::string wrong = Case(*snapshot, part, options, rnd).run(counts);
    if (!wrong.empty()) return wrong + "\n" + cluster_text.text();
  }
  return "";
}

}  // namespace

int main(int argc, char** argv) {
  const test::Seeds seeds = test::seeds_of(argc, argv, 200);
  Counts counts;
  const auto held = [&](std::uint64_t seed) { return check(seed, counts); };
  if (!test::holds_for_each(seeds, held)) return 1;
  std::cout << seeds.count << " clusters, " << counts.compared << " states, " << counts.exclusive
            << " with exclusive storage, " << counts.storage << " with units, "
            << counts.forthcoming_tags << " with tags of forthcoming instances\n";
  const bool has_all = counts.exclusive > 0 && counts.storage > 0 && counts.forthcoming_tags > 0;
  return has_all || seeds.count < 100 ? 0 : 1;
}
