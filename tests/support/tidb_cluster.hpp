// SPDX-License-Identifier: BSD-2-Clause
// Plans from texts, for tests that read like a story.
#pragma once

#include "ballast/plan/plan.hpp"
#include "ballast/tidb/backend/load.hpp"
#include "ballast/tidb/search/answer/search.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <string>

namespace ballast::tidb::test {

inline Input input_from(const LoadRequest& request, PlanOptions options = {}) {
  const auto loaded = load(request);
  Input input;
  if (!loaded) return input;
  input.current = loaded->current;
  input.desired = loaded->desired;
  input.live = loaded->live;
  input.options = std::move(options);
  input.options.profile = loaded->profile;
  input.options.names = loaded->style;
  input.max_replicas = loaded->max_replicas;
  return input;
}

/// Codes and paths of what is refused, "E001 tikv.extra[1]", joined by blanks; empty where all is
/// well.
inline std::string errors_of(const LoadRequest& request) {
  const auto loaded = load(request);
  std::string text;
  if (loaded) return text;
  for (const Diagnostic& error : loaded.error()) {
    text += (text.empty() ? "" : "; ") + error.code + " " + error.path;
  }
  return text;
}

inline LoadRequest request_for(std::string current, std::string desired) {
  LoadRequest request;
  if (!current.empty()) request.current = {{"current.yaml", std::move(current)}};
  if (!desired.empty()) request.desired = {{"desired.yaml", std::move(desired)}};
  return request;
}

/// The first phase in which more than one pod comes, goes or restarts; empty where there is none.
/// The named exceptions: v1.0 changes the replicas of a TiDB set in one go, and a forced update of
/// PD writes its replicas along with the template.
inline std::string pods_at_once(const plan::Plan& plan, Profile profile) {
  std::map<int, std::string> moved;
  for (const plan::Step& step : plan.steps) {
    if (step.action != "scale-in" && step.action != "scale-out" && step.action != "restart-pod")
      continue;
    const bool is_scaling = step.action != "restart-pod";
    const bool is_forced = is_scaling && step.subject.group.starts_with("pd/") &&
                           step.reason.text.find("the forced template") != std::string::npos;
    const bool is_exempt = is_forced || (profile == Profile::V10 && is_scaling &&
                                         step.subject.group.starts_with("tidb/"));
    const auto [other, is_first] = moved.emplace(step.phase, step.subject.name);
    if (!is_first && !is_exempt)
      return fmt::format("{} and {} move at once", other->second, step.subject.name);
  }
  return "";
}

inline bool warned(const Outcome& outcome, std::string_view code) {
  return std::ranges::any_of(outcome.warnings,
                             [&](const plan::Warning& w) { return w.code == code; });
}

inline bool noted(const Outcome& outcome, std::string_view code) {
  return std::ranges::any_of(outcome.notes,
                             [&](const plan::CodedText& n) { return n.code == code; });
}

/// A values file with PD 3, TiKV `tikv`, TiDB 2; `more` is appended to the tikv mapping, indented
/// by two.
inline std::string values(int tikv, const std::string& more = "",
                          const std::string& version = "v2.1.0") {
  return "clusterName: demo\nenableConfigMapRollout: true\npd:\n  replicas: 3\n  image: "
         "pingcap/pd:" +
         version + "\ntikv:\n  replicas: " + std::to_string(tikv) +
         "\n  image: pingcap/tikv:" + version + "\n" + more +
         "tidb:\n  replicas: 2\n  image: pingcap/tidb:" + version + "\n";
}

}  // namespace ballast::tidb::test
