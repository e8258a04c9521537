// SPDX-License-Identifier: BSD-2-Clause
#include "ballast/core/sha256.hpp"
#include "ballast/tidb/cli/to_plan.hpp"

#include <fmt/format.h>

namespace ballast::tidb {

namespace {

void put(std::string& text, std::string_view key, const auto& value) {
  text += fmt::format("{}={}\n", key, value);
}

void put_fields(std::string& text, std::string_view key, const Fields& fields) {
  for (const auto& [name, value] : fields) text += fmt::format("{}.{}={}\n", key, name, value);
}

void put_set(std::string& text, const SetSpec& set) {
  put(text, "set", fmt::format("{}/{} {}", name_of(set.component), set.name, set.statefulset));
  put(text, "replicas", set.replicas);
  put_fields(text, "template", set.pod_template);
  put_fields(text, "config", set.config);
  put_fields(text, "service", set.service);
  put_fields(text, "volumes", set.volumes);
  put(text, "rollout", set.config_rollout);
  put(text, "storage", fmt::format("{} {}", set.storage_class, set.storage_bytes.value_or(-1)));
  put(text, "dir", set.data_sub_dir);
  put(text, "failover",
      fmt::format("{} {} {}", set.max_failover, set.recover_failover, set.recover_by_uid));
  put(text, "parallel", fmt::format("{} {}", set.scale_in_parallelism, set.scale_out_parallelism));
  for (const std::int64_t slot : set.slots) put(text, "slot", slot);
  for (const Topology& topology : set.spread) {
    put_fields(text, "topology", topology.labels);
    put(text, "weight", topology.weight);
  }
}

void put_spec(std::string& text, const ClusterSpec& spec) {
  put(text, "cluster", spec.name);
  for (const Component c : kComponents) {
    for (const SetSpec& set : spec.of(c)) put_set(text, set);
  }
  put_fields(text, "other", spec.other_components);
}

void put_live(std::string& text, const Live& live) {
  put(text, "leader", live.leader);
  for (const Component c : kComponents) {
    for (const LiveSet& set : live.of(c)) {
      put_set(text, set.spec);
      put(text, "running",
          fmt::format("{} {} {} {}", set.replicas, set.current_revision, set.update_revision,
                      set.partition.value_or(-1)));
      for (const LivePod& pod : set.pods) {
        put(text, "pod",
            fmt::format("{} {} {} {} {} {} {}", pod.name, pod.updated, pod.ready, pod.scheduled,
                        pod.healthy, pod.waiting_reason, pod.node));
      }
      for (const Failure& failure : set.failures)
        put(text, "failure",
            fmt::format("{} {} {}", failure.pod, failure.id, failure.member_deleted));
    }
  }
  for (const Store& store : live.stores) {
    put(text, "store",
        fmt::format("{} {} {} {} {} {}", store.id, store.pod, name_of(store.state),
                    store.leaders.value_or(-1), store.used_bytes.value_or(-1),
                    store.since.value_or(0)));
  }
  for (const Member& member : live.members)
    put(text, "member",
        fmt::format("{} {} {} {}", member.name, member.id, member.healthy,
                    member.since.value_or(0)));
  for (const Claim& claim : live.claims)
    put(text, "claim", fmt::format("{} {} {}", claim.name, claim.deferred, claim.volume));
  for (const Node& node : live.nodes) {
    put(text, "node",
        fmt::format("{} {} {} {} {} {} {}", node.name, node.cpu_milli, node.memory_bytes,
                    node.used_cpu_milli, node.used_memory_bytes, node.ready, node.unschedulable));
  }
  for (const Volume& volume : live.volumes)
    put(text, "volume",
        fmt::format("{} {} {} {} {}", volume.name, volume.node, volume.storage_class, volume.bytes,
                    volume.available));
}

}  // namespace

std::string fingerprint(const Input& input) {
  std::string text;
  put(text, "max-replicas", input.max_replicas);
  if (input.current) put_spec(text, *input.current);
  put_spec(text, input.desired);
  put_live(text, input.live);
  return sha256_hex(text);
}

}  // namespace ballast::tidb
