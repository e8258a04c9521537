// SPDX-License-Identifier: BSD-2-Clause
// The Ganeti text format, storage columns included: whatever is read runs through the pipeline, is
// moved about, and is written so that what reads back is written the same again.
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>

#include "ballast/ganeti/backend/text/text.hpp"
#include "ballast/ganeti/loading/pipeline.hpp"
#include "ballast/ganeti/moves/kinds.hpp"

namespace {

using namespace ballast;
using namespace ballast::ganeti;

void require(bool holds) {
  if (!holds) std::abort();
}

std::string written(const Snapshot& snapshot) {
  return write_text(snapshot.cluster, snapshot.state);
}

/// Every kind of move of the first instances to the first nodes; none may crash, and none may break
/// a unit's bounds.
void move_about(Snapshot& snapshot) {
  constexpr std::size_t kMost = 4;
  const Cluster& cluster = snapshot.cluster;
  for (std::size_t i = 0; i < std::min(kMost, cluster.instances.size()); ++i) {
    for (std::size_t n = 0; n < std::min(kMost, cluster.nodes.size()); ++n) {
      for (const MoveKindRow& row : kMoveKinds) {
        const InstanceId id(i);
        const NodeId target(n);
        if (target == snapshot.state[id].primary || target == snapshot.state[id].secondary)
          continue;
        auto effect =
            evaluate(cluster, snapshot.state, id, {row.kind, target}, row_index(row.kind) % 2 == 0);
        if (effect) apply(snapshot.state, id, std::move(*effect));
      }
    }
  }
  for (const NodeState& state : snapshot.state.nodes) {
    for (const Capacity& capacity : state.capacities)
      require(capacity.free_mib >= 0 && capacity.free_mib <= capacity.total_mib);
  }
}

void check_round_trip(const std::string& text) {
  auto again = read_text(text, "again", {});
  if (!again) return;  // names that are no longer unique where policies look for them
  if (!run_pipeline(*again, {})) return;
  require(written(*again) == text);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view content(reinterpret_cast<const char*>(data), size);
  auto snapshot = read_text(content, "f", {});
  if (!snapshot) {
    require(!snapshot.error().message.empty());
    return 0;
  }
  require(run_pipeline(*snapshot, {}).has_value());
  auto again = read_text(written(*snapshot), "again", {});
  if (again && run_pipeline(*again, {})) check_round_trip(written(*again));
  move_about(*snapshot);
  set_min_disk(*snapshot, 0.1);
  require(set_reserves(*snapshot, {{std::nullopt, std::nullopt}}).has_value());
  move_about(*snapshot);
  return 0;
}
