// SPDX-License-Identifier: BSD-2-Clause
#include "ballast/ganeti/search/reboot/reboot.hpp"
#include "ballast/ganeti/model/ids_of.hpp"

#include <algorithm>
#include <set>
#include <utility>

#include "ballast/ganeti/rules/placement_rules.hpp"
#include "scene.hpp"

namespace ballast::ganeti {
namespace {

/// Its disks can be reached from every node of the group.
bool is_on_shared_storage(DiskTemplate disk_template) {
  return mirroring_of(disk_template) == Mirroring::External;
}

struct SceneGroup {
  std::vector<NodeId> nodes;
  RebootScene scene;
};

/// The steps of the planning, with what they all need.
class Planner {
 public:
  Planner(const Cluster& cluster, const State& state, const RebootOptions& options)
      : cluster_(cluster),
        initial_(cluster, state),
        leaves_mirrored_(!options.offline_maintenance) {
    for (const NodeId node : node_ids(cluster)) {
      if (!cluster[node].is_offline) targets_.push_back(node);
    }
  }

  [[nodiscard]] const RebootScene& initial() const { return initial_; }

  /// Splits each class into groups that can be emptied of instances without a mirror.
  /// `shared_only`: of those on shared storage alone.
  [[nodiscard]] std::optional<std::vector<SceneGroup>> clear_non_redundant(
      const ColourClasses& classes, bool shared_only, std::vector<InstanceLeft>& stuck) const {
    std::vector<SceneGroup> groups;
    const auto instances = [&](const RebootScene& scene, NodeId node) {
      std::vector<InstanceId> found;
      std::ranges::copy_if(scene.state(node).primaries, std::back_inserter(found),
                           [&](InstanceId i) {
                             const DiskTemplate kind = cluster_[i].disk_template;
                             return shared_only ? is_on_shared_storage(kind) : !has_secondary(kind);
                           });
      return sets_of(found, scene);
    };
    const auto relocate = [&](RebootScene& scene, const MovingSet& set, std::vector<NodeId> targets,
                              std::vector<NotThere>& tried) {
      if (set.is_bound) std::erase_if(targets, [&](NodeId to) { return to != set.follows; });
      if (targets.empty() && set.is_bound)
        tried.push_back({set.follows, set.of_its_own.front(), {}});
      if (cluster_.rules.has_prices()) {
        std::ranges::stable_sort(targets, {},
                                 [&](NodeId to) { return scene.price_on(set.of_its_own, to); });
      }
      return std::ranges::any_of(targets, [&](NodeId to) {
        return is_moved(scene.move_primaries(set.of_its_own, to, set.is_bound), tried);
      });
    };
    for (const auto& colour_class : classes) {
      if (!partition(colour_class, initial_, instances, relocate, groups, stuck))
        return std::nullopt;
    }
    return groups;
  }

  /// Fails over every mirrored primary of the group's nodes.
  [[nodiscard]] std::optional<RebootFailure> migrate(SceneGroup& group,
                                                     std::vector<InstanceLeft>& stuck) const {
    std::vector<InstanceId> mirrored;
    for (const NodeId node : group.nodes) {
      std::ranges::copy_if(group.scene.state(node).primaries, std::back_inserter(mirrored),
                           [&](InstanceId i) { return has_secondary(cluster_[i].disk_template); });
    }
    for (const InstanceId i : mirrored) {
      if (group.scene.placement(i).secondary.is_none()) return RebootFailure::ReferenceWouldDie;
    }
    for (const MovingSet& set : sets_of(mirrored, group.scene)) {
      const NodeId node = group.scene.placement(set.of_its_own.front()).primary;
      if (auto no = group.scene.fail_over_all(set.of_its_own, !set.is_bound)) {
        stuck.push_back({node, set.all, {std::move(*no)}});
        return RebootFailure::Migration;
      }
    }
    group.scene.forget_history();
    return std::nullopt;
  }

  /// Splits the group so that each part can be emptied of secondaries.
  bool clear_secondaries(const SceneGroup& group, std::vector<SceneGroup>& parts,
                         std::vector<InstanceLeft>& stuck) const {
    const auto instances = [](const RebootScene& scene, NodeId node) {
      std::vector<MovingSet> single;
      for (const InstanceId i : scene.state(node).secondaries) single.push_back({{i}, {i}});
      return single;
    };
    const auto relocate = [](RebootScene& scene, const MovingSet& single,
                             const std::vector<NodeId>& targets, std::vector<NotThere>& tried) {
      const InstanceId i = single.all.front();
      return std::ranges::any_of(targets, [&](NodeId to) {
        auto no = scene.move_secondary(i, to);
        return is_moved(no ? std::optional(NotThere{to, i, std::move(no)}) : std::nullopt, tried);
      });
    };
    return partition(group.nodes, group.scene, instances, relocate, parts, stuck);
  }

