// SPDX-License-Identifier: BSD-2-Clause
#include "blocked_text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "ballast/core/strings.hpp"
#include "ballast/ganeti/search/planning/blocked_by.hpp"
#include "ballast/ganeti/search/planning/refusal_text.hpp"

namespace ballast::ganeti {
namespace {

constexpr std::string_view kNoCopy = "its disks have no second copy, so that it cannot be moved";

struct Word {
  std::string_view code;
  std::string_view word;
};
constexpr std::array<Word, 12> kWords{{
    {"FailMem", "memory"},
    {"FailDiskCount", "the number of its disks"},
    {"FailDisk", "disk or policy"},
    {"FailCPU", "virtual CPUs"},
    {"FailN1", "nodes that could no longer be emptied"},
    {"FailTags", "exclusion tags"},
    {"FailMig", "migration tags"},
    {"FailSpindles", "spindles"},
    {"FailInternal", "an internal error"},
    {"No valid allocation solutions, failure reasons: ", "no place, refused for "},
    {"refused for unknown reasons", "none was tried"},
    {"Group ", "group "},
}};

std::string in_words(std::string text) {
  for (const auto& [code, word] : kWords) {
    for (std::size_t at = text.find(code); at != std::string::npos; at = text.find(code, at)) {
      text.replace(at, code.size(), word);
      at += word.size();
    }
  }
  return text;
}

/// What was refused before any node was tried: by the choice of a group, or as a whole.
std::string refused_text(const std::string& text) {
  if (text.starts_with("no groups for evacuation")) return "no group is left that it may go to";
  if (text == "Can't relocate non-mirrored instances") return std::string(kNoCopy);
  if (text.starts_with("Unsupported request: excluded nodes"))
    return "the request names another node than the one that it can leave";
  if (text.find("No valid allocation solutions") != std::string::npos)
    return "no allowed group has a place for it: " + in_words(text);
  return in_words(text);
}

}  // namespace

std::string_view no_candidates_text(const InstanceExplanation& one) {
  if (one.role == InstanceExplanation::Role::Mirrored)
    return "its group has no other node that could hold a mirror";
  switch (mirroring_of(one.instance.disk_template)) {
    case Mirroring::None:
      return kNoCopy;
    case Mirroring::External:
      return "no other node is left for it, or it has no secondary to move";
    case Mirroring::Internal:
      break;
  }
  return "too few other nodes are left for it that are online and not emptied";
}

BlockedTexts::BlockedTexts(const Cluster& cluster, const State& state, const Request& request,
                           const AllocatorOptions& options)
    : cluster_(cluster),
      state_(state),
      explanations_(explain_request(cluster, state, request, options, false)) {}

std::string BlockedTexts::refusals_of(const InstanceExplanation& one) const {
  constexpr std::size_t kMost = 3;
  std::vector<std::string> causes;
  for (const CandidateVerdict& candidate : one.explanation.candidates) {
    if (!candidate.refusal) continue;
    std::string text = refusal_text(cluster_, state_, one.instance, *candidate.refusal);
    if (std::find(causes.begin(), causes.end(), text) == causes.end())
      causes.push_back(std::move(text));
  }
  const std::size_t shown = std::min(causes.size(), kMost);
  std::string text = "no node can take it: " + join(std::span(causes).first(shown), "; ");
  if (causes.size() > shown) text += fmt::format("; and {} more", causes.size() - shown);
  return text;
}

void BlockedTexts::set_nearest_rule(plan::Blocked& blocked, const InstanceExplanation& one) const {
  const Refusal* nearest = nullptr;
  for (const CandidateVerdict& candidate : one.explanation.candidates) {
    if (!candidate.refusal) continue;
    if (nearest == nullptr || lack_of(*candidate.refusal) < lack_of(*nearest))
      nearest = &*candidate.refusal;
  }
  if (nearest != nullptr) set_rule(blocked, cluster_, *nearest);
}

plan::Blocked BlockedTexts::of(const FailedInstance& failed) const {
  plan::Blocked blocked;
  blocked.code = "NO_PLACE";
  blocked.subject = {"instance", failed.name, ""};
  const auto found = std::ranges::find(explanations_, failed.name, [](const auto& one) {
    return std::string_view(one.instance.name);
  });
  if (failed.rule) {
    blocked.text = in_words(failed.text);
    set_rule(blocked, cluster_, *failed.rule);
    return blocked;
  }
  if (found == explanations_.end() || found->explanation.candidates.empty()) {
    blocked.text = found == explanations_.end() ? refused_text(failed.text)
                                                : std::string(no_candidates_text(*found));
    blocked.gate = "no_target";
    if (blocked.text == kNoCopy) set_without_copy(blocked, template_of(failed.name));
    return blocked;
  }
  blocked.text = refusals_of(*found);
  set_nearest_rule(blocked, *found);
  return blocked;
}

DiskTemplate BlockedTexts::template_of(std::string_view name) const {
  const auto found = std::ranges::find(cluster_.instances, name, &Instance::name);
  return found == cluster_.instances.end() ? DiskTemplate::Plain : found->disk_template;
}

}  // namespace ballast::ganeti
