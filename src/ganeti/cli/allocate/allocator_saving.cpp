// SPDX-License-Identifier: BSD-2-Clause
#include "ballast/ganeti/cli/allocate/allocator_saving.hpp"

#include "ballast/ganeti/backend/text/text.hpp"
#include "ballast/ganeti/cli/sources/saving.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace ballast::ganeti::cli {
namespace {

/// `dies`: there is no such text.
std::string state_after(const Snapshot& snapshot, const AllocatorAnswer& answer, bool& dies) {
  Cluster cluster = snapshot.cluster;
  State state = answer.state;
  cluster.instances.clear();
  state.placements.clear();
  Part part;
  part.nodes = answer.nodes;
  for (const InstanceAfter& one : answer.instances) {
    part.instances.emplace_back(cluster.instances.size());
    cluster.instances.push_back(one.instance);
    state.placements.push_back(one.placement);
  }
  if (answer.nodes.size() == cluster.nodes.size()) return write_text(cluster, state);
  part.group = answer.nodes.empty() ? GroupId() : cluster[answer.nodes.front()].group;
  dies = std::any_of(state.placements.begin(), state.placements.end(),
                     [&](const Placement& at) { return cluster[at.primary].group != part.group; });
  auto text = write_text(cluster, state, part);
  dies = dies || !text;
  return text.value_or(std::string());
}

}  // namespace

OrExit<void> save_answer(const Snapshot& snapshot, const AllocatorAnswer& answer,
                         const std::string& path, Output& output) {
  bool dies = false;
  const std::string text = state_after(snapshot, answer, dies);
  if (!dies) return save_text(text, path, "after iallocator run", output);
  return tl::unexpected(output.fail(
      fmt::format("{}: an instance of another group cannot be saved with this group's nodes\n",
                  output.program())));
}

}  // namespace ballast::ganeti::cli
