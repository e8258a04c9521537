// SPDX-License-Identifier: BSD-2-Clause
#include "ballast/ganeti/cli/sources/load.hpp"
#include "ballast/ganeti/loading/pipeline.hpp"

#include "added_nodes.hpp"
#include "ballast/core/strings.hpp"
#include "ballast/core/utf8.hpp"
#include "ballast/ganeti/backend/rules/file.hpp"
#include "ballast/ganeti/backend/text/text.hpp"
#include "ballast/ganeti/cli/sources/monitoring.hpp"
#include "ballast/ganeti/model/duplicates.hpp"
#include "ballast/ganeti/model/group_name.hpp"
#include "ballast/ganeti/model/ids_of.hpp"
#include "ballast/ganeti/rules/placement_rules.hpp"
#include "source.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>

namespace ballast::ganeti::cli {
namespace {

OrExit<std::vector<Utilisation>> load_utilisation_file(const std::string& path, Output& output) {
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

/// The figures of one instance in several files.
class LoadSum {
 public:
  void add(const Load& load, bool worst) {
    ++count_;
    if (!worst) {
      load_ += load;
      return;
    }
    load_.cpu = std::max(load_.cpu, load.cpu);
    load_.mem = std::max(load_.mem, load.mem);
    load_.disk = std::max(load_.disk, load.disk);
    load_.net = std::max(load_.net, load.net);
  }
  [[nodiscard]] Load result(bool worst) const {
    if (worst) return load_;
    const double count = static_cast<double>(count_);
    return {load_.cpu / count, load_.mem / count, load_.disk / count, load_.net / count};
  }

 private:
  Load load_{0, 0, 0, 0};
  std::int64_t count_ = 0;
};

/// The mean of the files that name an instance, or the worst of them. One file counts as it is.
OrExit<std::vector<Utilisation>> load_utilisation(const LoadSettings& load, Output& output) {
  if (!load.utilisation_file) return {};
  auto first = load_utilisation_file(*load.utilisation_file, output);
  if (!first || load.more_utilisation_files.empty()) return first;
  std::vector<std::string> order;
  std::map<std::string, LoadSum> sums;
  const auto add = [&](const std::vector<Utilisation>& entries) {
    // Of several lines for one instance the last counts, as in a single file.
    std::map<std::string, Load> of_file;
    for (const Utilisation& entry : entries) of_file[entry.name] = entry.load;
    for (const auto& [name, one] : of_file) {
      const auto [place, is_new] = sums.try_emplace(name);
      if (is_new) order.push_back(name);
      place->second.add(one, load.worst_utilisation);
    }
  };
  add(*first);
  for (const std::string& path : load.more_utilisation_files) {
    const auto more = load_utilisation_file(path, output);
    if (!more) return more;
    add(*more);
  }
  std::vector<Utilisation> merged;
  for (const std::string& name : order)
    merged.push_back({name, sums[name].result(load.worst_utilisation)});
  return merged;
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
  options.corrected_n1 = load.corrected_n1;
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

namespace {

/// A document's instances are attached already, and the reference attaches them again. Answers that
/// only we give count them once.
void detach_instances(Snapshot& snapshot) {
  for (const NodeId id : node_ids(snapshot.cluster))
    snapshot.state[id] = initial_state(snapshot.cluster[id]);
}

bool is_own_answer_to_document(const Settings& settings) {
  const SourceSettings& source = settings.source;
  const bool is_document = source.allocator_file && !source.text_file && !source.luxi_socket &&
                           source.rapi_address.empty() && source.simulated.empty();
  const bool is_ours = settings.load.counts_once || settings.load.corrected_n1 ||
                       settings.tool.thorough || settings.tool.no_worse;
  return is_document && (speaks_by_name(settings) || is_ours || settings.output.plan_file ||
                         settings.output.metrics_file);
}

}  // namespace

OrExit<Snapshot> load_snapshot(const Settings& settings, Output& output, Newcomers newcomers) {
  if (const auto refused = check_sources(settings.source, output); !refused)
    return tl::unexpected(refused.error());
  auto utilisation = load_utilisation(settings.load, output);
  if (!utilisation) return tl::unexpected(utilisation.error());
  auto snapshot = read_source(settings, output);
  if (!snapshot) return tl::unexpected(snapshot.error());
  if (is_own_answer_to_document(settings)) detach_instances(*snapshot);
  if (const Status added = add_nodes(*snapshot, settings.limits.added_nodes); !added)
    return tl::unexpected(output.fail_at(added.error()));
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
  if (const auto ruled = apply_rules(*snapshot, settings.limits, output, newcomers); !ruled)
    return tl::unexpected(ruled.error());
  return std::move(*snapshot);
}

OrExit<void> apply_rules(Snapshot& snapshot, const LimitSettings& limits, Output& output,
                         Newcomers newcomers) {
  std::vector<RuleSpec> specs = rules_of_tags(snapshot.cluster, newcomers);
  for (const std::string& path : limits.rule_files) {
    const auto text = read_file_raw(path);
    if (!text) return tl::unexpected(output.fail_on_file(path, text.error()));
    auto rules = read_rules(*text, path);
    if (!rules) return tl::unexpected(output.fail_at(rules.error()));
    for (RuleSpec& rule : *rules) specs.push_back(std::move(rule));
  }
  specs.insert(specs.end(), limits.rules.begin(), limits.rules.end());
  if (specs.empty()) return {};
  const auto warnings = set_rules(snapshot, std::move(specs), newcomers);
  if (!warnings) return tl::unexpected(output.fail_at(warnings.error()));
  for (const std::string& warning : *warnings) output.note(fmt::format("Warning: {}\n", warning));
  return {};
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
  for (const GroupId id : group_ids(snapshot.cluster)) {
    const Group& group = snapshot.cluster[id];
    all.push_back(&group);
    if (is_called(group, text)) found.push_back(id);
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
