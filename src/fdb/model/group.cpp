// SPDX-License-Identifier: BSD-2-Clause
#include <algorithm>

#include "ballast/fdb/model/cluster.hpp"
#include "ballast/fdb/model/process_group.hpp"

namespace ballast::fdb {
namespace {

std::optional<std::int64_t> sum_over(const std::vector<Process>& processes,
                                     std::optional<std::int64_t> Process::*field) {
  std::optional<std::int64_t> sum;
  for (const Process& process : processes) {
    if (const auto& bytes = process.*field) sum = sum.value_or(0) + *bytes;
  }
  return sum;
}

}  // namespace

bool ProcessGroup::is_coordinator() const {
  return std::any_of(processes.begin(), processes.end(),
                     [](const Process& p) { return p.is_coordinator; });
}

int ProcessGroup::reporting() const {
  return static_cast<int>(std::count_if(processes.begin(), processes.end(),
                                        [](const Process& p) { return !p.is_incomplete; }));
}

std::optional<std::int64_t> ProcessGroup::stored_bytes() const {
  return sum_over(processes, &Process::stored_bytes);
}

std::optional<std::int64_t> ProcessGroup::used_bytes() const {
  return sum_over(processes, &Process::used_bytes);
}

const ProcessGroup* Cluster::find(std::string_view id) const {
  const auto found =
      std::lower_bound(groups.begin(), groups.end(), id,
                       [](const ProcessGroup& g, std::string_view i) { return g.id < i; });
  return found != groups.end() && found->id == id ? &*found : nullptr;
}

}  // namespace ballast::fdb
