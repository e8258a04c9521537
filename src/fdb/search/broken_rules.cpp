// SPDX-License-Identifier: BSD-2-Clause
// A second opinion on a finished trace: it knows nothing of passes and gates, only what must never
// happen.
#include <fmt/format.h>

#include <map>
#include <set>

#include "ballast/fdb/search/planner.hpp"

namespace ballast::fdb {
namespace {

enum class Life { Present, Marked, Excluded, Deleted };

struct Replay {
  std::map<std::string, Life> groups;
  std::set<std::string> skipped;
  std::set<std::string> excluded_now;
  std::vector<std::string> problems;

  void complain(std::size_t n, const std::string& id, std::string_view what) {
    problems.push_back(fmt::format("step {}: {} {}", n, id, what));
  }

  void mark(std::size_t n, const std::string& id) {
    const auto found = groups.find(id);
    if (found == groups.end()) return complain(n, id, "is marked but does not exist");
    if (found->second != Life::Present) return complain(n, id, "is marked twice");
    found->second = Life::Marked;
  }
  void add(std::size_t n, const std::string& id) {
    if (!groups.emplace(id, Life::Present).second)
      complain(n, id, "is added although its ID is in use");
  }
  void exclude(std::size_t n, const std::string& id) {
    const auto found = groups.find(id);
    if (found == groups.end() || found->second != Life::Marked)
      return complain(n, id, "is excluded but not marked");
    found->second = Life::Excluded;
    excluded_now.insert(id);
  }
  void coordinate(std::size_t n, const std::string& id) {
    const auto found = groups.find(id);
    if (found == groups.end()) return complain(n, id, "becomes a coordinator but does not exist");
    if (found->second != Life::Present)
      complain(n, id, "becomes a coordinator while it is leaving");
  }
  void remove(std::size_t n, const std::string& id) {
    const auto found = groups.find(id);
    if (found == groups.end()) return complain(n, id, "is deleted but does not exist");
    if (found->second == Life::Present) complain(n, id, "is deleted but not marked");
    found->second = Life::Deleted;
  }
  void drop(std::size_t n, const std::string& id) {
    const auto found = groups.find(id);
    if (found == groups.end()) return complain(n, id, "is dropped but does not exist");
    if (found->second != Life::Deleted) complain(n, id, "is dropped while its resources exist");
    groups.erase(found);
  }
};

}  // namespace

std::vector<std::string> find_broken_rules(const Cluster& snapshot,
                                           const std::vector<Step>& steps) {
  Replay replay;
  for (const ProcessGroup& group : snapshot.groups) {
    const bool is_gone =
        group.conditions.has(Condition::ResourcesTerminating) && !group.pod && !group.volume;
    replay.groups[group.id] = is_gone              ? Life::Deleted
                              : group.is_leaving() ? Life::Excluded
                              : group.is_marked()  ? Life::Marked
                                                   : Life::Present;
  }
  for (std::size_t i = 0; i < steps.size(); ++i) {
    for (const std::string& id : steps[i].targets) {
      switch (steps[i].action) {
        case Action::MarkForRemoval:
          replay.mark(i + 1, id);
          break;
        case Action::AddProcessGroup:
          replay.add(i + 1, id);
          break;
        case Action::Exclude:
          replay.exclude(i + 1, id);
          break;
        case Action::ChangeCoordinators:
          replay.coordinate(i + 1, id);
          break;
        case Action::DeleteResources:
          replay.remove(i + 1, id);
          break;
        case Action::DropProcessGroup:
          replay.drop(i + 1, id);
          break;
        default:
          break;
      }
    }
  }
  return replay.problems;
}

}  // namespace ballast::fdb
