// SPDX-License-Identifier: BSD-2-Clause
#include "words.hpp"

#include "ballast/core/decimal.hpp"
#include "ballast/core/words.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace ballast::ganeti {
namespace {

std::string group_text(int number, std::size_t count) {
  return fmt::format("group {} of {}", number, count);
}

bool has_mirrors(const plan::Plan& plan) {
  return std::ranges::any_of(plan.steps, [](const plan::Step& step) {
    return step.reason.code == "REBOOT_GROUP" && !step.unprotected.empty();
  });
}

std::string colourings_text(const std::array<Colouring, 3>& colourings) {
  std::string text;
  for (const Colouring& colouring : colourings) {
    text += fmt::format("{}{} needs {}", text.empty() ? "" : ", ", colouring.name,
                        counted(colouring.classes.size(), "colour"));
  }
  return text;
}

/// How many have a mirror, are on shared storage, or have neither.
std::string kinds_text(const Cluster& cluster, const State& state, const Part& part) {
  std::size_t mirrored = 0;
  std::size_t shared = 0;
  std::size_t single = 0;
  for (const NodeId node : part.nodes) {
    for (const InstanceId i : state[node].primaries) {
      const DiskTemplate kind = cluster[i].disk_template;
      if (has_secondary(kind))
        ++mirrored;
      else
        ++(mirroring_of(kind) == Mirroring::External ? shared : single);
    }
  }
  return fmt::format("instances: {} with a mirror, {} on shared storage, {} on one node alone",
                     mirrored, shared, single);
}

/// All that keeps the node back under --skip-non-redundant are instances on shared storage.
bool holds_shared_only(const Cluster& cluster, const NodeState& state) {
  return std::ranges::none_of(state.primaries, [&](InstanceId i) {
    return mirroring_of(cluster[i].disk_template) == Mirroring::None;
  });
}

/// Why a node is in no group.
std::string left_out_reason(const Cluster& cluster, const State& state, NodeId id,
                            const RebootOptions& options, bool first_only) {
  const Node& node = cluster[id];
  if (node.is_offline) return "is offline";
  const auto is_wanted = [&](const std::string& tag) {
    return std::ranges::find(*options.node_tags, tag) != options.node_tags->end();
  };
  if (options.node_tags && std::ranges::none_of(node.tags, is_wanted))
    return "has none of the tags of --node-tags";
  if (first_only) return "is in a later group or left out (--one-step-only)";
  if (holds_shared_only(cluster, state[id]))
    return "holds an instance on shared storage, which --skip-non-redundant takes for one without "
           "a mirror (--shared-movable counts it as movable)";
  return "holds an instance without a mirror (--skip-non-redundant)";
}

}  // namespace

std::string node_names(const Cluster& cluster, const std::vector<NodeId>& nodes) {
  constexpr std::size_t kMost = 10;  // each step of a large group tells them
  const std::size_t named = nodes.size() > kMost + 1 ? kMost : nodes.size();
  std::string text;
  for (std::size_t i = 0; i < named; ++i) {
    if (i > 0) text += i + 1 == nodes.size() ? " and " : ", ";
    text += cluster[nodes[i]].name;
  }
  if (named < nodes.size()) text += fmt::format(" and {} more", nodes.size() - named);
  return text;
}

std::string leave_reason(const Cluster& cluster, NodeId node, const RebootGroup& group, int number,
                         std::size_t count) {
  std::vector<NodeId> others = group.nodes;
  std::erase(others, node);
  std::string text = fmt::format("{} reboots in {}", cluster[node].name, group_text(number, count));
  if (!others.empty()) text += ", with " + node_names(cluster, others);
  return text;
}

std::string reboot_reason(const Cluster& cluster, NodeId node, const RebootGroup& group, int number,
                          std::size_t count, const RebootOptions& options) {
  if (group.nodes.size() == 1) {
    return fmt::format("{}: no other node can reboot together with {}", group_text(number, count),
                       cluster[node].name);
  }
  std::string text = fmt::format("{}: {} share no mirrored instance", group_text(number, count),
                                 node_names(cluster, group.nodes));
  if (!options.offline_maintenance) text += ", and no node has to take in instances of two of them";
  return text;
}

plan::Wait wait_for(int step, std::string why) {
  plan::Wait wait;
  wait.step = step;
  wait.text = std::move(why);
  return wait;
}

