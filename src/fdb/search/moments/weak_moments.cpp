// SPDX-License-Identifier: BSD-2-Clause
#include "ballast/fdb/search/moments/weak_moments.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>
#include <unordered_map>
#include <utility>

#include "ballast/core/listed.hpp"
#include "ballast/core/units.hpp"
#include "ballast/core/words.hpp"
#include "ballast/fdb/search/spread/packing.hpp"
#include "ballast/fdb/search/spread/parts.hpp"

namespace ballast::fdb {
namespace {

constexpr std::size_t kMostNames = 3;

class CopyFollower {
 public:
  CopyFollower(const Cluster& cluster, int fault_tolerance)
      : cluster_(cluster), fault_tolerance_(fault_tolerance) {
    for (const ProcessGroup& group : cluster.groups) {
      const bool has_run = !group.addresses.empty();  // or it never held anything
      if (group.excluded && !group.exclusion_skipped) {
        excluded_.insert(group.id);
      } else if (is_stateful(group.process_class) && group.processes.empty() && has_run) {
        down_[group.id] = zone_of_group(group);
      }
    }
    record(0);
  }

  void apply(const TraceStep& step, int number) {
    if (step.action == Action::Exclude) excluded_.insert(step.targets.begin(), step.targets.end());
    if (step.action == Action::CreatePod) {
      for (const std::string& id : step.targets) made_again(id, number);
    }
    const bool is_removal = step.action == Action::DeleteResources;
    if (!is_removal && step.action != Action::DeletePod) return;
    for (const std::string& id : step.targets) {
      const ProcessGroup* group = cluster_.find(id);
      if (is_removal && excluded_.contains(id)) {
        down_.erase(id);  // what it held lies elsewhere
      } else if (group != nullptr && is_stateful(group->process_class)) {
        down_[id] = zone_of_group(*group);
        open_[id] = found_.exposures.size();
        found_.exposures.push_back({number, id, std::nullopt});
      }
    }
    record(number);
  }

  CopiesDown take() { return std::move(found_); }

 private:
  void made_again(const std::string& id, int number) {
    down_.erase(id);
    if (const auto open = open_.find(id); open != open_.end()) {
      found_.exposures[open->second].until = number;
      open_.erase(open);
    }
  }

  void record(int number) {
    if (down_.empty()) return;
    WeakMoment moment;
    moment.step = number;
    std::set<std::string_view> zones;
    for (const auto& [id, zone] : down_) {
      moment.groups.push_back(id);
      zones.insert(zone.empty() ? id : zone);
    }
    moment.zones = static_cast<int>(zones.size());
    moment.more_may_fail = fault_tolerance_ - moment.zones;
    found_.moments.push_back(std::move(moment));
  }

  const Cluster& cluster_;
  int fault_tolerance_;
  std::set<std::string> excluded_;
  std::map<std::string, std::string> down_;            ///< ID, zone
  std::unordered_map<std::string, std::size_t> open_;  ///< ID, position of its exposure
  CopiesDown found_;
};

std::optional<int> step_number(int number) {
  return number == 0 ? std::nullopt : std::optional(number);
}

std::optional<plan::Weakest> least_redundancy(const CopiesDown& copies) {
  const auto least = std::ranges::min_element(copies.moments, {}, &WeakMoment::more_may_fail);
  if (least == copies.moments.end()) return std::nullopt;
  return plan::Weakest{step_number(least->step), "redundancy", listed(least->groups, kMostNames),
                       least->more_may_fail, 0};
}

std::optional<plan::Weakest> least_quorum(const Cluster& cluster,
                                          const std::vector<TraceStep>& steps) {
  std::optional<plan::Weakest> least;
  int least_left = 0;
  for (const ReachableCoordinators& moment : reachable_coordinators(cluster, steps)) {
    if (least && moment.reachable >= least_left) continue;
    least_left = moment.reachable;
    least = {moment.step, "quorum", counted(static_cast<std::size_t>(moment.all), "coordinator"),
             static_cast<std::int64_t>(moment.reachable),
             static_cast<std::int64_t>(moment.all / 2 + 1)};
  }
  return least;
}

std::optional<plan::Weakest> pause(const std::vector<TraceStep>& steps) {
  const auto kill = std::ranges::find(steps, Action::KillProcesses, &TraceStep::action);
  if (kill == steps.end()) return std::nullopt;
  return plan::Weakest{
      static_cast<int>(kill - steps.begin()) + 1,
      "availability",
      fmt::format("servers of {} restart at once", counted(kill->targets.size(), "group")),
      "a pause of seconds",
      {}};
}

std::optional<plan::Weakest> least_space(const std::vector<TraceStep>& steps) {
  std::optional<plan::Weakest> least;
  double least_share = 1;
  int number = 0;
  for (const TraceStep& step : steps) {
    ++number;
    if (step.action == Action::Blocked || !step.free_share || !step.free_bytes) continue;
    if (least && *step.free_share >= least_share) continue;
    least_share = *step.free_share;
    least = {number, "free space", "storage disks", *step.free_bytes, *step.free_bytes_required};
  }
  return least;
}

/// The smaller, the worse.
int rank(const plan::Weakest& moment) {
  const auto* left = moment.left.get<std::int64_t>();
  if (moment.what == "redundancy") return left != nullptr && *left < 0 ? 0 : 2;
  if (moment.what == "availability") return 1;
  return moment.what == "quorum" ? 3 : 4;
}

}  // namespace

std::string zone_of_group(const ProcessGroup& group) {
  if (const auto domain = bound_domain(group)) return domain_key(group.process_class, *domain);
  return group.fault_domain;
}

CopiesDown follow_copies(const Cluster& cluster, int fault_tolerance,
                         const std::vector<TraceStep>& steps) {
  CopyFollower follower(cluster, fault_tolerance);
  int number = 0;
  for (const TraceStep& step : steps) follower.apply(step, ++number);
  return follower.take();
}

std::vector<plan::Weakest> weakest_moments(const Cluster& cluster, const CopiesDown& copies,
                                           const std::vector<TraceStep>& steps) {
  std::vector<plan::Weakest> moments;
  if (steps.empty()) return moments;
  for (auto& moment :
       {least_redundancy(copies), least_quorum(cluster, steps), pause(steps), least_space(steps)}) {
    if (moment) moments.push_back(*moment);
  }
  return moments;
}

std::string worst_moment_text(const std::vector<plan::Weakest>& moments) {
  const auto worst = std::ranges::min_element(moments, {}, rank);
  if (worst == moments.end()) return {};
  const auto figure = [](const Value& value) {
    const auto* number = value.get<std::int64_t>();
    return number == nullptr ? std::int64_t{0} : *number;
  };
  const std::int64_t left = figure(worst->left);
  std::string text = worst->where;
  if (worst->what == "redundancy") {
    text += left < 0 ? " down, more than may fail"
                     : fmt::format(" down, {} may fail", counted(left, "more zone"));
  } else if (worst->what == "quorum") {
    text = fmt::format("{} of {} left, {} needed", left, worst->where, figure(worst->required));
  } else if (worst->what == "free space") {
    text = fmt::format("{} free on {}", size_text(left), worst->where);
  }
  return text + (worst->step ? fmt::format(" (step {})", *worst->step) : " (from the start)");
}

}  // namespace ballast::fdb
