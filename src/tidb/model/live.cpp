// SPDX-License-Identifier: BSD-2-Clause
#include "ballast/tidb/model/live.hpp"

#include <algorithm>
#include <charconv>

namespace ballast::tidb {

namespace {

constexpr std::array kStates{StoreState::Up, StoreState::Disconnected, StoreState::Down,
                             StoreState::Offline, StoreState::Tombstone};

template <class Range, class Value, class Projection>
auto* find_or_null(Range& range, const Value& value, Projection projection) {
  const auto found = std::ranges::find(range, value, projection);
  return found == range.end() ? nullptr : &*found;
}

/// The store that counts for a pod: a live one before a tombstone of its predecessor.
template <class Stores>
auto* best_store(Stores& stores, std::string_view pod) {
  decltype(&*stores.begin()) best = nullptr;
  for (auto& store : stores) {
    if (store.pod != pod || store.tiflash) continue;
    if (best == nullptr || best->state == StoreState::Tombstone) best = &store;
  }
  return best;
}

}  // namespace

std::string_view name_of(StoreState state) {
  switch (state) {
    case StoreState::Up:
      return "Up";
    case StoreState::Disconnected:
      return "Disconnected";
    case StoreState::Down:
      return "Down";
    case StoreState::Offline:
      return "Offline";
    case StoreState::Tombstone:
      return "Tombstone";
  }
  return "";
}

std::optional<StoreState> store_state_named(std::string_view name) {
  for (const StoreState state : kStates) {
    if (name_of(state) == name) return state;
  }
  return std::nullopt;
}

LivePod* LiveSet::pod(std::int64_t ordinal) {
  return find_or_null(pods, ordinal, &LivePod::ordinal);
}
const LivePod* LiveSet::pod(std::int64_t ordinal) const {
  return find_or_null(pods, ordinal, &LivePod::ordinal);
}

bool LiveSet::rolling() const {
  if (!current_revision.empty() && !update_revision.empty() &&
      current_revision != update_revision) {
    return true;
  }
  return generation_pending ||
         std::ranges::any_of(pods, [](const LivePod& p) { return !p.updated; });
}

bool LiveSet::gives_old_template() const {
  if (!current_revision.empty() && !update_revision.empty())
    return current_revision != update_revision;
  return std::ranges::any_of(pods, [](const LivePod& p) { return !p.updated; });
}

LiveSet* Live::find(Component component, std::string_view set) {
  return find_or_null(of(component), set, &LiveSet::name);
}
const LiveSet* Live::find(Component component, std::string_view set) const {
  return find_or_null(of(component), set, &LiveSet::name);
}
Store* Live::store_of(std::string_view pod) { return best_store(stores, pod); }
const Store* Live::store_of(std::string_view pod) const { return best_store(stores, pod); }
Member* Live::member_of(std::string_view pod) { return find_or_null(members, pod, &Member::name); }
const Member* Live::member_of(std::string_view pod) const {
  return find_or_null(members, pod, &Member::name);
}
std::int64_t Live::up_stores() const {
  return std::ranges::count_if(
      stores, [](const Store& s) { return s.state == StoreState::Up && !s.tiflash; });
}
std::int64_t Live::healthy_members() const {
  return std::ranges::count_if(members, &Member::healthy);
}

std::optional<std::pair<std::string, std::int64_t>> split_pod_name(std::string_view pod) {
  const std::size_t hyphen = pod.rfind('-');
  if (hyphen == std::string_view::npos || hyphen == 0 || hyphen + 1 == pod.size())
    return std::nullopt;
  std::int64_t ordinal = 0;
  const char* end = pod.data() + pod.size();
  const auto [stop, error] = std::from_chars(pod.data() + hyphen + 1, end, ordinal);
  if (error != std::errc{} || stop != end || ordinal < 0) return std::nullopt;
  return std::pair{std::string(pod.substr(0, hyphen)), ordinal};
}

}  // namespace ballast::tidb