 private:
  /// What a rule keeps together, or one instance.
  struct MovingSet {
    std::vector<InstanceId> all;         ///< index order
    std::vector<InstanceId> of_its_own;  ///< those of them that are moved now
    bool is_bound = false;  ///< the others fail over to `follows` when the node is emptied, none:
                            ///< to several nodes, or not at all
    NodeId follows;
  };

  static bool is_moved(std::optional<NotThere> refused, std::vector<NotThere>& tried) {
    if (refused) tried.push_back(std::move(*refused));
    return !refused;
  }

  /// Each set at the place of its first. What is mirrored goes to its secondary without being
  /// planned here: then the rest of the set goes there, too.
  [[nodiscard]] std::vector<MovingSet> sets_of(const std::vector<InstanceId>& instances,
                                               const RebootScene& scene) const {
    std::vector<MovingSet> sets;
    std::set<InstanceId> seen;
    for (const InstanceId i : instances) {
      if (seen.contains(i)) continue;
      MovingSet set;
      set.all = companions_on(cluster_, scene.state(scene.placement(i).primary), i);
      for (const InstanceId one : set.all) {
        if (std::ranges::find(instances, one) != instances.end()) {
          set.of_its_own.push_back(one);
          continue;
        }
        const NodeId secondary = leaves_mirrored_ && has_secondary(cluster_[one].disk_template)
                                     ? scene.placement(one).secondary
                                     : NodeId();
        set.follows = !set.is_bound || set.follows == secondary ? secondary : NodeId();
        set.is_bound = true;
      }
      seen.insert(set.of_its_own.begin(), set.of_its_own.end());
      sets.push_back(std::move(set));
    }
    return sets;
  }

  /// One greedy pass: the nodes of `list` that could be emptied, in order; `scene` is what is left.
  /// A node that is emptied is no target for those after it, one that comes later still is.
  template <class Instances, class Relocate>
  std::vector<NodeId> clear(const std::vector<NodeId>& list, RebootScene& scene,
                            Instances instances_of, Relocate relocate,
                            std::vector<InstanceLeft>& stuck) const {
    std::vector<NodeId> targets = targets_;
    std::vector<NodeId> cleared;
    for (const NodeId node : list) {
      const RebootScene::Mark before = scene.mark();
      const auto is_allowed = [&, group = scene.group(node)](NodeId t) {
        return t != node && scene.group(t) == group;
      };
      std::vector<NodeId> allowed;
      std::ranges::copy_if(targets, std::back_inserter(allowed), is_allowed);
      const auto sets = instances_of(std::as_const(scene), node);
      std::vector<NotThere> tried;
      const auto left = std::ranges::find_if_not(sets, [&](const MovingSet& set) {
        tried.clear();
        return relocate(scene, set, allowed, tried);
      });
      if (left != sets.end()) {
        stuck.push_back({node, left->all, std::move(tried)});
        scene.take_back(before);
        continue;
      }
      cleared.push_back(node);
      std::erase(targets, node);
    }
    return cleared;
  }

  /// Clears again and again, each time from the start, until the whole list is done. False: some
  /// nodes can never be emptied, `stuck` says for which instances.
  template <class Instances, class Relocate>
  bool partition(std::vector<NodeId> list, const RebootScene& start, Instances instances_of,
                 Relocate relocate, std::vector<SceneGroup>& groups,
                 std::vector<InstanceLeft>& stuck) const {
    while (!list.empty()) {
      RebootScene scene = start;
      stuck.clear();
      const std::vector<NodeId> cleared = clear(list, scene, instances_of, relocate, stuck);
      if (cleared.empty()) return false;
      std::erase_if(list, [&](NodeId n) { return std::ranges::find(cleared, n) != cleared.end(); });
      scene.forget_history();
      groups.push_back({cleared, std::move(scene)});
    }
    return true;
  }