plan::Warning stays_warning(const Cluster& cluster, InstanceId instance, NodeId node,
                            std::string code, std::string_view what) {
  const plan::Subject subject{"instance", cluster[instance].name, ""};
  return {std::move(code),
          plan::Severity::Warning,
          fmt::format("{} {} while {} reboots", subject.name, what, cluster[node].name),
          {},
          subject};
}

plan::Blocked stays_on(const Cluster& cluster, InstanceId instance, NodeId node,
                       plan::Blocked why) {
  why.code = "STAYS";
  why.subject = {"instance", cluster[instance].name, ""};
  why.text = fmt::format("stays on {} while it reboots: it cannot move as planned and back ({})",
                         cluster[node].name, why.text);
  return why;
}

plan::CodedText master_risk(const Cluster& cluster, NodeId master) {
  return {"MASTER",
          fmt::format("{} is the master: commands given there end with its reboot, and the steps "
                      "that follow are given again (or the role fails over first)",
                      cluster[master].name)};
}

void add_stop_warnings(plan::Plan& plan, const std::vector<int>& steps,
                       const RebootOptions& options) {
  if (steps.empty()) return;
  if (options.offline_maintenance) {
    plan.warnings.push_back(
        {"OFFLINE_MAINTENANCE",
         plan::Severity::Note,
         fmt::format("{} {} stopped while {}, as asked for", counted(steps.size(), "instance"),
                     of_count(steps.size(), "is", "are"),
                     of_count(steps.size(), "its node reboots", "their nodes reboot")),
         steps,
         {}});
    return;
  }
  plan.warnings.push_back({"NOT_REDUNDANT",
                           plan::Severity::Warning,
                           fmt::format("{} without a way to leave: stopped before the reboot and "
                                       "started afterwards",
                                       counted(steps.size(), "instance")),
                           steps,
                           {}});
}

void add_reboot_words(plan::Plan& plan, const Cluster& cluster, const State& state,
                      const Part& part, const RebootPlan& found, const RebootOptions& options,
                      bool first_only) {
  plan.assumptions.push_back({"REBOOT", "the time that a node takes to reboot is not counted"});
  if (has_mirrors(plan)) {
    plan.assumptions.push_back(
        {"RESYNC", "what the mirrors copy to catch up after a reboot is not counted"});
  }
  const bool tells_apart = options.skip_non_redundant || options.ignore_non_redundant;
  if (tells_apart || options.shared_is_movable)
    plan.notes.push_back({"INSTANCES", kinds_text(cluster, state, part)});
  plan.notes.push_back({"GROUPS", colourings_text(found.colourings) + "; the fewest count"});
  std::vector<bool> is_rebooted(cluster.nodes.size(), false);
  for (const RebootGroup& group : found.groups) {
    for (const NodeId node : group.nodes) is_rebooted[node.index()] = true;
    if (first_only) break;
  }
  for (const NodeId id : part.nodes) {
    if (is_rebooted[id.index()]) continue;
    plan.deferred.push_back(
        {"NOT_REBOOTED", fmt::format("{} {}", cluster[id].name,
                                     left_out_reason(cluster, state, id, options, first_only))});
  }
}

std::string reboot_headline(const plan::Plan& plan, std::size_t groups, std::size_t stopped) {
  if (plan.steps.empty()) return "no node to reboot";
  const auto count = [](std::optional<std::int64_t> number) {
    return static_cast<std::size_t>(number.value_or(0));
  };
  const std::size_t nodes = count(plan.totals.restarted);
  const std::size_t moved = count(plan.totals.moved);
  std::string text = fmt::format("{} {} in {}", counted(nodes, "node"),
                                 of_count(nodes, "reboots", "reboot"), counted(groups, "group"));
  if (!plan.blocked.empty())
    text += fmt::format("; {} cannot leave", counted(plan.blocked.size(), "instance"));
  if (moved > 0) {
    text += fmt::format("; {} {} away and back", counted(moved, "instance"),
                        of_count(moved, "moves", "move"));
  }
  if (stopped > 0) text += fmt::format("; {} stopped meanwhile", stopped);
  constexpr double kGib = 1024.0 * 1024.0 * 1024.0;
  const double gib = static_cast<double>(plan.totals.bytes.value_or(0)) / kGib;
  return text + fmt::format("; {} GiB to copy", fixed(gib, 1));
}

}  // namespace ballast::ganeti
