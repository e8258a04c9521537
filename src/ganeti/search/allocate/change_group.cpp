// SPDX-License-Identifier: BSD-2-Clause
#include "change_group.hpp"

#include <optional>
#include <set>

#include "ballast/ganeti/search/allocate/groups.hpp"

namespace ballast::ganeti::alloc {
namespace {

class GroupChanger {
 public:
  GroupChanger(Evacuator& evacuation, const ScopedCluster& scope, const EngineOptions& options,
               const std::vector<GroupId>& allowed)
      : evacuation_(evacuation),
        scope_(scope),
        initial_(scope.instances),
        options_(options),
        allowed_(allowed) {}

  void run(const std::vector<InstanceId>& instances) {
    std::vector<Evacuator::Leaving> all;
    for (const InstanceId id : instances) all.push_back({id, {}});
    std::set<InstanceId> done;
    for (const Evacuator::Leaving& one : all) {
      if (done.contains(one.instance)) continue;
      const std::vector<Evacuator::Leaving> set = evacuation_.set_of(one, all);
      if (set.size() < 2) {
        move(one.instance);
        continue;
      }
      for (const Evacuator::Leaving& member : set) done.insert(member.instance);
      move_together(set);
    }
  }

 private:
  [[nodiscard]] Outcome<GroupChoice> choose(InstanceId id, const std::vector<GroupId>& allowed,
                                            bool is_joined) const {
    Record record = initial_.at(id.value());
    record.is_joined = is_joined;
    const bool is_mirrored = record.instance->disk_template == DiskTemplate::Drbd;
    return choose_group(scope_, {record, is_mirrored ? 2 : 1}, options_, allowed);
  }

  [[nodiscard]] Evacuator::Plan plan_for(GroupId group) const {
    Evacuator::Plan plan;
    plan.group = group;
    for (const NodeId node : scope_.nodes) {
      const Node& one = (*scope_.cluster)[node];
      if (one.group == group && !one.is_offline) plan.targets.push_back(node);
    }
    return plan;
  }

  void move(InstanceId id) {
    auto choice = choose(id, allowed_, false);
    if (!choice) return evacuation_.refuse(id, choice.error());
    evacuation_.evacuate(id, plan_for(choice->group));
  }

  void move_together(std::vector<Evacuator::Leaving> set) {
    std::vector<GroupId> left = allowed_;
    for (bool was_tried = false;; was_tried = true) {
      auto choice = choose(set.front().instance, left, true);
      if (!choice && was_tried) return evacuation_.refuse_together(set);
      if (!choice) {
        for (const Evacuator::Leaving& one : set) evacuation_.refuse(one.instance, choice.error());
        return;
      }
      for (Evacuator::Leaving& one : set) one.plan = plan_for(choice->group);
      if (evacuation_.move_together(set)) return;
      std::erase(left, choice->group);
    }
  }

  Evacuator& evacuation_;
  const ScopedCluster& scope_;
  InstanceMap initial_;
  const EngineOptions& options_;
  const std::vector<GroupId>& allowed_;
};

}  // namespace

void change_groups(Evacuator& evacuation, const ScopedCluster& scope,
                   const std::vector<InstanceId>& instances, const EngineOptions& options,
                   const std::vector<GroupId>& allowed) {
  GroupChanger(evacuation, scope, options, allowed).run(instances);
}

}  // namespace ballast::ganeti::alloc
