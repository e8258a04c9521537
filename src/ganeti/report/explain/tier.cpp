// SPDX-License-Identifier: BSD-2-Clause
#include "ballast/ganeti/report/explain/tier.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "ballast/core/bytes.hpp"
#include "ballast/core/error.hpp"
#include "ballast/core/words.hpp"
#include "ballast/ganeti/model/ids_of.hpp"
#include "ballast/ganeti/model/near_name.hpp"
#include "ballast/ganeti/model/selection.hpp"
#include "ballast/ganeti/model/unit_resolver.hpp"
#include "ballast/ganeti/search/planning/blocked_by.hpp"
#include "ballast/ganeti/search/planning/move_step.hpp"
#include "ballast/ganeti/search/planning/refusal_text.hpp"
#include "ballast/ganeti/search/planning/states.hpp"
#include "ballast/ganeti/search/planning/tier_step.hpp"
#include "ballast/plan/select.hpp"

namespace ballast::ganeti {
namespace {

std::string unit_names(const Cluster& cluster) {
  std::string names;
  for (const StorageKey& key : cluster.storage_keys)
    names += (names.empty() ? "" : ", ") + to_string(key);
  return names;
}

std::optional<DiskTemplate> template_of(std::string_view type) {
  for (const DiskTemplate one : kDiskTemplates) {
    if (storage_type_of(one) == type) return one;
  }
  return std::nullopt;
}

std::optional<Tier> tier_named(const Cluster& cluster, std::string_view text) {
  Tier tier;
  if (!cluster.has_storage) {
    const auto disk_template = parse_disk_template(text);
    if (!disk_template) return std::nullopt;
    tier.disk_template = *disk_template;
    return tier;
  }
  const std::size_t slash = text.find('/');
  if (slash == std::string_view::npos) return std::nullopt;
  const StorageKey key{canonical_storage_type(text.substr(0, slash)),
                       std::string(text.substr(slash + 1))};
  const auto place = std::find(cluster.storage_keys.begin(), cluster.storage_keys.end(), key);
  const auto disk_template = template_of(key.type);
  if (place == cluster.storage_keys.end() || !disk_template) return std::nullopt;
  tier.unit = StorageKeyId(static_cast<std::size_t>(place - cluster.storage_keys.begin()));
  tier.disk_template = *disk_template;
  return tier;
}

class TierMover {
 public:
  TierMover(const Cluster& cluster, const State& state, const TierWish& wish)
      : cluster_(cluster), state_(state), wish_(wish) {}

  std::vector<TierMove> run() {
    std::vector<TierMove> moves;
    for (const InstanceId id : instance_ids(cluster_)) {
      const Instance& instance = cluster_[id];
      if (is_named(wish_.names, instance.name, instance.tags) && !is_on_tier(instance, wish_.tier))
        moves.push_back(move(id));
    }
    return moves;
  }

 private:
  TierMove move(InstanceId id) {
    TierMove result;
    result.instance = id;
    result.before = state_[id];
    result.after = {result.before.primary, NodeId(), 0};
    result.hindrance = result.why = tier_hindrance(cluster_[id], wish_.tier);
    if (!result.hindrance.empty()) return result;
    result.refusal = check_tier(cluster_, state_, id, wish_.tier, NodeId());
    if (!result.refusal && has_secondary(wish_.tier.disk_template))
      result.refusal = choose_secondary(id, result.after);
    if (result.refusal) {
      result.why = refusal_text(cluster_, state_, cluster_[id], *result.refusal);
      return result;
    }
    result.cost = tier_cost(cluster_, cluster_[id], wish_.tier, !result.after.secondary.is_none());
    result.commands = tier_commands(cluster_, id, result.before, result.after, wish_.tier);
    apply_tier(cluster_, state_, id, wish_.tier, result.after.secondary);
    return result;
  }

  /// The node that holds its mirror, else the one with the most room.
  MaybeRefusal choose_secondary(InstanceId id, Placement& after) const {
    const Placement& before = state_[id];
    MaybeRefusal last;
    double best = -1;
    for (const NodeId node : node_ids(cluster_)) {
      if (node == before.primary || cluster_[node].is_offline ||
          cluster_[node].group != cluster_[before.primary].group)
        continue;
      if (const auto no = check_tier(cluster_, state_, id, wish_.tier, node)) {
        last = no;
        continue;
      }
      const double room = node == before.secondary ? 2 : state_[node].disk_fraction;
      if (room <= best) continue;
      best = room;
      after.secondary = node;
    }
    if (best >= 0) return std::nullopt;
    if (last) return last;
    return Refusal{FailReason::Disk, Rule::NotMirrored, before.primary, -1, {}, 0, 0};
  }

