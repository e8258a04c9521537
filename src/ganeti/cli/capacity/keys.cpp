// SPDX-License-Identifier: BSD-2-Clause
#include <fmt/format.h>

#include <algorithm>

#include "ballast/core/decimal.hpp"
#include "ballast/ganeti/cli/capacity/report.hpp"
#include "ballast/ganeti/cli/tables/machine_line.hpp"

namespace ballast::ganeti::cli {
namespace {

std::string upper(std::string_view text) {
  std::string result(text);
  for (char& c : result) {
    if (c >= 'a' && c <= 'z') c = static_cast<char>(c - 'a' + 'A');
  }
  return result;
}

/// Lines HTS_KEY=VALUE.
class Lines {
 public:
  explicit Lines(std::string prefix = "") : prefix_(std::move(prefix)) {}

  Lines& add(std::string_view key, const std::string& value) {
    text_ += machine_line("HTS", prefix_ + std::string(key), value);
    return *this;
  }
  Lines& add(std::string_view key, std::int64_t value) { return add(key, std::to_string(value)); }
  Lines& add(std::string_view key, double value, int decimals) {
    return add(key, ballast::fixed(value, decimals));
  }
  [[nodiscard]] const std::string& text() const { return text_; }

 private:
  std::string prefix_;
  std::string text_;
};

std::string statistics(std::string prefix, const ClusterTotals& totals) {
  Lines lines(std::move(prefix));
  lines.add("SCORE", totals.score, 8)
      .add("INST_CNT", totals.instances)
      .add("MEM_FREE", totals.free_mem)
      .add("MEM_AVAIL", totals.available_mem)
      .add("MEM_RESVD", totals.free_mem - totals.available_mem)
      .add("MEM_INST", totals.inst_mem)
      .add("MEM_OVERHEAD", totals.overhead_mem)
      .add("MEM_EFF", totals.mem_efficiency(), 8)
      .add("DSK_FREE", totals.free_disk)
      .add("DSK_AVAIL", totals.available_disk)
      .add("DSK_RESVD", totals.free_disk - totals.available_disk)
      .add("DSK_INST", totals.inst_disk)
      .add("DSK_EFF", totals.disk_efficiency(), 8)
      .add("SPN_FREE", totals.free_spindles)
      .add("SPN_INST", totals.inst_spindles)
      .add("SPN_EFF", totals.spindle_efficiency(), 8)
      .add("CPU_INST", totals.inst_cpus)
      .add("CPU_EFF", totals.cpu_efficiency(), 8)
      .add("MNODE_MEM_AVAIL", totals.largest_available_mem)
      .add("MNODE_DSK_AVAIL", totals.largest_available_disk);
  return lines.text();
}

/// A share of the cluster's resources.
struct Share {
  std::int64_t cpus;
  double physical_cpus;
  std::int64_t memory;
  std::int64_t disk;
  std::int64_t spindles;
};

Share used_of(const ClusterTotals& t) {
  return {t.inst_cpus, t.used_cpus, t.inst_mem, t.inst_disk, t.inst_spindles};
}

Share difference(const Share& a, const Share& b) {
  return {a.cpus - b.cpus, a.physical_cpus - b.physical_cpus, a.memory - b.memory, a.disk - b.disk,
          a.spindles - b.spindles};
}

std::string share_lines(std::string prefix, const Share& share) {
  Lines lines(std::move(prefix));
  lines.add("CPU", share.cpus)
      .add("NPU", ballast::shown(share.physical_cpus))
      .add("MEM", share.memory)
      .add("DSK", share.disk)
      .add("SPN", share.spindles);
  return lines.text();
}

std::string sizes_in_words(const FilledCluster& filled) {
  std::string text;
  for (const PlacedRun& run : placed_runs(filled)) {
    const InstanceSize& size = run.size;
    text += fmt::format("{}{},{},{},{}={}", text.empty() ? "" : " ", size.memory_mib, size.disk_mib,
                        size.vcpus, size.spindles, run.count);
  }
  return text;
}

/// Most frequent first, in their own order where equally frequent.
std::string count_lines(const CapacityRun& run) {
  Lines lines("ALLOC_");
  const auto add = [&](FailReason reason) {
    lines.add(upper(ganeti::text_of(reason)) + "_CNT",
              (*run.failures)[static_cast<std::size_t>(reason)]);
  };
  if (run.is_suppressed) {
    add(FailReason::N1);
    return lines.text();
  }
  std::vector<FailReason> reasons;
  for (std::size_t r = 0; r < kReasonCount; ++r) reasons.push_back(static_cast<FailReason>(r));
  std::stable_sort(reasons.begin(), reasons.end(), [&](FailReason a, FailReason b) {
    return (*run.failures)[static_cast<std::size_t>(a)] >
           (*run.failures)[static_cast<std::size_t>(b)];
  });
  for (const FailReason reason : reasons) add(reason);
  return lines.text();
}

}  // namespace

std::string CapacityKeys::cluster() const {
  Lines lines("CLUSTER_");
  lines.add("MEM", before_.total_mem, 0)
      .add("DSK", before_.total_disk, 0)
      .add("CPU", before_.total_cpus, 0)
      .add("VCPU", before_.virtual_cpus)
      .add("SPN", before_.total_spindles, 0)
      .add("NODES", static_cast<std::int64_t>(cluster_.nodes.size()));
  return lines.text() + statistics("INI_", before_);
}

std::string CapacityKeys::size(RunKind kind, const InstanceSize& size) const {
  Lines lines(kind == RunKind::Tiered ? "TSPEC_INI_" : "SPEC_");
  lines.add("MEM", size.memory_mib)
      .add("DSK", size.disk_mib)
      .add("CPU", size.vcpus)
      .add("SPN", size.spindles)
      .add("RQN", std::int64_t{has_secondary(options_.disk_template) ? 2 : 1})
      .add("DISK_TEMPLATE", std::string(ganeti::text_of(options_.disk_template)));
  return lines.text();
}

std::string CapacityKeys::results(const CapacityAnswer& answer) const {
  return answer.kind == RunKind::Tiered ? tiered_results(answer) : standard_results(answer);
}

std::string CapacityKeys::tiered_results(const CapacityAnswer& answer) const {
  const ClusterTotals& after = answer.totals;
  Lines lines;
  lines.add("TSPEC", sizes_in_words(answer.run.filled));
  if (cluster_.has_storage) {
    lines.add("TRL_FULL_UNITS", units_in_words(answer.run.filled.cluster, answer.refusals));
  }
  const Share all{after.virtual_cpus, after.total_cpus, truncated(after.total_mem),
                  truncated(after.total_disk), truncated(after.total_spindles)};
  return statistics("TRL_", after) + lines.text() + share_lines("KM_USED_", used_of(before_)) +
         share_lines("KM_POOL_", difference(used_of(after), used_of(before_))) +
         share_lines("KM_UNAV_", difference(all, used_of(after)));
}

std::string CapacityKeys::inconsistency(const CapacityAnswer& answer) const {
  const auto allocated = static_cast<std::int64_t>(answer.run.filled.cluster.instances.size());
  if (allocated == answer.totals.instances) return "";
  return fmt::format("Error: internal inconsistency, allocated ({}) != counted ({})\n\n", allocated,
                     answer.totals.instances);
}

std::string CapacityKeys::standard_results(const CapacityAnswer& answer) const {
  const FilledCluster& filled = answer.run.filled;
  Lines lines("ALLOC_");
  lines
      .add("USAGE",
           static_cast<double>(filled.existing) /
               static_cast<double>(filled.cluster.instances.size()),
           8)
      .add("INSTANCES", static_cast<std::int64_t>(filled.placed()))
      .add("FAIL_REASON", upper(ganeti::text_of(main_reason(*answer.run.failures))));
  std::string text = statistics("FIN_", answer.totals) + lines.text() + count_lines(answer.run);
  if (cluster_.has_storage) {
    text +=
        Lines("ALLOC_").add("FULL_UNITS", units_in_words(filled.cluster, answer.refusals)).text();
  }
  return text;
}

}  // namespace ballast::ganeti::cli
