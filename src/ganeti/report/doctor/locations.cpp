// SPDX-License-Identifier: BSD-2-Clause
// Members of one service, or both halves of one instance, at one location: what a lost rack takes.
#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>

#include "ballast/ganeti/report/explain/explain.hpp"
#include "checks.hpp"

namespace ballast::ganeti::doctor {
namespace {

bool has(const std::vector<TagId>& tags, TagId tag) {
  return std::ranges::find(tags, tag) != tags.end();
}

std::string commands_text(const Cluster& cluster, InstanceId id, const ExplainedMove& move) {
  std::string text;
  for (const std::string& command : commands_of(cluster, id, move.move, move.after))
    text += (text.empty() ? "gnt-instance " : ", gnt-instance ") + command;
  return text;
}

class LocationCheck {
 public:
  LocationCheck(const Patient& patient, const Part& part, Findings& findings)
      : patient_(patient),
        cluster_(patient.cluster),
        part_(part),
        findings_(findings),
        state_(patient.state) {}

  void run() {
    look_at_members();
    look_at_halves();
  }

 private:
  using Place = std::pair<TagId, TagId>;  ///< location tag, exclusion tag

  [[nodiscard]] std::map<Place, std::vector<InstanceId>> places() const {
    std::map<Place, std::vector<InstanceId>> found;
    for (const InstanceId id : each_once(part_.instances)) {
      const Node& node = cluster_[patient_.state[id].primary];
      const std::set<TagId> tags(cluster_[id].exclusion_tags.begin(),
                                 cluster_[id].exclusion_tags.end());
      for (const TagId location : node.location_tags) {
        for (const TagId tag : tags) found[{location, tag}].push_back(id);
      }
    }
    return found;
  }

  void look_at_members() {
    for (const auto& [place, instances] : places()) {
      const NodeId first = patient_.state[instances.front()].primary;
      const bool is_one_node = std::ranges::all_of(
          instances, [&](InstanceId id) { return patient_.state[id].primary == first; });
      // On one node it is an exclusion conflict, which has a finding of its own.
      if (instances.size() < 2 || is_one_node) continue;
      const auto names = names_of(cluster_, instances);
      const std::string& location = cluster_.symbols[place.first.index()];
      const std::string& tag = cluster_.symbols[place.second.index()];
      Finding finding;
      finding.severity = Severity::Warning;
      finding.code = "location-conflict";
      finding.text = fmt::format("{} ({}) run in {}", listed(names), tag, location);
      finding.subject.set("location", location).set("tag", tag).set("instances", text_list(names));
      finding.figures.set("instances", names.size());
      finding.action = parting_moves(place, instances);
      findings_.push_back(std::move(finding));
    }
  }

  /// Whether a member runs at a location that the node has.
  [[nodiscard]] bool meets_member(NodeId node, TagId tag, InstanceId except) const {
    for (const InstanceId other : part_.instances) {
      if (other == except || !has(cluster_[other].exclusion_tags, tag)) continue;
      const auto& there = cluster_[state_[other].primary].location_tags;
      for (const TagId location : cluster_[node].location_tags) {
        if (has(there, location)) return true;
      }
    }
    return false;
  }

  std::string parting_moves(const Place& place, const std::vector<InstanceId>& instances) {
    std::string text;
    for (std::size_t round = 1; round < instances.size(); ++round) {
      std::vector<InstanceId> left;
      std::ranges::copy_if(instances, std::back_inserter(left), [&](InstanceId id) {
        return has(cluster_[state_[id].primary].location_tags, place.first);
      });
      if (left.size() < 2) break;
      const auto leaves = [&](InstanceId id, const ExplainedMove& move) {
        return !meets_member(move.after.primary, place.second, id);
      };
      const std::string way = best_way(left, leaves);
      if (way.empty()) {
        const std::string why = why_not(left, leaves);
        return text + (text.empty() ? "" : "; then ") + why;
      }
      text += (text.empty() ? "" : ", ") + way;
    }
    return text;
  }

  /// Makes the best move and returns its commands; empty where there is none.
  template <class Wanted>
  std::string best_way(const std::vector<InstanceId>& instances, Wanted is_wanted) {
    InstanceId best_id;
    std::optional<ExplainedMove> best;
    for (const InstanceId id : instances) {
      for (ExplainedMove& move : explained_moves(cluster_, state_, part_, patient_.options, id)) {
        if (move.refusal || !move.score || !is_wanted(id, move)) continue;
        if (best && *best->score <= *move.score) continue;
        best_id = id;
        best = std::move(move);
      }
    }
    if (!best) return "";
    auto effect =
        evaluate(cluster_, state_, best_id, best->move, patient_.options.ignore_soft_errors);
    best->after = effect->placement;
    apply(state_, best_id, std::move(*effect));
    return commands_text(cluster_, best_id, *best);
  }

  /// The best of the forbidden moves, with what forbids it.
  template <class Wanted>
  [[nodiscard]] std::string why_not(const std::vector<InstanceId>& instances,
                                    Wanted is_wanted) const {
    InstanceId best_id;
    std::optional<ExplainedMove> best;
    for (const InstanceId id : instances) {
      for (ExplainedMove& move : explained_moves(cluster_, state_, part_, patient_.options, id)) {
        if (!move.refusal || !move.score || !is_wanted(id, move)) continue;
        if (best && *best->score <= *move.score) continue;
        best_id = id;
        best = std::move(move);
      }
    }
    if (!best)
      return "no other location is free for one of them: add nodes elsewhere, or take a tag off";
    return fmt::format("{} cannot go to {}: {}", cluster_[best_id].name,
                       cluster_[best->after.primary].name, best->why);
  }

  void look_at_halves() {
    for (const InstanceId id : each_once(part_.instances)) {
      const Placement& at = patient_.state[id];
      if (!has_secondary(cluster_[id].disk_template) || at.secondary.is_none()) continue;
      std::vector<std::string> shared;
      for (const TagId tag : cluster_[at.primary].location_tags) {
        if (has(cluster_[at.secondary].location_tags, tag))
          shared.push_back(cluster_.symbols[tag.index()]);
      }
      if (shared.empty()) continue;
      Finding finding;
      finding.severity = Severity::Warning;
      finding.code = "location-conflict";
      finding.text =
          fmt::format("{}: both halves in {} ({}, {})", cluster_[id].name, listed(shared),
                      cluster_[at.primary].name, cluster_[at.secondary].name);
      finding.subject.set("instance", cluster_[id].name).set("location", text_list(shared));
      finding.figures.set("locations", shared.size());
      finding.action = spreading_move(id);
      findings_.push_back(std::move(finding));
    }
  }

  std::string spreading_move(InstanceId id) {
    const auto spreads = [&](InstanceId, const ExplainedMove& move) {
      const auto& there = cluster_[move.after.secondary].location_tags;
      return std::ranges::none_of(cluster_[move.after.primary].location_tags,
                                  [&](TagId tag) { return has(there, tag); });
    };
    const std::string way = best_way({id}, spreads);
    return way.empty() ? why_not({id}, spreads) : way;
  }

  const Patient& patient_;
  const Cluster& cluster_;
  const Part& part_;
  Findings& findings_;
  State state_;  ///< with the moves of the findings before
};

}  // namespace

void look_at_locations(const Patient& patient, Findings& findings) {
  const bool has_any = std::ranges::any_of(
      patient.cluster.nodes, [](const Node& node) { return !node.location_tags.empty(); });
  if (!has_any) return;
  for (const Part& part : patient.parts) LocationCheck(patient, part, findings).run();
}

}  // namespace ballast::ganeti::doctor
