// SPDX-License-Identifier: BSD-2-Clause
#include "ballast/ganeti/cli/capacity/run.hpp"

#include <fmt/format.h>

#include "ballast/core/strings.hpp"
#include "ballast/ganeti/cli/delivery/document_delivery.hpp"
#include "ballast/ganeti/cli/delivery/plan_delivery.hpp"
#include "ballast/ganeti/cli/sources/saving.hpp"
#include "ballast/ganeti/cli/tables/listing.hpp"

namespace ballast::ganeti::cli {

CapacityOptions capacity_options(const Cluster& cluster, const Settings& settings,
                                 std::vector<StorageKeyId> units) {
  CapacityOptions options;
  options.disk_template =
      settings.tool.disk_template.value_or(cluster.policy.disk_templates.front());
  options.spindle_use = settings.tool.spindle_use.value_or(cluster.policy.standard.spindle_use);
  options.capacity_checks = settings.tool.capacity_checks;
  options.independent_groups = settings.tool.independent_groups;
  options.accept_existing_errors = settings.tool.accept_existing_errors;
  options.no_worse = settings.tool.no_worse;
  options.max_length = settings.balance.max_length;
  options.units = std::move(units);
  return options;
}

namespace {

std::vector<InstanceSize> tiered_sizes(const InstancePolicy& policy, const Settings& settings) {
  if (settings.tool.tiered_size) return {*settings.tool.tiered_size};
  std::vector<InstanceSize> sizes;
  for (const SpecRange& range : policy.ranges) sizes.push_back(size_of(range.max));
  return sizes;
}

/// "Left [0,1]", or "Right [(0,[1]),(1,[0])]" for mirrored instances.
std::string shown_candidates(const Cluster& cluster,
                             const std::vector<CapacityCandidate>& candidates, bool is_pair) {
  const auto index = [&](NodeId node) {
    return std::to_string(node.value() + cluster.first_node_index);
  };
  std::vector<std::string> shown;
  for (const CapacityCandidate& candidate : candidates) {
    std::vector<std::string> partners;
    for (const NodeId node : candidate.secondaries) partners.push_back(index(node));
    shown.push_back(is_pair
                        ? fmt::format("({},[{}])", index(candidate.primary), join(partners, ","))
                        : index(candidate.primary));
  }
  return fmt::format("{} [{}]", is_pair ? "Right" : "Left", join(shown, ","));
}

std::string line_of(CapacityFailure failure, const Output& output) {
  switch (failure) {
    case CapacityFailure::NoOnlineNodes:
      return "Error: failure during allocation: No online nodes\n";
    case CapacityFailure::NotEnoughNodes:
      return "Error: failure during allocation: Not enough online nodes\n";
    case CapacityFailure::NoMemory:
      return output.program() + ": divide by zero\n";
    case CapacityFailure::ReferenceWouldDie:
      return output.role() +
             ": a drbd instance has its secondary node outside of its group, or none: its failover "
             "cannot be tested\n";
    case CapacityFailure::TooMany:
      return fmt::format("{}: more than {} instances fit: -l ends the run earlier\n", output.role(),
                         ganeti::kMostPlaced);
  }
  return "";
}

Value capacity_shaping(const Settings& settings, const CapacityOptions& options) {
  Value shaping = shaping_options(settings);
  shaping.set("disk-template", text_of(options.disk_template));
  shaping.set("spindle-use", options.spindle_use);
  if (!options.capacity_checks) shaping.set("no-capacity-checks", true);
  if (options.independent_groups) shaping.set("independent-groups", true);
  if (options.accept_existing_errors) shaping.set("accept-existing-errors", true);
  if (options.no_worse) shaping.set("no-worse", true);
  if (settings.tool.thorough) shaping.set("thorough", true);
  return shaping;
}

}  // namespace

class CapacityPresentation::Impl {
 public:
  Impl(const Snapshot& snapshot, const Settings& settings, Output& output,
       std::vector<StorageKeyId> units)
      : settings_(settings),
        output_(output),
        found_{snapshot.cluster,
               snapshot.state,
               cluster_totals(snapshot.cluster, snapshot.state),
               capacity_options(snapshot.cluster, settings, std::move(units)),
               {},
               {},
               std::nullopt,
               {}},
        text_(found_.cluster, found_.before, found_.options),
        keys_(found_.cluster, found_.before, found_.options),
        planner_(found_.cluster, found_.state, found_.options) {
    output_.say(is_for_machines() ? keys_.cluster() : text_.cluster());
  }

