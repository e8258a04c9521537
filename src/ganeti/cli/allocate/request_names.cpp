// SPDX-License-Identifier: BSD-2-Clause
#include "ballast/ganeti/cli/allocate/request_names.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>
#include <vector>

#include "ballast/core/error.hpp"
#include "ballast/core/words.hpp"
#include "ballast/ganeti/model/group_name.hpp"

namespace ballast::ganeti::cli {
namespace {

/// Whole names only: that is how the allocator compares them.
template <class Named>
std::string strange(const std::string& name, const std::vector<Named>& all, std::string_view where,
                    std::string_view what) {
  std::vector<std::string_view> known;
  for (const Named& one : all) {
    if (one.name == name) return "";
    known.push_back(one.name);
  }
  const auto longer = std::ranges::find_if(known, [&](std::string_view one) {
    return one.starts_with(name) && one.substr(name.size()).starts_with('.');
  });
  const std::string meant = longer != known.end() ? fmt::format("; did you mean \"{}\"?", *longer)
                                                  : did_you_mean(name, known);
  return fmt::format("{}: no {} is {}{}\n", where, what, quoted(name), meant);
}

}  // namespace

std::string strange_names_text(const Cluster& cluster, const Request& request,
                               const AllocatorOptions& options) {
  std::string text;
  const auto* one = std::get_if<AllocateRequest>(&request);
  const auto* several = std::get_if<MultiAllocateRequest>(&request);
  const auto add_nodes = [&](const std::optional<std::vector<std::string>>& names,
                             std::string_view where) {
    if (!names) return;
    for (const std::string& name : *names) text += strange(name, cluster.nodes, where, "node");
  };
  add_nodes(options.restrict_to_nodes, "--restrict-allocation-to");
  if (one != nullptr && !options.restrict_to_nodes)
    add_nodes(one->restrict_to_nodes, "restrict-to-nodes");
  const auto add_group = [&](const NewInstance& wanted) {
    if (!wanted.group) return;
    const auto is_meant = [&](const Group& group) { return is_called(group, *wanted.group); };
    if (std::ranges::none_of(cluster.groups, is_meant))
      text += strange(*wanted.group, cluster.groups, "group_name", "node group");
  };
  if (one != nullptr) add_group(one->wanted);
  if (several != nullptr) std::ranges::for_each(several->wanted, add_group);
  return text;
}

}  // namespace ballast::ganeti::cli
