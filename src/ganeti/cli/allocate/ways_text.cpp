// SPDX-License-Identifier: BSD-2-Clause
#include "ways_text.hpp"

#include <fmt/format.h>

#include "ballast/core/strings.hpp"
#include "ballast/core/words.hpp"

namespace ballast::ganeti::cli {
namespace {

std::string size_text(const FittingSize& size, bool has_disks) {
  std::string text = fmt::format("memory {} MiB", size.memory_mib);
  if (has_disks) text += fmt::format(", disk {} MiB", size.disk_mib);
  return text + ", " + counted(size.vcpus, "virtual CPU");
}

}  // namespace

std::string ways_text(const Cluster& cluster, const Instance& wanted, const WaysIn& ways) {
  (void)cluster;
  const bool has_disks = !wanted.disks.empty();
  std::string text;
  for (const std::string& option : ways.options)
    text += fmt::format("With {} it would fit.\n", option);
  if (ways.options.empty()) text += "No option of hail would let it through.\n";
  if (!ways.groups.empty()) {
    text += fmt::format(
        "It would fit in {} if the request named the group: only that group's nodes then need a "
        "place for what is on them (--independent-groups is hspace's word for it).\n",
        join(ways.groups, ", "));
  }
  if (ways.less_memory) {
    text += fmt::format("Largest memory that fits now, the rest as asked for: {} MiB.\n",
                        ways.less_memory->memory_mib);
  }
  if (ways.less_disk) {
    text += fmt::format("Largest disk that fits now, the rest as asked for: {} MiB.\n",
                        ways.less_disk->disk_mib);
  }
  if (ways.smaller) {
    text += fmt::format("Largest size in proportion that fits now: {}.\n",
                        size_text(*ways.smaller, has_disks));
  } else {
    text += "No smaller size in proportion fits now.\n";
  }
  if (ways.after_moves) {
    text += fmt::format("After {} of existing instances: {}.\n",
                        counted(ways.after_moves->moves, "move"),
                        size_text(*ways.after_moves, has_disks));
  }
  return text;
}

}  // namespace ballast::ganeti::cli