  OrExit<void> tell_scope() {
    if (settings_.output.verbosity <= 3) return {};
    std::vector<std::string_view> nodes;
    for (const NodeId node : planner_.bad_nodes()) nodes.push_back(found_.cluster[node].name);
    if (!nodes.empty()) output_.note(fmt::format("Bad nodes: {}\n", shown_list(nodes)));
    const auto bad = planner_.bad_groups();
    if (!bad) return fail(bad.error());
    std::vector<std::string_view> groups;
    for (const GroupId group : *bad) groups.push_back(found_.cluster[group].name);
    if (!groups.empty()) output_.note(fmt::format("Bad groups: {}\n", shown_list(groups)));
    const auto candidates = planner_.candidates();
    if (!candidates) return fail(candidates.error());
    output_.note(fmt::format("Allocatable nodes: {}\n",
                             shown_candidates(found_.cluster, *candidates, is_pair())));
    return {};
  }

  OrExit<void> tell_tiered() {
    const std::vector<InstanceSize> sizes = tiered_sizes(found_.cluster.policy, settings_);
    if (sizes.empty())
      return tl::unexpected(output_.fail_with("Empty list of specs received from the cluster"));
    if (settings_.tool.thorough) return tell_thorough(sizes);
    auto run = planner_.tiered(sizes);
    if (!run) return fail(run.error());
    return tell(RunKind::Tiered, sizes.front(), std::move(*run));
  }

  OrExit<void> tell_standard() {
    const InstanceSize size = standard_size();
    auto run = planner_.fixed(size);
    if (!run) return fail(run.error());
    if (auto told = tell(RunKind::Standard, size, std::move(*run)); !told) return told;
    return tell_units(size);
  }

  OrExit<void> tell_more() {
    if (found_.thorough && !is_for_machines()) output_.say(thorough_text(found_));
    if (!settings_.tool.explain) return {};
    for (const CapacityAnswer& answer : found_.answers) {
      auto nodes = planner_.why_full(answer.run);
      if (!nodes) return fail(nodes.error());
      found_.why.push_back(
          {answer.kind, answer.run.last_size, answer.run.is_suppressed, std::move(*nodes)});
      if (!is_for_machines()) output_.say(why_text(found_, found_.why.back()));
    }
    return {};
  }

  int end() {
    if (is_for_machines()) output_.say("HTS_OK=1\n");
    const report::Document document =
        capacity_document(found_, capacity_shaping(settings_, found_.options));
    const auto delivered = deliver_document(
        document, [&] { return page(); }, settings_.output, output_);
    return delivered ? ballast::cli::kDone : delivered.error();
  }

 private:
  /// The cluster now, and after the last run.
  [[nodiscard]] report::DocumentPage page() const {
    report::DocumentPage page;
    page.headline = capacity_headline(found_);
    const Snapshot now{found_.cluster, found_.state, {}};
    const FilledCluster* filled =
        found_.answers.empty() ? nullptr : &found_.answers.back().run.filled;
    page.nodes = filled == nullptr ? nodes_at_a_glance(now, now.cluster, now.state)
                                   : nodes_at_a_glance(now, filled->cluster, filled->state);
    return page;
  }

  [[nodiscard]] bool is_for_machines() const { return settings_.output.machine_readable; }
  [[nodiscard]] bool is_pair() const { return has_secondary(found_.options.disk_template); }

  [[nodiscard]] InstanceSize standard_size() const {
    return settings_.tool.standard_size.value_or(size_of(found_.cluster.policy.standard));
  }

  OrExit<void> tell_thorough(const std::vector<InstanceSize>& sizes) {
    auto found = planner_.thorough(sizes, standard_size());
    if (!found) return fail(found.error());
    if (!found->run.is_suppressed) {
      found_.thorough = ThoroughFigures{found->worth, found->usual_worth, found->standard_placed,
                                        std::move(found->smaller)};
    }
    return tell(RunKind::Tiered, sizes.front(), std::move(found->run));
  }

  [[nodiscard]] tl::unexpected<Exit> fail(CapacityFailure failure) {
    const bool is_abnormal =
        failure != CapacityFailure::NoOnlineNodes && failure != CapacityFailure::NotEnoughNodes;
    if (is_abnormal) output_.flush();
    return tl::unexpected(output_.fail(line_of(failure, output_)));
  }

