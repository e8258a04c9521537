// SPDX-License-Identifier: BSD-2-Clause
// v1.6 looks at scaling before upgrades, but only by the number of replicas, and writes all of a
// StatefulSet in one update: in some passes the new template goes out before the set has scaled.
#include "ballast/tidb/search/engine/engine.hpp"

#include <algorithm>

namespace ballast::tidb {

/// In a pass in which the number of replicas is as wished, a changed template is written whatever
/// else the pass does: a failure recorded, a record cleared, pods that change places by slots.
Engine::Going Engine::template_goes_along(Component c, const std::string& set) {
  LiveSet* live = running(c, set);
  const SetSpec* spec = wished(c, set);
  if (!v16() || live == nullptr || spec == nullptr || template_difference(c, set).empty())
    return true;
  // In the operator's passes an earlier component still changes while this one does.
  if (!in_the_way(c).empty() || earlier_change(c)) return true;
  const bool is_sick = std::ranges::none_of(live->pods, &LivePod::healthy);
  if (c == Component::Tidb && is_sick && pauses_ddl(*spec, *live)) return true;
  return begin_upgrade(*spec, *live);
}

/// TiDB that is wished with no pods is not upgraded, and nothing keeps its template back either.
Engine::Going Engine::template_of_no_pods(Component c) {
  if (c != Component::Tidb || !v16()) return true;
  for (const std::string& set : order_[index_of(c)]) {
    LiveSet* live = running(c, set);
    const SetSpec& spec = *wished(c, set);
    if (live == nullptr || spec.replicas > 0 || template_difference(c, set).empty()) continue;
    if (!update_template(spec, *live)) return false;
    for (LivePod& pod : live->pods) pod.updated = pod.ordinal >= *live->partition;
  }
  return true;
}

/// PD and TiDB count their records before they clear them: that pass scales as if they still held,
/// or writes the template before the pods of the records go.
Engine::Going Engine::pass_before_recovery(Component c) {
  if (c == Component::Tikv || !v16()) return true;
  for (const std::string& set : order_[index_of(c)]) {
    const LiveSet* live = running(c, set);
    if (live == nullptr || live->failures.empty()) continue;
    if (records_left(c, set).size() == live->failures.size()) continue;
    const SetSpec& spec = *wished(c, set);
    std::vector<std::int64_t> added = additions(c, set);
    std::vector<std::int64_t> gone = removals(c, set);
    part_ = Phase::Scale;
    const auto size = static_cast<std::size_t>(pods_in_a_pass(c, set, !added.empty()));
    added.resize(std::min(added.size(), size));
    gone.resize(added.empty() ? std::min(gone.size(), size) : 0);
    for (const std::int64_t ordinal : added) {
      if (!scale_out_pod(spec, ordinal)) return false;
    }
    for (const std::int64_t ordinal : gone) {
      if (!scale_in_pod(c, set, ordinal)) return false;
    }
    part_ = Phase::Upgrade;
    if (added.empty() && gone.empty() && !template_goes_along(c, set)) return false;
  }
  return true;
}

}  // namespace ballast::tidb
