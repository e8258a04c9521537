// SPDX-License-Identifier: BSD-2-Clause
#include "ballast/fdb/model/region_stages.hpp"

#include <algorithm>
#include <map>
#include <string>

namespace ballast::fdb {
namespace {

using Priorities = std::map<std::string, int>;  ///< of main data centers

template <class R>
auto main_of(R& region) {
  const auto found = std::ranges::find(region.data_centers, false, &DataCenter::is_satellite);
  return found == region.data_centers.end() ? nullptr : &*found;
}

std::string main_id(const Region& region) {
  const DataCenter* dc = main_of(region);
  return dc == nullptr ? std::string() : dc->id;
}

int priority_of(const Region& region) {
  const DataCenter* dc = main_of(region);
  return dc == nullptr ? 0 : dc->priority;
}

void set_priority(Region& region, int priority) {
  if (DataCenter* dc = main_of(region)) dc->priority = priority;
}

Priorities priorities_of(const std::vector<Region>& regions) {
  Priorities priorities;
  for (const Region& region : regions) {
    if (main_of(region) != nullptr) priorities[main_id(region)] = priority_of(region);
  }
  return priorities;
}

/// The wanted region of that main data center; the bare data center where none is wanted.
Region wanted_region(const std::vector<Region>& wanted, const std::string& id, int priority) {
  const auto found = std::ranges::find(wanted, id, &main_id);
  Region region = found == wanted.end() ? Region{{{id, 0, false}}, 0, ""} : *found;
  set_priority(region, priority);
  return region;
}

/// The one with the highest priority; of equal ones the first by name.
Priorities::const_iterator highest(const Priorities& priorities) {
  return std::max_element(priorities.begin(), priorities.end(),
                          [](const auto& a, const auto& b) { return a.second < b.second; });
}

class Stage {
 public:
  Stage(const DatabaseConfiguration& live, const DatabaseConfiguration& wanted)
      : live_(live),
        wanted_(wanted),
        next_(live),
        current_(priorities_of(live.regions)),
        final_(priorities_of(wanted.regions)) {}

  DatabaseConfiguration run() {
    take_satellites();
    if (add_regions() || retire_region() || change_priorities()) return std::move(next_);
    if (live_.usable_regions != wanted_.usable_regions) {
      next_.usable_regions = wanted_.usable_regions;
    } else {
      next_.regions = wanted_.regions;
    }
    return std::move(next_);
  }

 private:
  /// Every stage brings the wanted satellites of the regions that are there.
  void take_satellites() {
    for (Region& region : next_.regions) {
      if (main_of(region) != nullptr)
        region = wanted_region(wanted_.regions, main_id(region), priority_of(region));
    }
  }

  /// New regions come all at once, up to two, and without a say unless they are the first.
  bool add_regions() {
    bool has_added = false;
    while (next_.regions.size() < 2) {
      Priorities missing = final_;
      for (const Region& region : next_.regions) missing.erase(main_id(region));
      if (missing.empty()) break;
      const int priority = next_.regions.empty() ? 1 : -1;
      next_.regions.push_back(wanted_region(wanted_.regions, highest(missing)->first, priority));
      has_added = true;
    }
    return has_added;
  }

  /// A region that is not wanted first loses its say, then its data, then its place.
  bool retire_region() {
    if (live_.regions.size() < 2 || wanted_.regions.empty()) return false;
    std::string active;
    for (const Region& region : live_.regions) {
      const std::string id = main_id(region);
      if (final_.contains(id)) continue;
      if (priority_of(region) < 0) {
        remove(id);
        return true;
      }
      const bool is_only_copy = priority_of(region) > 0 && live_.usable_regions < 2;
      if (active.empty() && !is_only_copy) active = id;
    }
    if (active.empty()) return false;
    bool has_other_primary = false;
    for (Region& region : next_.regions) {
      if (main_id(region) == active) set_priority(region, -1);
      has_other_primary = has_other_primary || priority_of(region) > 0;
    }
    for (Region& region : next_.regions) {
      if (!has_other_primary && main_id(region) != active) set_priority(region, 1);
    }
    return true;
  }

  void remove(const std::string& id) {
    const int left = static_cast<int>(next_.regions.size()) - 1;
    if (next_.usable_regions != left) {
      next_.usable_regions = left;
    } else {
      std::erase_if(next_.regions, [&](const Region& region) { return main_id(region) == id; });
    }
  }

  /// Priorities change only while all regions hold the data; somebody always stays primary.
  bool change_priorities() {
    Priorities next = final_;
    for (const auto& [id, priority] : current_) next.try_emplace(id, -1);
    Priorities current = current_;
    for (const auto& [id, priority] : next) current.try_emplace(id, -1);
    if (current.empty()) return false;
    if (highest(next)->second < 0) {
      const auto& [id, priority] = *highest(current);
      next[id] = priority;
    }
    if (current == next) return false;
    const int regions = static_cast<int>(live_.regions.size());
    if (live_.usable_regions != regions) {
      next_.usable_regions = regions;
      return true;
    }
    for (Region& region : next_.regions) set_priority(region, next[main_id(region)]);
    return true;
  }

  const DatabaseConfiguration& live_;
  const DatabaseConfiguration& wanted_;
  DatabaseConfiguration next_;
  Priorities current_;
  Priorities final_;
};

}  // namespace

DatabaseConfiguration next_configuration(const DatabaseConfiguration& live,
                                         const DatabaseConfiguration& wanted) {
  return live.regions == wanted.regions ? wanted : Stage(live, wanted).run();
}

}  // namespace ballast::fdb
