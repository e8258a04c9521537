// SPDX-License-Identifier: BSD-2-Clause
// Units that could not take the largest single disk of their group that asks for them: no mirror of
// it can be rebuilt there, no snapshot of it taken.
#include <fmt/format.h>

#include <map>

#include "checks.hpp"

namespace ballast::ganeti::doctor {
namespace {

struct LargestDisk {
  std::int64_t size_mib = 0;
  InstanceId instance;
};

std::map<StorageKeyId, LargestDisk> largest_disks(const Patient& patient, const Part& part) {
  std::map<StorageKeyId, LargestDisk> largest;
  for (const InstanceId id : part.instances) {
    for (const Disk& disk : patient.cluster[id].disks) {
      if (disk.unit.is_none()) continue;
      LargestDisk& known = largest[disk.unit];
      if (disk.taken_mib > known.size_mib) known = {disk.taken_mib, id};
    }
  }
  return largest;
}

Finding finding_of(const Cluster& cluster, const Node& node, StorageKeyId unit,
                   std::int64_t free_mib, const LargestDisk& largest, std::size_t roomy) {
  const std::string name = to_string(cluster[unit]);
  Finding finding;
  finding.severity = roomy == 0 ? Severity::Warning : Severity::Note;
  finding.code = "unit-without-room";
  finding.text = fmt::format(
      "{} has {} MiB free of {}, the largest disk that asks for it takes {} MiB ({}); {} of the "
      "group {} room for it",
      node.name, free_mib, name, largest.size_mib, cluster[largest.instance].name,
      roomy == 0 ? "no node" : counted(roomy, "node"), roomy == 1 || roomy == 0 ? "has" : "have");
  finding.subject.set("node", node.name)
      .set("unit", name)
      .set("instance", cluster[largest.instance].name);
  finding.figures.set("free_bytes", bytes_of(free_mib))
      .set("largest_disk_bytes", bytes_of(largest.size_mib))
      .set("nodes_with_room", roomy);
  finding.action = fmt::format("grow {} on {}, or keep room with hbal --reserve {}=largest", name,
                               node.name, name);
  return finding;
}

}  // namespace

void look_at_unit_room(const Patient& patient, Findings& findings) {
  const Cluster& cluster = patient.cluster;
  if (!cluster.has_storage) return;
  for (const Part& part : patient.parts) {
    for (const auto& [unit, largest] : largest_disks(patient, part)) {
      std::vector<std::pair<NodeId, std::int64_t>> full;
      std::size_t roomy = 0;
      for (const NodeId id : part.nodes) {
        if (cluster[id].is_offline) continue;
        for (const StorageUnit& one : cluster[id].units) {
          if (one.key != unit) continue;
          const Capacity& room =
              patient.state[id].capacities[static_cast<std::size_t>(one.capacity)];
          if (room.free_mib < largest.size_mib)
            full.emplace_back(id, room.free_mib);
          else
            ++roomy;
        }
      }
      for (const auto& [id, free_mib] : full)
        findings.push_back(finding_of(cluster, cluster[id], unit, free_mib, largest, roomy));
    }
  }
}

}  // namespace ballast::ganeti::doctor
