// SPDX-License-Identifier: BSD-2-Clause
#include "ballast/ganeti/search/capacity/capacity.hpp"

#include "ballast/ganeti/model/ids_of.hpp"

#include <algorithm>
#include <range/v3/range/conversion.hpp>
#include <range/v3/view/filter.hpp>

#include "filler.hpp"
#include "thorough.hpp"
#include "why_full.hpp"

namespace ballast::ganeti {

using alloc::CapacityFiller;
using alloc::CapacityScene;
using alloc::CapacityStop;

InstanceSize size_of(const InstanceSpec& spec) {
  return {spec.memory_mib, spec.disk_mib, spec.cpu_count, spec.spindle_use};
}

class CapacityPlanner::Impl {
 public:
  Impl(const Cluster& cluster, const State& state, CapacityOptions options)
      : cluster_(cluster), state_(state), options_(std::move(options)) {
    for (const NodeId node : whole_part(cluster).nodes) {
      if (!cluster[node].is_offline && state[node].fails_n1) bad_nodes_.push_back(node);
    }
  }

  [[nodiscard]] const std::vector<NodeId>& bad_nodes() const { return bad_nodes_; }

  const std::vector<GroupId>& bad_groups() {
    if (bad_groups_) return *bad_groups_;
    std::vector<GroupId> bad;
    for (const GroupId id : group_ids(cluster_)) {
      const Part part = part_of(cluster_, state_, id);
      const Evacuation answer =
          global_redundancy(cluster_, state_, part.nodes, {options_.accept_existing_errors, {}});
      if (answer == Evacuation::ReferenceWouldDie)
        throw CapacityStop{CapacityFailure::ReferenceWouldDie};
      if (answer == Evacuation::Impossible) bad.push_back(id);
    }
    return bad_groups_.emplace(std::move(bad));
  }

  const std::vector<CapacityCandidate>& candidates() {
    if (scene_) return scene_->candidates;
    const auto is_allowed = [&](NodeId node) {
      return !cluster_[node].is_offline && !is_unallocable(cluster_[node].group);
    };
    const std::vector<NodeId> all = whole_part(cluster_).nodes;
    const auto allowed = all | ranges::views::filter(is_allowed) | ranges::to<std::vector>();
    CapacityScene scene{options_, {}, {options_.accept_existing_errors, {}}};
    if (options_.independent_groups) scene.redundancy.exempt = bad_groups();
    if (options_.no_worse)
      scene.redundancy.exempt_nodes = nodes_that_cannot_be_emptied(cluster_, state_);
    const bool is_pair = has_secondary(options_.disk_template);
    for (const NodeId node : allowed) {
      const auto is_partner = [&](NodeId other) {
        return is_pair && other != node && cluster_[other].group == cluster_[node].group;
      };
      CapacityCandidate candidate{
          node, allowed | ranges::views::filter(is_partner) | ranges::to<std::vector>()};
      if (!is_pair || !candidate.secondaries.empty())
        scene.candidates.push_back(std::move(candidate));
    }
    return scene_.emplace(std::move(scene)).candidates;
  }

  CapacityRun fixed(const InstanceSize& size) {
    if (is_suppressed()) return suppressed_run(size);
    CapacityFiller filler(cluster_, state_, ready_scene());
    const ReasonCounts failures = filler.fill(size, limit());
    return {filler.take(), failures, false, size};
  }

  CapacityRun tiered(std::span<const InstanceSize> sizes) {
    if (is_suppressed()) return suppressed_run(sizes.front());
    CapacityRun run{{cluster_, state_, cluster_.instances.size()}, std::nullopt, false, {}};
    std::optional<CapacityFiller> filler;
    for (const InstanceSize& size : sizes) {
      CapacityFiller::Limit left = limit();
      const auto placed = static_cast<std::int64_t>(filler ? filler->placed() : 0);
      if (left && *left <= placed) continue;
      if (left) *left -= placed;
      if (!filler) filler.emplace(cluster_, state_, ready_scene());
      run.failures = filler->fill_shrinking(size, left);
      run.last_size = filler->last_size();
    }
    if (filler) run.filled = filler->take();
    return run;
  }

