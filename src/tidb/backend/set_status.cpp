// SPDX-License-Identifier: BSD-2-Clause
#include "set_status.hpp"

#include <algorithm>

namespace ballast::tidb {

const SetStatus* status_of(const ComponentStatus& status, const std::vector<SetSpec>& listed,
                           const LiveSet& set, std::vector<Remark>& remarks) {
  for (const SetStatus& one : status.sets) {
    if (!one.key.empty() && (one.key == set.name || one.key == set.statefulset)) return &one;
    const std::size_t hyphen = one.current_revision.rfind('-');
    if (one.key.empty() && hyphen != std::string::npos &&
        one.current_revision.substr(0, hyphen) == set.statefulset) {
      return &one;
    }
  }
  const auto place = std::ranges::find(listed, set.name, &SetSpec::name);
  if (place == listed.end() || status.sets.empty()) return nullptr;
  const auto index = static_cast<std::size_t>(place - listed.begin());
  const bool single = !status.is_list && set.name == kDefaultSet && status.sets.size() == 1;
  const bool nameless =
      std::ranges::all_of(status.sets, [](const SetStatus& s) { return s.key.empty(); });
  if (nameless && (single || status.sets.size() == listed.size())) {
    return &status.sets[single ? 0 : index];
  }
  if (status.is_list) {
    remarks.push_back(
        {"W-STATUS-IGNORED", set.statefulset,
         "status.statefulSet has neither revisions nor the length of the list of sets"});
  }
  return nullptr;
}

}  // namespace ballast::tidb
