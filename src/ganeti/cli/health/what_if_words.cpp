// SPDX-License-Identifier: BSD-2-Clause
#include "what_if_words.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "ballast/core/listed.hpp"
#include "ballast/ganeti/search/planning/refusal_text.hpp"

namespace ballast::ganeti::cli {
namespace {

/// By Fate.
constexpr std::array<FateWords, 6> kWords{{
    {"fails_over", "fails over", "fails over", "fail over"},
    {"restarts", "restarts", "restarts elsewhere", "restart elsewhere"},
    {"loses_mirror", "loses its mirror", "loses its mirror", "lose their mirror"},
    {"recreatable", "disks lost, room to make it anew", "loses its disks but can be made anew",
     "lose their disks but can be made anew"},
    {"stuck", "cannot run", "cannot run anywhere", "cannot run anywhere"},
    {"lost", "disks lost", "loses its disks", "lose their disks"},
}};

void append(std::string& list, std::string_view text) {
  if (!list.empty()) list += ", ";
  list += text;
}

}  // namespace

const FateWords& words_of(Fate fate) { return kWords.at(static_cast<std::size_t>(fate)); }

std::size_t count_of(const WhatIf& answer, Fate fate) {
  return static_cast<std::size_t>(
      std::count_if(answer.affected.begin(), answer.affected.end(),
                    [fate](const Affected& affected) { return affected.fate == fate; }));
}

std::size_t count_without_mirror(const WhatIf& answer) {
  return count_of(answer, Fate::FailsOver) + count_of(answer, Fate::LosesMirror);
}

std::string loss_text(const Cluster& cluster, const Loss& loss) {
  constexpr std::size_t kShown = 10;
  std::vector<std::string> nodes;
  for (const NodeId node : loss.nodes) nodes.push_back(cluster[node].alias);
  std::string text;
  if (!nodes.empty()) text = (nodes.size() == 1 ? "node " : "nodes ") + listed(nodes, kShown);
  for (const LostUnit& lost : loss.units) {
    append(text, "unit " + to_string(cluster[lost.unit]));
    if (!lost.node.is_none()) text += " on " + cluster[lost.node].alias;
  }
  return text;
}

std::string reason_text(const Cluster& cluster, const State& state, const Affected& affected) {
  const Instance& instance = cluster[affected.instance];
  if (const Refusal* why = telling_refusal(affected.refusals)) {
    const std::string text = refusal_text(cluster, state, instance, *why);
    const std::size_t others = affected.refusals.size() - 1;
    return others == 0 ? text : fmt::format("{}; {} others refuse, too", text, others);
  }
  if (affected.fate == Fate::Lost && has_secondary(instance.disk_template))
    return affected.before.secondary.is_none() ? "it has no secondary" : "both copies are gone";
  if (is_down(affected.fate) && affected.now.is_none()) return "no node is left for it";
  return instance.is_running() ? "" : "it was not running";
}

std::string strain_text(const Survivor& survivor) {
  std::string text;
  if (survivor.lacks_memory()) append(text, "short of memory");
  if (survivor.exceeds_cpu()) append(text, "above the CPU ratio");
  if (survivor.loses_n1) append(text, "no longer N+1 happy");
  return text;
}

}  // namespace ballast::ganeti::cli
