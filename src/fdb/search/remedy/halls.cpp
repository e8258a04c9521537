// SPDX-License-Identifier: BSD-2-Clause
// The way out of too few zones for triple redundancy: the zones become halls, and hosts the zones.
#include <set>
#include <string>

#include "ballast/fdb/model/counts.hpp"
#include "ballast/fdb/search/remedy/remedy.hpp"

namespace ballast::fdb {
namespace {

/// The node of the pod, or the machine that its servers name where that is no zone; a group of
/// which neither is known is taken to have a host of its own.
std::string likely_host(const ProcessGroup& group) {
  if (group.pod && !group.pod->node.empty()) return group.pod->node;
  for (const Process& process : group.processes) {
    if (!process.machine.empty() && process.machine != process.zone) return process.machine;
  }
  return "<host of " + group.id + ">";
}

}  // namespace

std::set<std::string> stateful_hosts(const Cluster& snapshot) {
  std::set<std::string> hosts;
  for (const ProcessGroup& group : snapshot.groups) {
    if (is_stateful(group.process_class) && !group.is_marked()) hosts.insert(likely_host(group));
  }
  return hosts;
}

RemedyEdit data_halls() {
  RemedyEdit edit;
  edit.text =
      "three data halls: the zones of now as halls (locality_data_hall), hosts as fault "
      "domain";
  edit.set = {"databaseConfiguration.redundancy_mode=three_data_hall",
              "faultDomain.key=kubernetes.io/hostname"};
  edit.apply = [](Trial& trial, int) {
    trial.spec.database.redundancy_mode = "three_data_hall";
    trial.spec.fault_domain.key = "kubernetes.io/hostname";
    for (ProcessGroup& group : trial.snapshot.groups) {
      const std::string host = likely_host(group);
      for (Process& process : group.processes) {
        process.data_hall = process.zone;
        process.zone = host;
      }
      if (!group.processes.empty()) group.fault_domain = group.processes.front().zone;
    }
  };
  edit.cost = "every pod is replaced, and all data are copied";
  edit.is_alternative = true;
  return edit;
}

}  // namespace ballast::fdb
