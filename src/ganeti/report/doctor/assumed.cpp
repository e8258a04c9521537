// SPDX-License-Identifier: BSD-2-Clause
// Figures that are not what they seem: memory that runs with another size than recorded, and load
// that nobody measured.
#include <fmt/format.h>

#include <algorithm>

#include "checks.hpp"

#include "ballast/core/words.hpp"

namespace ballast::ganeti::doctor {
namespace {

bool runs_otherwise(const Instance& instance) {
  return instance.recorded_memory_mib > 0 && instance.seen_memory_mib > 0 &&
         instance.recorded_memory_mib != instance.seen_memory_mib;
}

Finding memory_finding(const Cluster& cluster, const Part& part,
                       const std::vector<InstanceId>& all) {
  std::vector<std::string> texts;
  std::int64_t recorded = 0;
  std::int64_t seen = 0;
  for (const InstanceId id : all) {
    const Instance& one = cluster[id];
    recorded += one.recorded_memory_mib;
    seen += one.seen_memory_mib;
    texts.push_back(fmt::format("{} ({} MiB, recorded {} MiB)", one.name, one.seen_memory_mib,
                                one.recorded_memory_mib));
  }
  Finding finding;
  finding.severity = Severity::Note;
  finding.code = "memory-not-as-recorded";
  finding.text = fmt::format("{} in group {} {} with another memory size than recorded: {}",
                             counted(all.size(), "instance"), cluster[part.group].name,
                             of_count(all.size(), "runs", "run"), listed(texts));
  finding.subject.set("group", cluster[part.group].name)
      .set("instances", text_list(names_of(cluster, all)));
  finding.figures.set("recorded_bytes", bytes_of(recorded)).set("running_bytes", bytes_of(seen));
  finding.action =
      "after their next restart they use the record, which is what the allocator counts with: "
      "--state-of-record plans with it";
  return finding;
}

/// The figures that are taken where none are told.
bool has_usual_load(const Instance& instance) { return instance.load == Load{1, 1, 1, 1}; }

Finding load_finding(const Cluster& cluster, const Part& part, const std::vector<InstanceId>& all,
                     std::size_t measured) {
  Finding finding;
  finding.severity = Severity::Note;
  finding.code = "load-assumed";
  finding.text = fmt::format(
      "the load of {} in group {} is assumed, 1 of each kind, beside {} with other figures: {}",
      counted(all.size(), "instance"), cluster[part.group].name, measured,
      listed(names_of(cluster, all)));
  finding.subject.set("group", cluster[part.group].name)
      .set("instances", text_list(names_of(cluster, all)));
  finding.figures.set("assumed", all.size()).set("told", measured);
  finding.action = "name them in the file of -U too, or leave load out (--ignore-dynu)";
  return finding;
}

}  // namespace

void look_at_assumed_figures(const Patient& patient, Findings& findings) {
  const Cluster& cluster = patient.cluster;
  for (const Part& part : patient.parts) {
    std::vector<InstanceId> other_memory;
    std::vector<InstanceId> usual_load;
    std::size_t measured = 0;
    for (const InstanceId id : each_once(part.instances)) {
      if (runs_otherwise(cluster[id])) other_memory.push_back(id);
      if (has_usual_load(cluster[id]))
        usual_load.push_back(id);
      else
        ++measured;
    }
    if (!other_memory.empty()) findings.push_back(memory_finding(cluster, part, other_memory));
    if (measured > 0 && !usual_load.empty())
      findings.push_back(load_finding(cluster, part, usual_load, measured));
  }
}

}  // namespace ballast::ganeti::doctor
