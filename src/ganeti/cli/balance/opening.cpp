// SPDX-License-Identifier: BSD-2-Clause
// What hbal says before it searches.
#include "ballast/core/decimal.hpp"
#include "ballast/core/strings.hpp"
#include "ballast/ganeti/cli/balance/report.hpp"
#include "ballast/ganeti/model/ids_of.hpp"

#include <fmt/format.h>

#include <set>

namespace ballast::ganeti::cli {
namespace {

constexpr std::string_view kNotHappy =
    "Cluster is not N+1 happy, continuing but no guarantee that the cluster will end N+1 happy.";

constexpr std::string_view kSoftErrorsIgnored = "Continuing, ignoring soft errors.";
constexpr std::string_view kRestricted =
    "Continuing, but the set of moves might be too restricted; consider using the "
    "--ignore-soft-errors option.";

bool is_bad(const Snapshot& snapshot, NodeId id) {
  return !snapshot.cluster[id].is_offline && snapshot.state[id].fails_n1;
}

struct Health {
  std::vector<NodeId> bad;
  std::vector<NodeId> others;
  std::set<InstanceId> bad_instances;
  std::vector<NodeId> violating;  ///< others that break their policy
};

Health health_of(const Snapshot& snapshot, const Part& part) {
  Health health;
  for (const NodeId id : part.nodes) {
    const NodeState& state = snapshot.state[id];
    if (is_bad(snapshot, id)) {
      health.bad.push_back(id);
      health.bad_instances.insert(state.primaries.begin(), state.primaries.end());
      health.bad_instances.insert(state.secondaries.begin(), state.secondaries.end());
      // A node with a NaN equals nothing, so the reference does not find it among the bad ones (a
      // quirk that is kept).
      if (!has_nan(snapshot.cluster[id], state)) continue;
    }
    health.others.push_back(id);
    if (policy_health(snapshot.cluster[id], state) != "Ok ()") health.violating.push_back(id);
  }
  return health;
}

std::string shown_names(const Cluster& cluster, const std::vector<NodeId>& ids) {
  std::vector<std::string> names;
  for (const NodeId id : ids) names.push_back(cluster[id].name);
  return shown_list(names);
}

std::string shown_states(const Snapshot& snapshot, const std::vector<NodeId>& ids) {
  std::string text;
  for (const NodeId id : ids) {
    const Node& node = snapshot.cluster[id];
    text += fmt::format("{}({},{})", text.empty() ? "" : ",", shown_string(node.name),
                        policy_health(node, snapshot.state[id]));
  }
  return "[" + text + "]";
}

}  // namespace

std::string split_instances_text(const Snapshot& snapshot) {
  const Cluster& cluster = snapshot.cluster;
  std::string names;
  for (const InstanceId id : instance_ids(cluster)) {
    const Placement& placement = snapshot.state[id];
    if (placement.secondary.is_none() ||
        cluster[placement.primary].group == cluster[placement.secondary].group)
      continue;
    names += fmt::format("  {}\n", cluster[id].name);
  }
  if (names.empty()) return names;
  return "Found instances belonging to multiple node groups:\n" + names +
         "These instances will not be moved.\n";
}

std::string health_text(const Snapshot& snapshot, const Part& part, const Settings& settings) {
  const Health health = health_of(snapshot, part);
  const int verbosity = settings.output.verbosity;
  std::string text;
  if (verbosity >= 1) {
    text += fmt::format("Initial check done: {} bad nodes, {} bad instances.\n", health.bad.size(),
                        health.bad_instances.size());
  }
  if (verbosity > 4) {
    text += fmt::format("Bad nodes: {}\nN+1 happy nodes: {}\nNode policy status: {}\n",
                        shown_names(snapshot.cluster, health.bad),
                        shown_names(snapshot.cluster, health.others),
                        shown_states(snapshot, health.others));
  }
  if (!health.bad.empty()) {
    text += fmt::format("{}\n", kNotHappy);
  }
  if (!health.violating.empty()) {
    text +=
        fmt::format("The cluster contains {} policy-violating nodes.\n", health.violating.size());
    text +=
        fmt::format("{}\n", settings.balance.ignore_soft_errors ? kSoftErrorsIgnored : kRestricted);
  }
  return text;
}

void add_health_warnings(const Snapshot& snapshot, const Part& part, const Settings& settings,
                         plan::Plan& plan) {
  const Health health = health_of(snapshot, part);
  const auto names = [&](const std::vector<NodeId>& ids) {
    std::vector<std::string> all;
    for (const NodeId id : ids) all.push_back(snapshot.cluster[id].name);
    return join(all, ", ");
  };
  const auto warn = [&](std::string_view code, std::string_view text) {
    plan.warnings.push_back(
        {std::string(code), plan::Severity::Warning, std::string(text), {}, {}});
  };
  if (!health.bad.empty())
    warn("NOT_N_PLUS_ONE", fmt::format("{} Nodes that fail: {}", kNotHappy, names(health.bad)));
  if (health.violating.empty()) return;
  warn("POLICY_VIOLATIONS", fmt::format("The cluster contains {} policy-violating nodes: {}",
                                        health.violating.size(), names(health.violating)));
  if (settings.balance.ignore_soft_errors) {
    warn("SOFT_ERRORS_IGNORED", kSoftErrorsIgnored);
  } else {
    warn("MOVES_RESTRICTED", kRestricted);
  }
}

void add_load_assumption(const Settings& settings, plan::Plan& plan) {
  const LoadSettings& load = settings.load;
  if (load.utilisation_file || load.monitoring || load.monitoring_file) return;
  plan.assumptions.push_back(
      {"LOAD",
       load.ignore_dynamic
           ? "the load of the instances is ignored (--ignore-dynu)"
           : "nothing tells how busy the instances are: their load is assumed to be 1.0 each"});
}

std::string missing_secondary_line(const Cluster& cluster, const State& state, const Part& part) {
  for (const InstanceId id : part.instances) {
    if (has_secondary(cluster[id].disk_template) && state[id].secondary.is_none()) {
      return fmt::format("hbal: instance {} has the disk template drbd but no secondary node\n",
                         cluster[id].name);
    }
  }
  return "hbal: an instance has the disk template drbd but no secondary node\n";
}

InitialScore::InitialScore(const Snapshot& snapshot, const Part& part)
    : cluster_(snapshot.cluster),
      detail_(score_detail(snapshot.cluster, snapshot.state, part.nodes)),
      lower_bound_(score_lower_bound(snapshot.cluster, snapshot.state, part.nodes)) {}

std::string InitialScore::text(int verbosity) const {
  if (verbosity <= 2) return fmt::format("Initial score: {}\n", fixed(detail_.total, 8));
  return fmt::format("Initial coefficients: overall {}\n{}", fixed(detail_.total, 8),
                     score_table(cluster_, detail_));
}

bool InitialScore::is_good_enough(const BalanceOptions& options) const {
  return detail_.total - lower_bound_ < options.min_score;
}

std::string InitialScore::nothing_to_do(const BalanceOptions& options) const {
  return fmt::format(
      "Cluster is already well balanced (initial score {},\noptimum score due to N+1 reservations "
      "{},\nminimum score {}).\n"
      "Nothing to do, exiting\n",
      general6(detail_.total), general6(lower_bound_), general6(options.min_score));
}

BalanceResult InitialScore::unchanged(const Snapshot& snapshot) const {
  BalanceResult result;
  result.state = snapshot.state;
  result.score_before = detail_.total;
  result.score_after = detail_.total;
  result.lower_bound = lower_bound_;
  result.stop = BalanceStop::ScoreReached;
  return result;
}

}  // namespace ballast::ganeti::cli
