// SPDX-License-Identifier: BSD-2-Clause
#include <fmt/format.h>

#include "ballast/fdb/model/counts.hpp"
#include "ballast/fdb/search/plan/planner.hpp"
#include "ballast/operators/plan/fingerprint.hpp"

namespace ballast::fdb {

std::string fingerprint(const Cluster& snapshot, const ClusterSpec& desired) {
  operators::Fingerprint print;
  print.line(snapshot.name);
  print.line(snapshot.name_space);
  const auto put_spec = [&print](const ClusterSpec& spec) {
    for (std::size_t i = 0; i < kClassCount; ++i) {
      print.line(fmt::format("{} {}", spec.counts[i], spec.processes[i].volume.hash));
      print.add(pod_shape(spec, class_at(i)));
      for (const std::string& parameter : spec.processes[i].custom_parameters)
        print.line(parameter);
    }
    print.line(fmt::format("{} {} {}", spec.routing.headless_service,
                           spec.routing.dns_in_cluster_file, spec.routing.dns_domain));
    print.line(configure_text(normalised_configuration(spec), false));
    print.line(fmt::format("{} {} {} {}", static_cast<int>(spec.automation.removal_mode),
                           static_cast<int>(spec.automation.deletion_mode),
                           spec.automation.max_concurrent_replacements.value_or(-1),
                           spec.fault_domain.distribution.domains));
    for (const auto* list : {&spec.groups_to_remove, &spec.groups_to_remove_without_exclusion}) {
      for (const std::string& id : *list) print.line(id);
    }
  };
  put_spec(snapshot.spec);
  put_spec(desired);
  for (const ProcessGroup& group : snapshot.groups) {
    print.line(fmt::format("{} {} {} {} {} {}", group.id, name(group.process_class),
                           group.fault_domain, group.marked.value_or(-1),
                           group.excluded.value_or(-1), group.exclusion_skipped));
    for (const std::string& address : group.addresses) print.line(address);
    for (std::size_t i = 0; i < kConditionCount; ++i) {
      const auto c = static_cast<Condition>(i);
      if (group.conditions.has(c))
        print.line(fmt::format("{} {}", name(c), group.conditions.since(c)));
    }
    if (group.pod)
      print.line(fmt::format("{} {} {} {}", group.pod->name, group.pod->node, group.pod->servers,
                             static_cast<int>(group.pod->phase)));
    if (group.volume)
      print.line(fmt::format("{} {}", group.volume->spec_hash, group.volume->request_bytes));
    for (const Process& process : group.processes) {
      print.line(fmt::format("{} {} {} {} {}", process.number, process.zone, process.is_excluded,
                             process.stored_bytes.value_or(-1), process.command_line));
    }
  }
  print.add(snapshot.status.connection_string);
  return print.hex();
}

}  // namespace ballast::fdb
