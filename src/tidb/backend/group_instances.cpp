// SPDX-License-Identifier: BSD-2-Clause
#include "group_instances.hpp"

#include "running_template.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>

namespace ballast::tidb {

namespace {

constexpr std::size_t kSuffix = 6;

bool here(const LiveSources& sources, const std::string& ns) {
  const std::string& own = sources.current->ns;
  return own.empty() || ns.empty() || ns == own;
}

std::vector<LivePod> shown_by_kubectl(const LiveSources& sources, const LiveSet& group) {
  std::vector<LivePod> pods;
  for (const KubePod& kube : sources.kube.pods) {
    if (!here(sources, kube.ns) || !is_instance_of(group.statefulset, kube.pod.name)) continue;
    pods.push_back(kube.pod);
    LivePod& pod = pods.back();
    pod.updated = group.update_revision.empty() || pod.revision.empty() ||
                  pod.revision == group.update_revision;
    const SetSpec* wished = sources.desired->find(group.component, group.name);
    pod.has_wished =
        !pod.updated && wished != nullptr && shows_template_of(kube, group.spec, *wished);
  }
  return pods;
}

/// kubectl shows all pods of a component where it shows one.
bool is_shown(const LiveSources& sources, Component c) {
  return std::ranges::any_of(sources.current->of(c), [&](const SetSpec& group) {
    return std::ranges::any_of(sources.kube.pods, [&](const KubePod& kube) {
      return here(sources, kube.ns) && is_instance_of(group.statefulset, kube.pod.name);
    });
  });
}

std::vector<std::string> known_by_pd(const LiveSources& sources, const LiveSet& group) {
  std::vector<std::string> names;
  const auto add = [&](const std::string& pod) {
    if (is_instance_of(group.statefulset, pod)) names.push_back(pod);
  };
  if (group.component == Component::Tikv) {
    for (const Store& store : sources.pd.stores) {
      if (store.state != StoreState::Tombstone) add(store.pod);
    }
  }
  if (group.component == Component::Pd) {
    for (const Member& member : sources.pd.members) add(member.name);
  }
  if (static_cast<std::int64_t>(names.size()) != group.replicas) names.clear();
  return names;
}

}  // namespace

bool is_instance_of(std::string_view group, std::string_view pod) {
  if (pod.size() != group.size() + 1 + kSuffix || !pod.starts_with(group)) return false;
  pod.remove_prefix(group.size());
  return pod.front() == '-' &&
         std::ranges::all_of(pod.substr(1), [](unsigned char c) { return std::isalnum(c) != 0; });
}

std::vector<LivePod> group_instances(const LiveSources& sources, const LiveSet& group) {
  std::vector<LivePod> pods = shown_by_kubectl(sources, group);
  if (!is_shown(sources, group.component)) {
    const std::vector<std::string> names = known_by_pd(sources, group);
    const bool rolling =
        !group.update_revision.empty() && group.current_revision != group.update_revision;
    const std::int64_t updated = rolling ? group.updated_replicas.value_or(0) : group.replicas;
    for (std::int64_t i = 0; i < group.replicas; ++i) {
      LivePod pod;
      pod.name = names.empty() ? fmt::format("{}-{}", group.statefulset, std::string(kSuffix, '?'))
                               : names[static_cast<std::size_t>(i)];
      pod.updated = i >= group.replicas - updated;
      pods.push_back(std::move(pod));
    }
  }
  std::ranges::stable_sort(pods, {}, &LivePod::name);
  for (std::size_t i = 0; i < pods.size(); ++i) pods[i].ordinal = static_cast<std::int64_t>(i);
  return pods;
}

}  // namespace ballast::tidb