  OrExit<void> tell(RunKind kind, const InstanceSize& size, CapacityRun&& run) {
    CapacityAnswer answer{kind, size, std::move(run), {}, {}};
    answer.totals = cluster_totals(answer.run.filled.cluster, answer.run.filled.state);
    const auto candidates = planner_.candidates();
    if (candidates) answer.refusals = refusing_units(answer.run, found_.options, *candidates);
    found_.answers.push_back(std::move(answer));
    return tell(found_.answers.back());
  }

  OrExit<void> tell(const CapacityAnswer& answer) {
    const bool is_tiered = answer.kind == RunKind::Tiered;
    const FilledCluster& filled = answer.run.filled;
    const OutputSettings& wishes = settings_.output;
    output_.say(is_for_machines() ? keys_.size(answer.kind, answer.size)
                                  : text_.size(answer.kind, answer.size));
    if (wishes.verbosity > 1) output_.note(text_.map(answer));
    if (wishes.node_fields) {
      output_.note(node_listing(
          filled.cluster, filled.state, whole_part(filled.cluster).nodes, *wishes.node_fields,
          is_tiered ? "Tiered allocation status:" : "Standard allocation status:"));
    }
    if (wishes.save_file) {
      const auto saved = save_cluster(
          filled.cluster, filled.state, *wishes.save_file + (is_tiered ? ".tiered" : ".standard"),
          is_tiered ? "after tiered allocation" : "after standard allocation", output_);
      if (!saved) return saved;
    }
    return tell_results(answer);
  }

  OrExit<void> tell_results(const CapacityAnswer& answer) {
    if (is_for_machines()) {
      const bool is_last = answer.kind == RunKind::Standard;
      if (const std::string complaint = keys_.inconsistency(answer); is_last && !complaint.empty())
        return tl::unexpected(output_.fail(complaint));
      output_.say(keys_.results(answer));
      return {};
    }
    const ResultText results = text_.results(answer);
    output_.say(results.text);
    if (!results.lacks_reason || !output_.is_text()) return {};
    output_.flush();  // what the reference printed before its end stands before the message
    return tl::unexpected(output_.fail(output_.program() + ": Prelude.head: empty list\n"));
  }

  /// With storage: how many fit where the disks ask for each unit of their type in turn.
  OrExit<void> tell_units(const InstanceSize& size) {
    if (found_.options.units.empty()) return {};
    const Cluster& cluster = found_.cluster;
    for (std::size_t k = 0; k < cluster.storage_keys.size(); ++k) {
      const StorageKeyId unit(k);
      if (cluster[unit].type != storage_type_of(found_.options.disk_template)) continue;
      CapacityOptions options = found_.options;
      options.units.assign(options.units.size(), unit);
      CapacityPlanner planner(cluster, found_.state, options);
      const auto candidates = planner.candidates();
      const auto run = planner.fixed(size);
      if (!run || !candidates) continue;
      found_.units.push_back(
          {unit, run->filled.placed(), refusing_units(*run, options, *candidates)});
    }
    if (!is_for_machines()) output_.say(unit_capacity_table(found_));
    return {};
  }

  const Settings& settings_;
  Output& output_;
  CapacityFindings found_;
  CapacityText text_;
  CapacityKeys keys_;
  CapacityPlanner planner_;
};

CapacityPresentation::CapacityPresentation(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}
CapacityPresentation::~CapacityPresentation() = default;
CapacityPresentation::CapacityPresentation(CapacityPresentation&&) noexcept = default;
CapacityPresentation& CapacityPresentation::operator=(CapacityPresentation&&) noexcept = default;

OrExit<CapacityPresentation> CapacityPresentation::begin(Snapshot& snapshot,
                                                         const Settings& settings, Output& output) {
  const DiskTemplate disk_template =
      settings.tool.disk_template.value_or(snapshot.cluster.policy.disk_templates.front());
  auto units = units_of_new_disks(snapshot.cluster, settings.load.default_storage, disk_template);
  if (!units) return tl::unexpected(output.fail_at(units.error()));
  return CapacityPresentation(
      std::make_unique<Impl>(snapshot, settings, output, std::move(*units)));
}

OrExit<void> CapacityPresentation::tell_scope() { return impl_->tell_scope(); }
OrExit<void> CapacityPresentation::tell_tiered() { return impl_->tell_tiered(); }
OrExit<void> CapacityPresentation::tell_standard() { return impl_->tell_standard(); }
OrExit<void> CapacityPresentation::tell_more() { return impl_->tell_more(); }
int CapacityPresentation::end() { return impl_->end(); }

}  // namespace ballast::ganeti::cli