  const Cluster& cluster_;
  RebootScene initial_;
  bool leaves_mirrored_;  ///< they fail over when their node is emptied
  std::vector<NodeId> targets_;
};

bool has_any_tag(const Node& node, const std::vector<std::string>& tags) {
  return std::ranges::any_of(
      node.tags, [&](const std::string& t) { return std::ranges::find(tags, t) != tags.end(); });
}

std::vector<bool> eligible_nodes(const Cluster& cluster, const State& state,
                                 const RebootOptions& options) {
  std::vector<bool> eligible(cluster.nodes.size());
  for (const NodeId id : node_ids(cluster)) {
    const Node& node = cluster[id];
    const bool has_non_redundant = std::ranges::any_of(state[id].primaries, [&](InstanceId i) {
      const DiskTemplate kind = cluster[i].disk_template;
      return !has_secondary(kind) && !(options.shared_is_movable && is_on_shared_storage(kind));
    });
    eligible[id.index()] = !node.is_offline && !(options.skip_non_redundant && has_non_redundant) &&
                           (!options.node_tags || has_any_tag(node, *options.node_tags)) &&
                           (options.only_group.is_none() || options.only_group == node.group);
  }
  return eligible;
}

const ColourClasses& fewest_colours(const std::array<Colouring, 3>& colourings) {
  return std::ranges::min_element(colourings, {},
                                  [](const Colouring& c) { return c.classes.size(); })
      ->classes;
}

std::vector<RebootPlacement> moves_between(const Cluster& cluster, const RebootScene& before,
                                           const RebootScene& after) {
  std::vector<RebootPlacement> moves;
  for (std::size_t index = 0; index < cluster.instances.size(); ++index) {
    const InstanceId i(index);
    const Placement& from = before.placement(i);
    const Placement& to = after.placement(i);
    const bool is_mirrored = has_secondary(cluster[i].disk_template);
    const bool is_moved =
        from.primary != to.primary || (is_mirrored && from.secondary != to.secondary);
    const bool is_swapped =
        is_mirrored && from.primary == to.secondary && from.secondary == to.primary;
    if (!is_moved) continue;
    const auto shown = [&](NodeId n) { return n.is_none() ? n : after.self(n); };
    moves.push_back(
        {i, to.primary, to.secondary, shown(to.primary), shown(to.secondary), is_swapped});
  }
  return moves;
}

/// Without phantoms, longest first, the master last in its group and its group last.
std::vector<RebootGroup> ordered(std::vector<RebootGroup> groups, const std::vector<bool>& eligible,
                                 NodeId master) {
  for (RebootGroup& group : groups) {
    std::erase_if(group.nodes, [&](NodeId n) { return !eligible[n.index()]; });
    std::stable_partition(group.nodes.begin(), group.nodes.end(),
                          [&](NodeId n) { return n != master; });
  }
  std::ranges::stable_sort(groups, [](const RebootGroup& a, const RebootGroup& b) {
    return a.nodes.size() > b.nodes.size();
  });
  std::stable_partition(groups.begin(), groups.end(), [&](const RebootGroup& group) {
    return master.is_none() || std::ranges::find(group.nodes, master) == group.nodes.end();
  });
  return groups;
}

std::optional<RebootFailure> evacuate_fully(const Planner& planner, std::vector<SceneGroup>& groups,
                                            std::vector<InstanceLeft>& stuck) {
  for (SceneGroup& group : groups) {
    if (const auto failure = planner.migrate(group, stuck)) return failure;
  }
  std::vector<SceneGroup> parts;
  for (const SceneGroup& group : groups) {
    if (!planner.clear_secondaries(group, parts, stuck)) return RebootFailure::Secondaries;
  }
  groups = std::move(parts);
  return std::nullopt;
}

std::optional<std::vector<SceneGroup>> first_groups(const Planner& planner,
                                                    const ColourClasses& classes,
                                                    const RebootOptions& options,
                                                    std::vector<InstanceLeft>& stuck) {
  const bool moves_some = !options.ignore_non_redundant || options.shared_is_movable;
  if (moves_some) return planner.clear_non_redundant(classes, options.ignore_non_redundant, stuck);
  std::vector<SceneGroup> groups;
  for (const auto& colour_class : classes) groups.push_back({colour_class, planner.initial()});
  return groups;
}

}  // namespace

RebootPlan plan_reboots(const Cluster& cluster, const State& state, const RebootOptions& options) {
  RebootPlan plan;
  const std::vector<bool> eligible = eligible_nodes(cluster, state, options);
  if (std::ranges::find(eligible, true) == eligible.end()) {
    plan.failure = RebootFailure::NoNodes;
    return plan;
  }
  plan.graph = reboot_graph(cluster, state, eligible, options.offline_maintenance);
  plan.colourings = colour(plan.graph);

  const Planner planner(cluster, state, options);
  auto groups = first_groups(planner, fewest_colours(plan.colourings), options, plan.stuck);
  if (!groups) {
    plan.failure = RebootFailure::NonRedundant;
    return plan;
  }
  if (options.full_evacuation) {
    plan.failure = evacuate_fully(planner, *groups, plan.stuck);
    if (plan.failure) return plan;
  }
  plan.stuck.clear();
  std::vector<RebootGroup> result;
  for (const SceneGroup& group : *groups) {
    result.push_back({group.nodes, moves_between(cluster, planner.initial(), group.scene)});
  }
  plan.groups = ordered(std::move(result), eligible, options.master);
  return plan;
}

}  // namespace ballast::ganeti