  Cluster cluster_;
  State state_;
  const TierWish& wish_;
};

plan::Blocked blocked_of(const Cluster& cluster, const TierMove& move) {
  plan::Blocked blocked;
  blocked.code = move.hindrance.empty() ? "NO_ROOM" : "NOT_CONVERTED";
  blocked.subject = {"instance", cluster[move.instance].name, ""};
  blocked.text = "stays where its disks are: " + move.why;
  if (move.refusal)
    set_rule(blocked, cluster, *move.refusal);
  else
    blocked.gate = "disk_template";
  return blocked;
}

std::string headline_of(const plan::Plan& plan, const std::string& tier, std::size_t asked) {
  if (asked == 0) return "No instance has to move to " + tier;
  std::int64_t stopped = 0;
  for (const plan::Step& step : plan.steps) {
    const Value* told = step.system.find("stopped_bytes");
    if (told != nullptr) stopped += told->get<std::int64_t>() ? *told->get<std::int64_t>() : 0;
  }
  const std::size_t goes = plan.steps.size();
  std::string text =
      fmt::format("{} {} to {}: {} MiB copied", counted(goes, "instance"),
                  of_count(goes, "goes", "go"), tier, plan.totals.bytes.value_or(0) / kBytesPerMib);
  if (goes > 0) {
    text += fmt::format(", {} MiB of them while {}", stopped / kBytesPerMib,
                        of_count(goes, "it has to be down", "each has to be down"));
  }
  if (!plan.blocked.empty()) text += fmt::format("; {} cannot", plan.blocked.size());
  return text;
}

}  // namespace

std::string tier_name(const Cluster& cluster, const Tier& tier) {
  return tier.unit.is_none() ? std::string(text_of(tier.disk_template))
                             : to_string(cluster[tier.unit]);
}

Result<TierWish> read_tier_wish(const Cluster& cluster, std::string_view text) {
  const auto expected = [&] {
    return fail(fmt::format(
        "{}: expected NAMES:TYPE/KEY{}", quoted(text),
        cluster.has_storage ? "; there are " + unit_names(cluster) : " or NAMES:TEMPLATE"));
  };
  // Tags and keys may hold colons.
  for (std::size_t colon = text.find(':'); colon != std::string_view::npos;
       colon = text.find(':', colon + 1)) {
    const auto tier = tier_named(cluster, text.substr(colon + 1));
    if (!tier || colon == 0) continue;
    TierWish wish{std::string(text.substr(0, colon)), *tier};
    const bool is_known = std::ranges::any_of(cluster.instances, [&](const Instance& one) {
      return is_named(wish.names, one.name, one.tags);
    });
    if (!is_known) {
      return fail(fmt::format("{}: no instance is {}{}", quoted(text), quoted(wish.names),
                              near_name(wish.names, cluster.instances)));
    }
    return wish;
  }
  return expected();
}

std::vector<TierMove> tier_moves(const Cluster& cluster, const State& state, const TierWish& wish) {
  return TierMover(cluster, state, wish).run();
}

plan::Plan tier_plan(const Cluster& cluster, const State& state, const TierWish& wish,
                     const std::vector<TierMove>& moves) {
  const Part part = whole_part(cluster);
  const std::string tier = tier_name(cluster, wish.tier);
  plan::Plan plan;
  plan.system = plan::System::Ganeti;
  NodeUse use(cluster);
  int phase = 0;
  std::set<NodeId> busy;  // in this phase
  for (const TierMove& move : moves) {
    if (!move.why.empty()) {
      plan.blocked.push_back(blocked_of(cluster, move));
      continue;
    }
    const int n = static_cast<int>(plan.steps.size()) + 1;
    plan::Step step = tier_step(cluster, n, move.instance, move.before, move.after, wish.tier);
    const std::vector<NodeId> nodes = touched_nodes(move.before, move.after);
    const bool is_clash =
        std::ranges::any_of(nodes, [&](NodeId node) { return busy.contains(node); });
    if (is_clash || busy.empty()) {
      ++phase;
      busy.clear();
    }
    busy.insert(nodes.begin(), nodes.end());
    step.phase = phase;
    step.reason.code = "CHANGE_TIER";
    step.reason.text = "is to be on " + tier;
    step.waits_for = use.touch(n, nodes, move.instance);
    plan.steps.push_back(std::move(step));
  }
  plan.result = !plan.blocked.empty() ? plan::Outcome::Blocked
                : plan.steps.empty()  ? plan::Outcome::NoChange
                                      : plan::Outcome::Changes;
  plan.totals.bytes = 0;
  plan::renumber(plan);
  plan.headline = headline_of(plan, tier, moves.size());
  const bool has_exports = std::ranges::any_of(plan.steps, [](const plan::Step& step) {
    return std::ranges::any_of(step.risks, [](const auto& risk) { return risk.code == "REMOVED"; });
  });
  if (has_exports) {
    plan.assumptions.push_back(
        {"EXPORT",
         "exports find room in the export folder of their node, which no snapshot tells, and stay "
         "there until gnt-backup remove"});
  }
  (void)fill_states(plan, cluster, state, part, false);
  return plan;
}

}  // namespace ballast::ganeti
