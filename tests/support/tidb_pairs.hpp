// SPDX-License-Identifier: BSD-2-Clause
// Random TiDB clusters as files: values of two sides, what pd-ctl and kubectl print of the first,
// and the same for the groups of operator v2.
#pragma once

#include "ballast/core/random.hpp"
#include "ballast/tidb/backend/load.hpp"

#include <fmt/format.h>

#include <array>
#include <string>
#include <vector>

namespace ballast::tidb::test {

struct SetText {
  std::string name;
  std::int64_t replicas = 0;
  int image = 0;
  int cpu = 0;
};

struct Cluster {
  std::array<std::vector<SetText>, 3> sets;
  bool rollout = true;
  int config = 0;
};

inline constexpr std::array kComponentNames{"pd", "tikv", "tidb"};

inline Cluster random_cluster(Random& random, std::int64_t size) {
  Cluster cluster;
  cluster.rollout = random.chance(70);
  for (std::size_t c = 0; c < 3; ++c) {
    SetText first;
    first.name = "default";
    first.replicas = random.between(c == 0 ? 1 : 0, size + 1);
    cluster.sets[c].push_back(first);
    for (std::int64_t i = random.between(0, size / 2); i > 0; --i) {
      cluster.sets[c].push_back({fmt::format("s{}", i), random.between(0, size), 0, 0});
    }
  }
  return cluster;
}

inline Cluster changed(Random& random, Cluster cluster, std::int64_t size) {
  if (random.chance(20)) cluster.config = 1;
  for (auto& sets : cluster.sets) {
    for (SetText& set : sets) {
      if (random.chance(30)) set.replicas = random.between(0, size + 1);
      if (random.chance(30)) set.image = 1;
      if (random.chance(15)) set.cpu = 3;
    }
    if (sets.size() > 1 && random.chance(25)) sets.pop_back();
    if (random.chance(25)) sets.push_back({"new", random.between(0, size), 0, 0});
  }
  return cluster;
}

inline std::string values_of(const Cluster& cluster) {
  std::string text =
      fmt::format("clusterName: demo\nenableConfigMapRollout: {}\n", cluster.rollout);
  for (std::size_t c = 0; c < 3; ++c) {
    const auto& sets = cluster.sets[c];
    const char* name = kComponentNames[c];
    text += fmt::format("{}:\n  replicas: {}\n  image: pingcap/{}:v2.{}.0\n", name,
                        sets[0].replicas, name, sets[0].image);
    text += fmt::format("  resources:\n    requests: {{cpu: \"{}\", storage: 10Gi}}\n",
                        sets[0].cpu + 1);
    if (cluster.config > 0) text += fmt::format("  config: |\n    level = {}\n", cluster.config);
    if (sets.size() > 1) text += "  extra:\n";
    for (std::size_t i = 1; i < sets.size(); ++i) {
      text += fmt::format("  - name: {}\n    replicas: {}\n", sets[i].name, sets[i].replicas);
      if (sets[i].image != sets[0].image)
        text += fmt::format("    image: pingcap/{}:v2.{}.0\n", name, sets[i].image);
      if (sets[i].cpu != sets[0].cpu)
        text += fmt::format("    resources: {{requests: {{cpu: {}000m}}}}\n", sets[i].cpu + 1);
    }
  }
  return text;
}

inline std::string statefulset_of(std::size_t c, const SetText& set) {
  return set.name == "default" ? fmt::format("demo-{}", kComponentNames[c])
                               : fmt::format("demo-{}-{}", kComponentNames[c], set.name);
}

inline std::string joined(const std::vector<std::string>& parts) {
  std::string text;
  for (const std::string& part : parts) text += (text.empty() ? "" : ",") + part;
  return text;
}

/// Stores and members as pd-ctl prints them, some of them not well. `pods` names the pods of PD and
/// of TiKV.
inline std::vector<SourceText> pd_of(Random& random,
                                     const std::array<std::vector<std::string>, 2>& pods) {
  std::vector<std::string> stores;
  std::vector<std::string> health;
  int id = 0;
  for (const std::string& pod : pods[1]) {
    const char* state = random.chance(85) ? "Up" : random.chance(50) ? "Down" : "Offline";
    stores.push_back(fmt::format(
        R"({{"store":{{"id":{},"address":"{}.x:20160","state_name":"{}"}},"status":{{"leader_count":{}}}}})",
        ++id, pod, state, random.between(0, 900)));
  }
  for (const std::string& pod : pods[0]) {
    health.push_back(
        fmt::format(R"({{"name":"{}","member_id":{},"health":{}}})", pod, ++id, random.chance(90)));
  }
  std::vector<SourceText> texts;
  if (random.chance(50)) texts.push_back({"store.json", R"({"stores":[)" + joined(stores) + "]}"});
  if (random.chance(50) && !health.empty())
    texts.push_back({"health.json", "[" + joined(health) + "]"});
  return texts;
}

inline std::array<std::vector<std::string>, 2> pods_of(const Cluster& cluster) {
  std::array<std::vector<std::string>, 2> pods;
  for (std::size_t c = 0; c < 2; ++c) {
    for (const SetText& set : cluster.sets[c]) {
      for (std::int64_t i = 0; i < set.replicas; ++i)
        pods[c].push_back(fmt::format("{}-{}", statefulset_of(c, set), i));
    }
  }
  return pods;
}

inline std::string pod_json(Random& random, const std::string& name,
                            std::string_view revision_label, const std::string& revision) {
  const bool ready = random.chance(92);
  const char* waiting =
      !ready && random.chance(30)
          ? R"(,"containerStatuses":[{"state":{"waiting":{"reason":"CrashLoopBackOff"}}}])"
          : "";
  const std::string asked =
      random.chance(4) ? fmt::format(R"(,"annotations":{{"tidb.pingcap.com/evict-leader":"{}"}})",
                                     random.chance(50) ? "none" : "delete-pod")
                       : "";
  return fmt::format(
      R"({{"kind":"Pod","metadata":{{"name":"{}","creationTimestamp":"1970-01-10T00:00:00Z"{},"labels":{{"{}":"{}"}}}},"status":{{"phase":"Running","conditions":[{{"type":"Ready","status":"{}","lastTransitionTime":"{}"}}]{}}}}})",
      name, asked, revision_label, revision, ready ? "True" : "False",
      random.chance(50) ? "1970-01-12T13:40:00Z" : "1970-01-12T13:45:00Z", waiting);
}

/// StatefulSets, pods and claims as kubectl prints them: some sets are rolling, some pods are not
/// well, some claims are left over.
inline std::vector<SourceText> kube_of(Random& random, const Cluster& cluster) {
  std::vector<std::string> items;
  const bool with_pods = random.chance(70);
  for (std::size_t c = 0; c < 3; ++c) {
    for (const SetText& set : cluster.sets[c]) {
      const std::string name = statefulset_of(c, set);
      const bool rolling = random.chance(20);
      const std::int64_t partition = rolling ? random.between(0, set.replicas) : 0;
      items.push_back(fmt::format(
          R"({{"kind":"StatefulSet","metadata":{{"name":"{}"}},"spec":{{"replicas":{},"updateStrategy":{{"type":"RollingUpdate","rollingUpdate":{{"partition":{}}}}}}},"status":{{"currentRevision":"{}-1","updateRevision":"{}-{}"}}}})",
          name, set.replicas, partition, name, name, rolling ? 2 : 1));
      for (std::int64_t i = 0; with_pods && i < set.replicas; ++i) {
        items.push_back(pod_json(random, fmt::format("{}-{}", name, i), "controller-revision-hash",
                                 fmt::format("{}-{}", name, rolling && i >= partition ? 2 : 1)));
      }
      if (c != 2 && random.chance(15)) {
        items.push_back(fmt::format(
            R"({{"kind":"PersistentVolumeClaim","metadata":{{"name":"{}-{}-{}","annotations":{{{}}}}},"spec":{{}}}})",
            kComponentNames[c], name, set.replicas,
            random.chance(60) ? R"("tidb.pingcap.com/pvc-defer-deleting":"1970")" : ""));
      }
    }
  }
  return {{"kube.json", R"({"kind":"List","items":[)" + joined(items) + "]}"}};
}

/// How a cluster is spelled as a TidbCluster.
struct ObjectStyle {
  bool is_list = false;
  std::int64_t max_failover = 3;
  bool recovers = false;  ///< recoverFailover
};

inline std::string element_of(std::size_t c, const SetText& set, const ObjectStyle& style) {
  return fmt::format(
      "replicas: {}, image: \"pingcap/{}:v2.{}.0\", requests: {{cpu: {}}}, "
      "maxFailoverCount: {}{}",
      set.replicas, kComponentNames[c], set.image, set.cpu + 1, style.max_failover,
      c == 1 && style.recovers ? ", recoverFailover: true" : "");
}

inline std::string object_of(const Cluster& cluster, const ObjectStyle& style) {
  std::string text = "kind: TidbCluster\nmetadata: {name: demo, namespace: db}\nspec:\n";
  for (std::size_t c = 0; c < 3; ++c) {
    const auto& sets = cluster.sets[c];
    text += fmt::format("  {}:\n", kComponentNames[c]);
    for (const SetText& set : sets) {
      const bool is_upper = !style.is_list && set.name == "default";
      const std::string element = element_of(c, set, style);
      if (is_upper) {
        for (const char* key : {"replicas", "image", "requests", "maxFailoverCount", "recover"}) {
          const std::size_t at = element.find(key);
          if (at == std::string::npos) continue;
          const std::size_t end = element.find(", ", at);
          text += fmt::format("    {}\n", element.substr(at, end - at));
        }
        if (sets.size() > 1) text += "    extra:\n";
      } else {
        text += fmt::format("    - {{name: {}, {}}}\n", set.name, element);
      }
    }
  }
  return text;
}

/// A status with peers that have failed, some a moment ago and some long ago, and with records of
/// failover, whose pods are not always the failed ones.
inline std::string status_of(Random& random, const Cluster& cluster) {
  const auto pods = pods_of(cluster);
  const auto since = [&] {
    return random.chance(70) ? "1970-01-12T13:00:00Z" : "1970-01-12T13:45:00Z";
  };
  std::string members;
  std::string failed_members;
  int id = 0;
  for (const std::string& pod : pods[0]) {
    members +=
        fmt::format("      {}: {{name: {}, id: \"{}\", health: {}, lastTransitionTime: {}}}\n", pod,
                    pod, ++id, random.chance(85), since());
    if (random.chance(10))
      failed_members +=
          fmt::format("      {}: {{podName: {}, memberID: \"{}\", memberDeleted: {}}}\n", pod, pod,
                      id, random.chance(60));
  }
  std::string stores;
  std::string failed_stores;
  for (const std::string& pod : pods[1]) {
    const char* state = random.chance(75) ? "Up" : random.chance(80) ? "Down" : "Offline";
    stores += fmt::format(
        "      \"{0}\": {{id: \"{0}\", podName: {1}, state: {2}, leaderCount: {3}, "
        "lastTransitionTime: {4}}}\n",
        ++id, pod, state, random.between(0, 900), since());
    if (random.chance(15))
      failed_stores += fmt::format("      \"{0}\": {{podName: {1}, storeID: \"{0}\"}}\n", id, pod);
  }
  std::string servers;
  std::string failed_servers;
  for (const SetText& set : cluster.sets[2]) {
    for (std::int64_t i = 0; i < set.replicas; ++i) {
      const std::string pod = fmt::format("{}-{}", statefulset_of(2, set), i);
      servers += fmt::format("      {0}: {{name: {0}, health: {1}, lastTransitionTime: {2}}}\n",
                             pod, random.chance(80), since());
      if (random.chance(10)) failed_servers += fmt::format("      {0}: {{podName: {0}}}\n", pod);
    }
  }
  const auto part = [](std::string_view key, const std::string& entries) {
    return entries.empty() ? "" : fmt::format("    {}:\n{}", key, entries);
  };
  return "status:\n  pd:\n    phase: Normal\n" + part("members", members) +
         part("failureMembers", failed_members) + "  tikv:\n    phase: Normal\n" +
         part("stores", stores) + part("failureStores", failed_stores) +
         "  tidb:\n    phase: Normal\n" + part("members", servers) +
         part("failureMembers", failed_servers);
}

struct GroupText {
  std::string name;
  std::int64_t replicas = 0;
  int version = 0;
  int cpu = 1;
  int surge = 1;
};
using Groups = std::array<std::vector<GroupText>, 3>;

inline std::string groups_of(const Groups& groups, bool constrained) {
  static constexpr std::array kKinds{"PDGroup", "TiKVGroup", "TiDBGroup"};
  std::string text =
      fmt::format("kind: Cluster\nmetadata: {{name: demo, namespace: db}}\nspec: {}\n",
                  constrained ? "{}" : "{upgradePolicy: NoConstraints}");
  for (std::size_t c = 0; c < 3; ++c) {
    for (const GroupText& group : groups[c]) {
      text += fmt::format(
          "---\nkind: {}\nmetadata: {{name: {}}}\nspec:\n  cluster: {{name: demo}}\n  replicas: "
          "{}\n{}"
          "  template:\n    spec:\n      version: v8.5.{}\n      resources: {{cpu: {}, memory: "
          "2Gi}}\n{}",
          kKinds[c], group.name, group.replicas,
          c == 2 ? fmt::format("  maxSurge: {}\n", group.surge) : "", group.version, group.cpu,
          c == 2 ? "" : "      volumes: [{name: data, storage: 10Gi}]\n");
    }
  }
  return text;
}

inline Groups random_groups(Random& random, std::int64_t size) {
  Groups groups;
  for (std::size_t c = 0; c < 3; ++c) {
    for (std::int64_t i = random.between(1, 1 + size / 2); i > 0; --i) {
      groups[c].push_back({fmt::format("g{}", i), random.between(c == 0 ? 1 : 0, size), 0, 1,
                           static_cast<int>(random.between(1, 3))});
    }
  }
  return groups;
}

inline Groups changed(Random& random, Groups groups, std::int64_t size) {
  const bool all = random.chance(40);
  for (auto& of_component : groups) {
    for (GroupText& group : of_component) {
      if (random.chance(30)) group.replicas = random.between(0, size + 1);
      if (all || random.chance(20)) group.version = 1;
      if (random.chance(15)) group.cpu = 3;
    }
    if (of_component.size() > 1 && random.chance(25)) of_component.pop_back();
    if (random.chance(25)) of_component.push_back({"new", random.between(0, size), 0, 1, 1});
  }
  return groups;
}

}  // namespace ballast::tidb::test