  ThoroughRun thorough(std::span<const InstanceSize> sizes, const InstanceSize& standard) {
    CapacityRun usual = tiered(sizes);
    if (usual.is_suppressed) return {std::move(usual), 0, 0, 0, {}};
    const CapacityFiller::Limit limit =
        options_.max_length < 0 ? std::nullopt : CapacityFiller::Limit(options_.max_length);
    alloc::ThoroughSearch search(cluster_, state_, ready_scene(), standard, limit);
    return search.run(sizes, std::move(usual));
  }

  std::vector<FullNode> why_full(const CapacityRun& run) {
    if (run.is_suppressed) return alloc::nodes_that_lack_memory(cluster_, state_, bad_nodes_);
    return alloc::who_refuses(cluster_, state_, ready_scene(), run);
  }

 private:
  [[nodiscard]] CapacityFiller::Limit limit() const {
    return options_.max_length == -1 ? std::nullopt : CapacityFiller::Limit(options_.max_length);
  }

  bool is_unallocable(GroupId group) {
    if (cluster_[group].alloc_policy == AllocPolicy::Unallocable) return true;
    const auto is_in = [&](const auto& list, auto wanted) {
      return std::find(list.begin(), list.end(), wanted) != list.end();
    };
    const bool has_bad_node = std::any_of(bad_nodes_.begin(), bad_nodes_.end(), [&](NodeId node) {
      return cluster_[node].group == group;
    });
    if (options_.no_worse) return false;
    if (has_bad_node && !options_.accept_existing_errors) return true;
    return options_.independent_groups && is_in(bad_groups(), group);
  }

  bool is_suppressed() {
    if (options_.accept_existing_errors || options_.no_worse) return false;
    if (options_.independent_groups) {
      bad_groups();  // looked at even where a bad node decides already: that may be the end
      for (const GroupId id : group_ids(cluster_)) {
        if (!is_unallocable(id)) return false;
      }
    }
    return !bad_nodes_.empty();
  }

  [[nodiscard]] CapacityRun suppressed_run(const InstanceSize& size) const {
    ReasonCounts failures{};
    failures[static_cast<std::size_t>(FailReason::N1)] = 1;
    return {{cluster_, state_, cluster_.instances.size()}, failures, true, size};
  }

  const CapacityScene& ready_scene() {
    if (candidates().empty()) {
      throw CapacityStop{has_secondary(options_.disk_template) ? CapacityFailure::NotEnoughNodes
                                                               : CapacityFailure::NoOnlineNodes};
    }
    return *scene_;
  }

  const Cluster& cluster_;
  const State& state_;
  CapacityOptions options_;
  std::vector<NodeId> bad_nodes_;
  std::optional<std::vector<GroupId>> bad_groups_;
  std::optional<CapacityScene> scene_;
};

CapacityPlanner::CapacityPlanner(const Cluster& cluster, const State& state,
                                 CapacityOptions options)
    : impl_(std::make_unique<Impl>(cluster, state, std::move(options))) {}

CapacityPlanner::~CapacityPlanner() = default;

const std::vector<NodeId>& CapacityPlanner::bad_nodes() const { return impl_->bad_nodes(); }

namespace {

template <class Ask>
auto told_as_value(Ask ask) -> OrCapacityFailure<std::decay_t<decltype(ask())>> {
  try {
    return ask();
  } catch (const CapacityStop& stop) {
    return tl::unexpected<CapacityFailure>(stop.failure);
  }
}

}  // namespace

OrCapacityFailure<std::vector<GroupId>> CapacityPlanner::bad_groups() {
  return told_as_value([&] { return impl_->bad_groups(); });
}

OrCapacityFailure<std::vector<CapacityCandidate>> CapacityPlanner::candidates() {
  return told_as_value([&] { return impl_->candidates(); });
}

OrCapacityFailure<CapacityRun> CapacityPlanner::fixed(const InstanceSize& size) {
  return told_as_value([&] { return impl_->fixed(size); });
}

OrCapacityFailure<CapacityRun> CapacityPlanner::tiered(std::span<const InstanceSize> sizes) {
  return told_as_value([&] { return impl_->tiered(sizes); });
}

OrCapacityFailure<ThoroughRun> CapacityPlanner::thorough(std::span<const InstanceSize> sizes,
                                                         const InstanceSize& standard) {
  return told_as_value([&] { return impl_->thorough(sizes, standard); });
}

OrCapacityFailure<std::vector<FullNode>> CapacityPlanner::why_full(const CapacityRun& run) {
  return told_as_value([&] { return impl_->why_full(run); });
}

}  // namespace ballast::ganeti
