// SPDX-License-Identifier: BSD-2-Clause
#include "ballast/ganeti/cli/load.hpp"

#include "ballast/core/strings.hpp"
#include "ballast/core/utf8.hpp"
#include "ballast/ganeti/backend/text/text.hpp"
#include "ballast/ganeti/cli/monitoring.hpp"
#include "ballast/ganeti/cli/source.hpp"
#include "ballast/ganeti/model/duplicates.hpp"

#include <fmt/format.h>

namespace ballast::ganeti::cli {
namespace {

OrExit<std::vector<Utilisation>> load_utilisation(const LoadSettings& load, Output& output) {
  if (!load.utilisation_file) return {};
  const std::string& path = *load.utilisation_file;
  const auto content = read_file_raw(path);
  if (!content) return tl::unexpected(output.fail_on_file(path, content.error()));
  if (first_invalid_utf8(*content) != std::string_view::npos) {
    return tl::unexpected(output.fail(invalid_bytes_line(output, path)));
  }
  auto utilisation = read_utilisation(*content, path);
  if (!utilisation) {
    if (!utilisation.error().place.file.empty())
      return tl::unexpected(output.fail_at(utilisation.error()));
    return tl::unexpected(
        output.fail_with("can't parse utilisation data: " + utilisation.error().message));
  }
  return std::move(*utilisation);
}

PipelineOptions pipeline_options(const LoadSettings& load, std::vector<Utilisation> utilisation) {
  PipelineOptions options;
  options.utilisation = std::move(utilisation);
  options.ignore_dynamic = load.ignore_dynamic;
  options.exclusion_prefixes = load.exclusion_prefixes;
  options.selected_instances = load.selected_instances;
  options.excluded_instances = load.excluded_instances;
  options.static_kvm_memory = load.static_kvm_memory;
  options.default_storage = load.default_storage;
  options.ignore_storage = load.ignore_storage;
  return options;
}

bool speaks_by_name(const Settings& settings) {
  const ToolSettings& tool = settings.tool;
  return settings.output.format != ballast::cli::PlanFormat::Text || settings.output.report_file ||
         tool.explained_instance || tool.explain || tool.doctor || !tool.what_if.empty();
}

void print_warnings(const Snapshot& snapshot, const std::vector<std::string>& inconsistent,
                    int verbosity, Output& output) {
  for (const std::string& warning : snapshot.warnings)
    output.note(fmt::format("Warning: {}\n", warning));
  // Exactly 0 is silent; below it the reference speaks again.
  if (inconsistent.empty() || verbosity == 0) return;
  std::string text = "Warning: cluster has inconsistent data:\n";
  for (const std::string& line : inconsistent) text += fmt::format("  - {}\n", line);
  output.note(text + "\n");
}

}  // namespace

OrExit<void> need_unique_names(const Snapshot& snapshot, Output& output) {
  const auto duplicate = duplicate_name(snapshot);
  if (!duplicate) return {};
  return tl::unexpected(output.fail(
      fmt::format("{}: {}: this answer needs names that mean one\n", output.role(), *duplicate)));
}

OrExit<Snapshot> load_snapshot(const Settings& settings, Output& output) {
  if (const auto refused = check_sources(settings.source, output); !refused)
    return tl::unexpected(refused.error());
  auto utilisation = load_utilisation(settings.load, output);
  if (!utilisation) return tl::unexpected(utilisation.error());
  auto snapshot = read_source(settings, output);
  if (!snapshot) return tl::unexpected(snapshot.error());
  PipelineOptions options = pipeline_options(settings.load, std::move(*utilisation));
  std::optional<Exit> given_up;
  options.measured_loads = [&](Snapshot& attached) -> Status {
    const auto measured = apply_monitoring(attached, settings, output);
    if (measured) return {};
    given_up = measured.error();
    return fail("monitoring data");
  };
  const auto inconsistent = run_pipeline(*snapshot, options);
  if (given_up) return tl::unexpected(*given_up);
  if (!inconsistent) return tl::unexpected(fail_on_loading(inconsistent.error(), output));
  print_warnings(*snapshot, *inconsistent, settings.output.verbosity, output);
  if (speaks_by_name(settings)) {
    if (const auto unique = need_unique_names(*snapshot, output); !unique)
      return tl::unexpected(unique.error());
  }
  return std::move(*snapshot);
}

OrExit<void> apply_limits(Snapshot& snapshot, const LimitSettings& limits, Output& output) {
  if (const Status set = set_offline(snapshot, limits.offline_nodes); !set) {
    // The reference's line carries its own line end, and gets another.
    return tl::unexpected(output.fail(fmt::format("Error: {}\n\n", set.error().message)));
  }
  set_min_disk(snapshot, limits.min_disk);
  if (limits.max_cpu) set_max_cpu(snapshot, *limits.max_cpu);
  if (limits.reserves.empty()) return {};
  if (const Status set = set_reserves(snapshot, limits.reserves); !set)
    return tl::unexpected(output.fail_at(set.error()));
  return {};
}

std::string cluster_tags_line(const Cluster& cluster) {
  return fmt::format("Loaded cluster tags: {}\n", join(cluster.tags, ","));
}

std::string cluster_policy_line(const Cluster& cluster) {
  return fmt::format("Loaded cluster ipolicy: {}\n", shown_of(cluster.policy));
}

std::string verbose_cluster_lines(const Cluster& cluster) {
  return cluster_tags_line(cluster) + cluster_policy_line(cluster);
}

namespace {

template <class Named>
std::string indented_names(const std::vector<const Named*>& all) {
  std::string text;
  for (const Named* one : all) text += fmt::format("  {}\n", one->name);
  return text;
}

OrExit<Part> named_group(const Snapshot& snapshot, const std::string& text, Output& output) {
  std::vector<GroupId> found;
  std::vector<const Group*> all;
  for (std::size_t g = 0; g < snapshot.cluster.groups.size(); ++g) {
    const Group& group = snapshot.cluster.groups[g];
    all.push_back(&group);
    if (group.name == text || group.uuid == text) found.emplace_back(g);
  }
  if (found.size() == 1) return part_of(snapshot.cluster, snapshot.state, found.front());
  return tl::unexpected(
      output.fail(fmt::format("Node group {} not found. Node group list is:\n{}Error: Aborting.\n",
                              text, indented_names(all))));
}

}  // namespace

OrExit<Part> choose_group(const Snapshot& snapshot, const std::optional<std::string>& group,
                          Output& output) {
  std::vector<Part> parts = parts_of(snapshot.cluster, snapshot.state);
  if (group) return named_group(snapshot, *group, output);
  if (parts.size() == 1) return std::move(parts.front());
  if (parts.empty()) return tl::unexpected(output.fail_with("No groups found by splitCluster?!"));
  std::vector<const Group*> all;
  for (const Part& part : parts) all.push_back(&snapshot.cluster[part.group]);
  return tl::unexpected(output.fail(
      fmt::format("Found multiple node groups:\n{}Error: Aborting.\n", indented_names(all))));
}

}  // namespace ballast::ganeti::cli
