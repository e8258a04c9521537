// SPDX-License-Identifier: BSD-2-Clause
#include "filler.hpp"

#include <algorithm>
#include <set>

#include "ballast/ganeti/search/redundancy/emptying_check.hpp"

#include "ballast/ganeti/model/ids_of.hpp"

namespace ballast::ganeti::alloc {
namespace {

std::int64_t divided_toward_minus_infinity(std::int64_t a, std::int64_t b) {
  const std::int64_t quotient = a / b;
  return a % b != 0 && (a < 0) != (b < 0) ? quotient - 1 : quotient;
}

/// A redundancy test on a drbd instance without secondary ends the reference.
bool is_broken(const Cluster& cluster, const State& state) {
  return std::any_of(state.nodes.begin(), state.nodes.end(), [&](const NodeState& node) {
    return std::any_of(node.primaries.begin(), node.primaries.end(), [&](InstanceId id) {
      return has_secondary(cluster[id].disk_template) && state[id].secondary.is_none();
    });
  });
}

std::vector<NodeId> tested_nodes(const Cluster& cluster, std::span<const NodeId> nodes,
                                 const RedundancyOptions& options) {
  std::vector<NodeId> tested;
  for (const NodeId node : nodes) {
    if (must_be_evacuable(cluster, node, options)) tested.push_back(node);
  }
  return tested;
}

bool answer_of(Evacuation evacuation) {
  if (evacuation == Evacuation::ReferenceWouldDie)
    throw CapacityStop{CapacityFailure::ReferenceWouldDie};
  return evacuation == Evacuation::Possible;
}

}  // namespace

CapacityFiller::CapacityFiller(const Cluster& cluster, const State& state,
                               const CapacityScene& scene)
    : scene_(scene),
      cluster_(cluster),
      trial_(state),
      existing_(cluster.instances.size()),
      finder_(cluster_, trial_.state(), scene.candidates),
      nodes_(whole_part(cluster).nodes),
      tested_(tested_nodes(cluster, nodes_, scene.redundancy)),
      worse_(cluster, state, scene.redundancy.exempt_nodes),
      has_broken_instance_(is_broken(cluster, state)) {}

ReasonCounts CapacityFiller::fill(const InstanceSize& size, Limit limit) {
  last_size_ = size;
  keeps_burst_ = false;
  trial_.forget();
  if (!scene_.options.capacity_checks) return fill_plainly(size, false, limit).failures;
  // Mirrored instances are never placed by a test, and bursts that fail one are made again without:
  // only the abnormal ends need the bursts.
  const bool is_plain = is_mirrored() && !has_broken_instance_ && size.memory_mib != 0;
  return (is_plain ? fill_plainly(size, false, limit) : fill_in_bursts(size, limit)).failures;
}

CapacityFiller::Ended CapacityFiller::fill_plainly(const InstanceSize& size, bool is_tested,
                                                   Limit limit) {
  if (const auto known = failed_.find(size); known != failed_.end()) return {known->second, true};
  Wanted wanted(cluster_, scene_.options, size);
  finder_.set_wanted(wanted);
  for (;;) {
    wanted.id = InstanceId(cluster_.instances.size());
    const bool tests = is_tested && !is_mirrored();
    Attempt attempt = tests ? attempt_tested(wanted, limit) : attempt_plain(size, limit == 0);
    if (!attempt.placed) {
      if (!tests) failed_[size] = attempt.failures;
      return {attempt.failures, true};
    }
    if (limit == 0) return {attempt.failures, false};
    if (limit) --*limit;
    if (tests) {
      ahead_.clear();
    } else {
      ahead_.pop_back();
    }
    add(wanted, std::move(*attempt.placed));
  }
}

/// What is placed by it is the last one of ahead_.
Attempt CapacityFiller::attempt_plain(const InstanceSize& size, bool with_failures) {
  if (!ahead_.empty() && ahead_size_ == size) {
    if (auto attempt = finder_.attempt_known(ahead_.back(), with_failures))
      return *std::move(attempt);
  }
  Attempt attempt = finder_.attempt(with_failures);
  ahead_.clear();
  if (attempt.placed) ahead_.push_back(attempt.placed->placement.primary);
  ahead_size_ = size;
  return attempt;
}

Attempt CapacityFiller::attempt_tested(const Wanted& wanted, Limit limit) {
  const auto judge = [&](NodeId node) {
    return room().judge(node, wanted.of(cluster_[node].group));
  };
  if (limit != 0 && worse_.is_empty()) {
    if (auto attempt = finder_.attempt_accepted(judge)) return *std::move(attempt);
  }
  return place_one_by_one(cluster_, state(), wanted, scene_.candidates,
                          [&](const Placed& placed) { return stays_redundant(wanted, placed); });
}

CapacityFiller::Ended CapacityFiller::fill_in_bursts(const InstanceSize& size, Limit limit) {
  bool is_huge = true;
  keeps_burst_ = true;
  for (;;) {
    const std::size_t before = cluster_.instances.size();
    trial_.forget();
    // Where nothing fits the size of the burst is never needed, nor does the test change anything.
    const Ended first = fill_plainly(size, false, 0);
    if (first.nothing_fits && !has_broken_instance_ && !(size.memory_mib == 0 && limit))
      return first;
    if (is_huge && size.memory_mib == 0 && (!first.nothing_fits || (limit && is_redundant())))
      throw CapacityStop{CapacityFailure::NoMemory};

    const std::int64_t step = first.nothing_fits ? 0 : burst_of(size, is_huge);
    const std::int64_t burst = limit ? std::min(step, *limit) : step;
    const Ended ended = fill_plainly(size, false, burst);
    if (is_redundant()) {
      const Limit rest = limit ? Limit(std::max<std::int64_t>(0, *limit - step)) : std::nullopt;
      if (rest == 0 || cluster_.instances.size() == before) return ended;
      limit = rest;
      continue;
    }
    remove_all_after(before);
    if (!is_huge) return fill_plainly(size, true, limit);
    is_huge = false;
  }
}

std::int64_t CapacityFiller::burst_of(const InstanceSize& size, bool is_huge) const {
  constexpr std::int64_t kSmall = 10;
  constexpr std::int64_t kLeast = 20;
  if (!is_huge) return kSmall;
  std::int64_t available = 0;
  for (const NodeId node : nodes_) available += available_mem(cluster_[node], state()[node]);
  const std::int64_t guess = divided_toward_minus_infinity(available, size.memory_mib) -
                             static_cast<std::int64_t>(nodes_.size());
  return std::max(kLeast, guess);
}

void CapacityFiller::add(const Wanted& wanted, Placed&& placed) {
  if (this->placed() == kMostPlaced) throw CapacityStop{CapacityFailure::TooMany};
  Instance instance = wanted.of(cluster_[placed.placement.primary].group);
  instance.name = "new-" + std::to_string(this->placed());
  instance.alias = instance.name;
  cluster_.instances.push_back(std::move(instance));
  trial_.add(placed.placement);
  for (auto& [node, state] : placed.states) {
    trial_.replace(node, std::move(state));
    finder_.update(node);
    if (room_ && !room_->update(node)) room_.reset();
  }
  if (!keeps_burst_) trial_.forget();
  forget();
}

void CapacityFiller::forget() {
  failed_.clear();
  fitting_.clear();
}

void CapacityFiller::remove_all_after(std::size_t count) {
  for (std::size_t i = state().placements.size(); i-- > count;)
    ahead_.push_back(state().placements[i].primary);
  std::set<NodeId> changed;
  trial_.back_to(0, [&](NodeId node) { changed.insert(node); });
  forget();
  cluster_.instances.resize(count);
  for (const NodeId node : changed) {
    finder_.update(node);
    if (room_ && !room_->update(node)) room_.reset();
  }
}

CapacityRoom& CapacityFiller::room() {
  if (!room_) room_.emplace(cluster_, state(), tested_);
  return *room_;
}

bool CapacityFiller::is_redundant() {
  if (!worse_.holds(cluster_, state())) return false;
  if (const Verdict verdict = room().judge(); verdict != Verdict::Unknown)
    return verdict == Verdict::Holds;
  return answer_of(global_redundancy(cluster_, state(), nodes_, scene_.redundancy));
}

bool CapacityFiller::stays_redundant(const Wanted& wanted, const Placed& placed) {
  const Instance& instance = wanted.of(cluster_[placed.placement.primary].group);
  const Verdict verdict = room().judge(placed.placement.primary, instance);
  if (verdict != Verdict::Unknown && (verdict == Verdict::Fails || worse_.is_empty()))
    return verdict == Verdict::Holds;
  const TrialState::Mark before = trial_.mark();
  cluster_.instances.push_back(instance);
  trial_.add(placed.placement);
  for (const auto& [node, after] : placed.states) trial_.replace(node, NodeState(after));
  const bool answer = worse_.holds(cluster_, state()) &&
                      answer_of(global_redundancy(cluster_, state(), nodes_, scene_.redundancy));
  trial_.back_to(before);
  cluster_.instances.pop_back();
  return answer;
}

ReasonCounts CapacityFiller::fill_shrinking(const InstanceSize& size, Limit limit) {
  // Smaller and smaller sizes are tried below a size that no longer fits. Once one of them fits,
  // the larger ones are done with; until then each of them still has its other reasons to answer.
  std::vector<Tier> tiers;
  Tier next{size, {}, limit};
  ReasonCounts result{};
  for (;;) {
    for (std::optional<InstanceSize> smaller = next.size; smaller;) {
      next.size = *smaller;
      const std::size_t before = placed();
      result = next.failures = fill(next.size, next.limit);
      if (placed() > before) tiers.clear();
      const auto count = static_cast<std::int64_t>(placed());
      if (next.limit && *next.limit <= count) break;
      if (next.limit) *next.limit -= count;
      tiers.push_back(next);
      smaller = shrunk(next.size, by_frequency(next.failures).back());
    }
    std::optional<InstanceSize> fitting;
    while (!fitting) {
      if (tiers.empty()) return result;
      next = tiers.back();
      tiers.pop_back();
      result = next.failures;
      last_size_ = next.size;
      fitting = fit_by_any(next);
    }
    next.size = *fitting;
  }
}

std::optional<InstanceSize> CapacityFiller::fit_by_any(const Tier& tier) {
  std::vector<FailReason> reasons = by_frequency(tier.failures);
  std::reverse(reasons.begin(), reasons.end());
  for (const FailReason reason : reasons) {
    if (const auto fitting = fit_by(reason, tier.size)) return fitting;
  }
  return std::nullopt;
}

std::optional<InstanceSize> CapacityFiller::fit_by(FailReason reason, const InstanceSize& size) {
  std::vector<InstanceSize> tried;
  std::optional<InstanceSize> found;
  for (std::optional<InstanceSize> next = size; next;) {
    const auto known = fitting_.find({reason, *next});
    if (known != fitting_.end()) {
      found = known->second;
      break;
    }
    tried.push_back(*next);
    const auto smaller = shrunk(*next, reason);
    if (!smaller) break;
    const Attempt attempt = ask(*next);
    if (attempt.placed) found = *next;
    if (attempt.placed || attempt.failures[static_cast<std::size_t>(reason)] == 0) break;
    next = smaller;
  }
  // All sizes on the way have the same answer.
  for (const InstanceSize& one : tried) fitting_[{reason, one}] = found;
  return found;
}

Attempt CapacityFiller::ask(const InstanceSize& size) {
  if (const auto known = failed_.find(size); known != failed_.end()) return {{}, known->second};
  const Cluster& cluster = cluster_;
  Wanted wanted(cluster, scene_.options, size);
  finder_.set_wanted(wanted);
  Attempt untested = finder_.attempt(false);
  if (!untested.placed || !scene_.options.capacity_checks) return untested;
  if (!worse_.is_empty()) {
    wanted.id = InstanceId(cluster.instances.size());
    return place_one_by_one(cluster, state(), wanted, scene_.candidates,
                            [&](const Placed& placed) { return stays_redundant(wanted, placed); });
  }
  const auto judge = [&](NodeId node) {
    return room().judge(node, wanted.of(cluster[node].group));
  };
  if (auto attempt = finder_.attempt_accepted(judge)) return *std::move(attempt);
  ScopedCluster scope;
  scope.cluster = &cluster;
  scope.nodes = nodes_;
  for (const NodeState& node : state().nodes) scope.states.push_back(&node);
  for (const InstanceId id : instance_ids(cluster)) {
    scope.instances.set(id.value(), Record{id, &cluster[id], state()[id], false});
  }
  const bool tests_all = tested_.size() == nodes_.size();
  const CapacityTest test(scope, tests_all ? std::nullopt : std::optional(tested_));
  const Acceptance accept = [&](const Placed& placed) {
    const Instance& instance = wanted.of(cluster[placed.placement.primary].group);
    const Verdict verdict = room().judge(placed.placement.primary, instance);
    if (verdict != Verdict::Unknown) return verdict == Verdict::Holds;
    const Record record{InstanceId(), &instance, placed.placement, true};
    std::vector<ChangedNode> changes;
    for (const auto& [node, state] : placed.states) changes.push_back({node, &state});
    try {
      return test.holds({changes, &record});
    } catch (const ReferenceDies&) {
      throw CapacityStop{CapacityFailure::ReferenceWouldDie};
    }
  };
  return place_one_by_one(cluster, state(), wanted, scene_.candidates, accept);
}

std::optional<InstanceSize> shrunk(const InstanceSize& size, FailReason reason) {
  const auto by = [&](std::int64_t InstanceSize::*figure, std::int64_t step,
                      std::int64_t least) -> std::optional<InstanceSize> {
    InstanceSize smaller = size;
    smaller.*figure -= step;
    if (smaller.*figure < least) return std::nullopt;
    return smaller;
  };
  constexpr std::int64_t kMemoryStep = 64;
  constexpr std::int64_t kDiskStep = 256;
  switch (reason) {
    case FailReason::Mem:
      return by(&InstanceSize::memory_mib, kMemoryStep, kMemoryStep);
    case FailReason::Disk:
      return by(&InstanceSize::disk_mib, kDiskStep, kDiskStep);
    case FailReason::Cpu:
      return by(&InstanceSize::vcpus, 1, 1);
    case FailReason::Spindles:
      return by(&InstanceSize::spindles, 1, 1);
    default:
      return std::nullopt;
  }
}

std::vector<FailReason> by_frequency(const ReasonCounts& counts) {
  std::vector<FailReason> reasons;
  for (std::size_t r = 0; r < counts.size(); ++r) reasons.push_back(static_cast<FailReason>(r));
  std::stable_sort(reasons.begin(), reasons.end(), [&](FailReason a, FailReason b) {
    return counts[static_cast<std::size_t>(a)] < counts[static_cast<std::size_t>(b)];
  });
  return reasons;
}

}  // namespace ballast::ganeti::alloc
