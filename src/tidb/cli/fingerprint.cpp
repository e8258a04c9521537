// SPDX-License-Identifier: BSD-2-Clause
#include "ballast/operators/plan/fingerprint.hpp"
#include "ballast/tidb/cli/to_plan.hpp"

#include <fmt/format.h>

namespace ballast::tidb {

namespace {

using operators::Fingerprint;

void put_set(Fingerprint& print, const SetSpec& set) {
  print.put("set", fmt::format("{}/{} {}", name_of(set.component), set.name, set.statefulset));
  print.put("replicas", set.replicas);
  print.put_all("template", set.pod_template);
  print.put_all("config", set.config);
  print.put_all("service", set.service);
  print.put_all("volumes", set.volumes);
  print.put("rollout", set.config_rollout);
  print.put("storage", fmt::format("{} {}", set.storage_class, set.storage_bytes.value_or(-1)));
  print.put("dir", set.data_sub_dir);
  print.put("failover",
            fmt::format("{} {} {}", set.max_failover, set.recover_failover, set.recover_by_uid));
  print.put("parallel", fmt::format("{} {}", set.scale_in_parallelism, set.scale_out_parallelism));
  for (const std::int64_t slot : set.slots) print.put("slot", slot);
  for (const Topology& topology : set.spread) {
    print.put_all("topology", topology.labels);
    print.put("weight", topology.weight);
  }
}

void put_spec(Fingerprint& print, const ClusterSpec& spec) {
  print.put("cluster", spec.name);
  for (const Component c : kComponents) {
    for (const SetSpec& set : spec.of(c)) put_set(print, set);
  }
  print.put_all("other", spec.other_components);
}

void put_live(Fingerprint& print, const Live& live) {
  print.put("leader", live.leader);
  for (const Component c : kComponents) {
    for (const LiveSet& set : live.of(c)) {
      put_set(print, set.spec);
      print.put("running", fmt::format("{} {} {} {}", set.replicas, set.current_revision,
                                       set.update_revision, set.partition.value_or(-1)));
      for (const LivePod& pod : set.pods) {
        print.put("pod", fmt::format("{} {} {} {} {} {} {}", pod.name, pod.updated, pod.ready,
                                     pod.scheduled, pod.healthy, pod.waiting_reason, pod.node));
      }
      for (const Failure& failure : set.failures)
        print.put("failure",
                  fmt::format("{} {} {}", failure.pod, failure.id, failure.member_deleted));
    }
  }
  for (const Store& store : live.stores) {
    print.put("store", fmt::format("{} {} {} {} {} {}", store.id, store.pod, name_of(store.state),
                                   store.leaders.value_or(-1), store.used_bytes.value_or(-1),
                                   store.since.value_or(0)));
  }
  for (const Member& member : live.members)
    print.put("member", fmt::format("{} {} {} {}", member.name, member.id, member.healthy,
                                    member.since.value_or(0)));
  for (const Claim& claim : live.claims)
    print.put("claim", fmt::format("{} {} {}", claim.name, claim.deferred, claim.volume));
  for (const Machine& node : live.nodes) {
    print.put("node", fmt::format("{} {} {} {} {} {} {}", node.name, node.cpu_milli,
                                  node.memory_bytes, node.used_cpu_milli, node.used_memory_bytes,
                                  node.ready, node.unschedulable));
  }
  for (const Volume& volume : live.volumes)
    print.put("volume", fmt::format("{} {} {} {} {}", volume.name, volume.node,
                                    volume.storage_class, volume.bytes, volume.available));
}

}  // namespace

std::string fingerprint(const Input& input) {
  Fingerprint print;
  print.put("max-replicas", input.max_replicas);
  if (input.current) put_spec(print, *input.current);
  put_spec(print, input.desired);
  put_live(print, input.live);
  return print.hex();
}

}  // namespace ballast::tidb
