// SPDX-License-Identifier: BSD-2-Clause
#include "ballast/fdb/cli/run.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "ballast/fdb/cli/settings.hpp"
#include "present.hpp"

namespace ballast::fdb {
namespace {

using Present = Answer (*)(const Loaded&, const Settings&, cli::Streams&);

Answer plan_as_wished(const Loaded& loaded, const Settings& settings, cli::Streams& streams) {
  return present_plan(loaded, loaded.desired, settings, {}, streams);
}

constexpr std::array<std::pair<std::string_view, Present>, 6> kAnswers{
    {{"plan", plan_as_wished},
     {"groups", present_groups},
     {"analyze", present_analysis},
     {"spread", present_spread},
     {"drain", present_drain},
     {"fix-addresses", present_fixed_addresses}}};

/// What was read under another name or kept without being understood.
void note(const Cluster& cluster, cli::Streams& streams) {
  for (const Remark& remark : cluster.notes)
    streams.err(fmt::format("hfdb: note: {}: {}\n", remark.code, remark.text));
}

/// Several objects of one database.
Answer plan_objects(const Settings& settings, cli::Streams& streams) {
  const auto objects = load_together(requests_of(settings));
  if (!objects) return tl::unexpected(objects.error());
  Answer answer = present_plan_together(*objects, settings, streams);
  for (const Loaded& loaded : *objects) {
    if (answer) note(loaded.snapshot, streams);
  }
  return answer;
}

Answer answer_to(const std::string& command, Settings& settings, cli::Streams& streams) {
  settle(settings);
  if (settings.load.current.empty())
    return operators::wrong_usage(
        {"F017", "--current", "missing: expected the file with the FoundationDBCluster"});
  if (command == "spread" && !settings.domains)
    return operators::wrong_usage(
        {"F017", "--domains", "missing: expected the number of fault domains"});
  if (command == "drain" && settings.drain.is_empty())
    return operators::wrong_usage(
        {"F018", "-", "expected --node, --zone, --class, --condition or --node-label"});
  if (!settings.peers.empty() && !settings.write_state.empty())
    return operators::wrong_usage(
        {"F018", "--write-state", "expected one object, without --peer: a state is of one"});
  if (!settings.peers.empty()) return plan_objects(settings, streams);
  const auto loaded = load(settings.load);
  if (!loaded) return tl::unexpected(loaded.error());
  const auto* const found =
      std::ranges::find(kAnswers, command, &std::pair<std::string_view, Present>::first);
  Answer answer = found->second(*loaded, settings, streams);
  if (answer) note(loaded->snapshot, streams);
  return answer;
}

}  // namespace

int run(const cli::Invocation& invocation, cli::Streams& streams) {
  Settings settings;
  const operators::Planner planner{kProgram, usage(), option_table(settings), &settings,
                                   [&](const std::string& command, cli::Streams& to) {
                                     return answer_to(command, settings, to);
                                   }};
  return operators::run(planner, invocation, streams);
}

}  // namespace ballast::fdb
