// SPDX-License-Identifier: BSD-2-Clause
#include "ballast/fdb/model/templates.hpp"

#include "ballast/fdb/model/identity.hpp"

namespace ballast::fdb {

Pod templated_pod(const ClusterSpec& spec, std::string_view cluster, const ProcessGroup& group) {
  const PodTemplate& wanted = spec.processes[index(group.process_class)].pod;
  Pod pod;
  pod.name = pod_name(cluster, group.process_class, group.number);
  pod.servers = spec.density(group.process_class);
  pod.image_type = spec.image_type;
  pod.ip_family = spec.routing.ip_family;
  pod.public_ip_source = spec.routing.public_ip_source;
  pod.node_selector = wanted.node_selector;
  pod.containers = wanted.containers;
  pod.init_containers = wanted.init_containers;
  pod.run_as_user = wanted.run_as_user;
  pod.run_as_group = wanted.run_as_group;
  pod.fs_group = wanted.fs_group;
  pod.fs_group_change_policy = wanted.fs_group_change_policy;
  pod.claim_name = volume_name(pod.name);
  pod.version = to_string(spec.version);
  pod.sidecar_version = pod.version;
  return pod;
}

Volume templated_volume(const ClusterSpec& spec, std::string_view cluster,
                        const ProcessGroup& group) {
  const VolumeTemplate& wanted = spec.processes[index(group.process_class)].volume;
  Volume volume;
  volume.name = volume_name(pod_name(cluster, group.process_class, group.number));
  volume.spec_hash = wanted.hash;
  volume.request_bytes = wanted.bytes;
  return volume;
}

}  // namespace ballast::fdb
