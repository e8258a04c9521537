// SPDX-License-Identifier: BSD-2-Clause
#include "ballast/ganeti/cli/sources/saving.hpp"

#include "ballast/ganeti/backend/text/text.hpp"

#include <fmt/format.h>

namespace ballast::ganeti::cli {

OrExit<void> save_text(const std::string& content, const std::string& path, std::string_view when,
                       Output& output) {
  if (const auto written = write_file_raw(path, content); !written) {
    return tl::unexpected(output.fail_on_file(path, written.error()));
  }
  output.note(fmt::format("The cluster state {} has been written to file '{}'\n", when, path));
  return {};
}

OrExit<void> save_cluster(const Cluster& cluster, const State& state, const std::string& path,
                          std::string_view when, Output& output) {
  return save_text(write_text(cluster, state), path, when, output);
}

OrExit<void> save_part(const Cluster& cluster, const State& state, const Part& part,
                       const std::string& path, std::string_view when, Output& output) {
  const auto content = write_text(cluster, state, part);
  if (!content)
    return tl::unexpected(
        output.fail(foreign_secondary_line(cluster, content.error(), part, output)));
  return save_text(*content, path, when, output);
}

std::string foreign_secondary_line(const Cluster& cluster, NodeId node, const Part& part,
                                   const Output& output) {
  const std::string name = node.is_none() ? "none" : cluster[node].name;
  return fmt::format("{}: an instance of group {} has its secondary node outside of it: {}\n",
                     output.role(), cluster[part.group].name, name);
}

}  // namespace ballast::ganeti::cli
