// SPDX-License-Identifier: BSD-2-Clause
#include "held.hpp"

#include "ballast/core/file.hpp"
#include "ballast/core/listed.hpp"
#include "ballast/core/words.hpp"
#include "ballast/report/plan_json.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <set>

namespace ballast::ganeti::cli {
namespace {

/// Plans carry no date: that of the file counts. What has none (a pipe) is taken as new.
bool is_older_than(const std::string& path, std::int64_t seconds) {
  std::error_code error;
  const auto written = std::filesystem::last_write_time(path, error);
  if (error) return false;
  const auto age = std::filesystem::file_time_type::clock::now() - written;
  return std::chrono::duration_cast<std::chrono::seconds>(age).count() > seconds;
}

bool is_on_offline_node(const Cluster& cluster, const Placement& at) {
  return cluster[at.primary].is_offline ||
         (!at.secondary.is_none() && cluster[at.secondary].is_offline);
}

}  // namespace

OrExit<std::vector<std::string>> moved_before(const SearchWish& wish, Output& output) {
  std::set<std::string> names;
  for (const std::string& path : wish.earlier_plans) {
    if (wish.keep_seconds && is_older_than(path, *wish.keep_seconds)) continue;
    const auto text = read_file_raw(path);
    if (!text) return tl::unexpected(output.fail_on_file(path, text.error()));
    const auto read = report::plan_from_json(*text, path);
    if (!read) return tl::unexpected(output.fail_at(read.error()));
    if (read->plan.system != plan::System::Ganeti)
      return tl::unexpected(
          output.fail(fmt::format("hbal: --since: {} is not a plan for a Ganeti cluster\n", path)));
    for (const plan::Step& step : read->plan.steps) {
      if (step.subject.kind == "instance" && !step.to.is_null()) names.insert(step.subject.name);
    }
  }
  return std::vector<std::string>(names.begin(), names.end());
}

HeldSnapshot hold(const Snapshot& snapshot, const Part& part,
                  const std::vector<std::string>& names) {
  HeldSnapshot result;
  if (names.empty()) return result;
  for (const InstanceId id : part.instances) {
    const Instance& instance = snapshot.cluster[id];
    if (!std::ranges::binary_search(names, instance.name) || !instance.is_movable) continue;
    if (is_on_offline_node(snapshot.cluster, snapshot.state[id])) continue;
    if (!result.changed) result.changed = snapshot;
    result.changed->cluster.instances[id.index()].is_movable = false;
    result.held.push_back(instance.name);
  }
  return result;
}

std::string held_text(const std::vector<std::string>& held) {
  return fmt::format("held where {} now, as an earlier plan moved {}: {}",
                     of_count(held.size(), "it is", "they are"),
                     of_count(held.size(), "it", "them"), listed(held, 10));
}

}  // namespace ballast::ganeti::cli
