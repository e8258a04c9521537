// SPDX-License-Identifier: BSD-2-Clause
#include <fmt/format.h>

#include "ballast/core/sha256.hpp"
#include "ballast/fdb/model/counts.hpp"
#include "ballast/fdb/search/plan/planner.hpp"

namespace ballast::fdb {

std::string fingerprint(const Cluster& snapshot, const ClusterSpec& desired) {
  std::string text = snapshot.name + "\n" + snapshot.name_space + "\n";
  const auto put_spec = [&text](const ClusterSpec& spec) {
    for (std::size_t i = 0; i < kClassCount; ++i) {
      text += std::to_string(spec.counts[i]) + " " + spec.processes[i].volume.hash + "\n" +
              pod_shape(spec, class_at(i));
      for (const std::string& parameter : spec.processes[i].custom_parameters)
        text += parameter + "\n";
    }
    text += configure_text(normalised_configuration(spec), false) + "\n";
    text += fmt::format("{} {} {} {}\n", static_cast<int>(spec.automation.removal_mode),
                        static_cast<int>(spec.automation.deletion_mode),
                        spec.automation.max_concurrent_replacements.value_or(-1),
                        spec.fault_domain.distribution.domains);
    for (const auto* list : {&spec.groups_to_remove, &spec.groups_to_remove_without_exclusion}) {
      for (const std::string& id : *list) text += id + "\n";
    }
  };
  put_spec(snapshot.spec);
  put_spec(desired);
  for (const ProcessGroup& group : snapshot.groups) {
    text += fmt::format("{} {} {} {} {} {}\n", group.id, name(group.process_class),
                        group.fault_domain, group.marked.value_or(-1), group.excluded.value_or(-1),
                        group.exclusion_skipped);
    for (const std::string& address : group.addresses) text += address + "\n";
    for (std::size_t i = 0; i < kConditionCount; ++i) {
      const auto c = static_cast<Condition>(i);
      if (group.conditions.has(c))
        text += fmt::format("{} {}\n", name(c), group.conditions.since(c));
    }
    if (group.pod)
      text += fmt::format("{} {} {} {}\n", group.pod->name, group.pod->node, group.pod->servers,
                          static_cast<int>(group.pod->phase));
    if (group.volume)
      text += fmt::format("{} {}\n", group.volume->spec_hash, group.volume->request_bytes);
    for (const Process& process : group.processes) {
      text += fmt::format("{} {} {} {} {}\n", process.number, process.zone, process.is_excluded,
                          process.stored_bytes.value_or(-1), process.command_line);
    }
  }
  text += snapshot.status.connection_string;
  return sha256_hex(text);
}

}  // namespace ballast::fdb
