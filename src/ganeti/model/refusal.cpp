// SPDX-License-Identifier: BSD-2-Clause
#include "ballast/ganeti/model/refusal.hpp"

#include <array>
#include <cstddef>

namespace ballast::ganeti {
namespace {

constexpr std::array kRuleNames = std::to_array<std::string_view>({"none",
                                                                   "memory",
                                                                   "disk",
                                                                   "disk_low_water",
                                                                   "spindles",
                                                                   "spindle_ratio",
                                                                   "n_plus_one",
                                                                   "cpu_ratio",
                                                                   "exclusion_tag",
                                                                   "forthcoming_memory",
                                                                   "forthcoming_disk",
                                                                   "forthcoming_disk_low_water",
                                                                   "forthcoming_spindles",
                                                                   "forthcoming_spindle_ratio",
                                                                   "forthcoming_cpu_ratio",
                                                                   "secondary_memory",
                                                                   "not_mirrored",
                                                                   "migration",
                                                                   "unit_missing",
                                                                   "unit_full",
                                                                   "unit_low_water",
                                                                   "unit_reserve",
                                                                   "node_reserve",
                                                                   "forthcoming_unit_full",
                                                                   "forthcoming_unit_low_water",
                                                                   "unit_unknown",
                                                                   "policy_memory",
                                                                   "policy_disk_size",
                                                                   "policy_cpu",
                                                                   "policy_spindle_use",
                                                                   "policy_disk_count",
                                                                   "policy_template",
                                                                   "target_offline",
                                                                   "global_n_plus_one",
                                                                   "network",
                                                                   "memory_reserve",
                                                                   "pinned",
                                                                   "kept_apart",
                                                                   "kept_together",
                                                                   "node_excluded",
                                                                   "instance_kept",
                                                                   "unit_forbidden",
                                                                   "internal"});
static_assert(kRuleNames[static_cast<std::size_t>(Rule::Internal)] == "internal");
static_assert(kRuleNames[static_cast<std::size_t>(Rule::UnitUnknown)] == "unit_unknown");

}  // namespace

std::string_view text_of(FailReason reason) {
  constexpr std::array<std::string_view, 9> kTexts{"FailMem",       "FailDisk",     "FailCPU",
                                                   "FailN1",        "FailTags",     "FailMig",
                                                   "FailDiskCount", "FailSpindles", "FailInternal"};
  return kTexts[static_cast<std::size_t>(reason)];
}

std::string_view name_of(Rule rule) { return kRuleNames[static_cast<std::size_t>(rule)]; }

}  // namespace ballast::ganeti
