// SPDX-License-Identifier: BSD-2-Clause
#include "ballast/ganeti/cli/allocate/allocator_plan.hpp"

#include "ballast/core/file.hpp"
#include "ballast/ganeti/cli/delivery/plan_delivery.hpp"
#include "ballast/ganeti/report/explain/evacuation_plan.hpp"
#include "ballast/report/plan_json.hpp"

namespace ballast::ganeti::cli {
namespace {

bool is_wanted(const PlanWish& wish, const Settings& settings) {
  return wish.file || settings.output.report_file;
}

/// Where nothing that exists moves.
Exit status_without_plan(const AllocatorAnswer& answer) {
  const auto* several = std::get_if<MultiAllocateResult>(&answer.result);
  const bool is_placed = answer.success && (several == nullptr || several->failed.empty());
  return is_placed ? ballast::cli::kHasChanges : ballast::cli::kBlocked;
}

Exit status_of(plan::Outcome outcome) {
  if (outcome == plan::Outcome::Blocked) return ballast::cli::kBlocked;
  return outcome == plan::Outcome::Changes ? ballast::cli::kHasChanges : ballast::cli::kDone;
}

OrExit<void> write_files(const plan::Plan& plan, const PlanWish& wish, const Settings& settings,
                         Output& output) {
  if (wish.file) {
    if (const auto written = write_file_raw(*wish.file, report::plan_to_json(plan)); !written)
      return tl::unexpected(output.fail_on_file(*wish.file, written.error()));
    output.note("The plan has been written to file '" + *wish.file + "'\n");
  }
  if (!settings.output.report_file) return {};
  return write_page(plan, *settings.output.report_file, output);
}

}  // namespace

namespace {

ballast::cli::Option file_option(std::string name, std::string help,
                                 std::optional<std::string>& target) {
  ballast::cli::Option option;
  option.name = std::move(name);
  option.takes = ballast::cli::Takes::Value;
  option.value_name = "FILE";
  option.completion = "file";
  option.help = std::move(help);
  option.apply = [&target](std::optional<std::string_view> value) -> Status {
    target = std::string(value.value_or(""));
    return {};
  };
  return option;
}

}  // namespace

std::vector<ballast::cli::Option> plan_options(PlanWish& wish) {
  return {file_option("plan", "write the moves of the answer as a plan in JSON to FILE", wish.file),
          file_option("save-explanation", "write what --explain says in JSON to FILE",
                      wish.explanation_file)};
}

AllocatorOptions allocator_options(const Settings& settings) {
  AllocatorOptions options;
  options.ignore_soft_errors = settings.balance.ignore_soft_errors;
  options.ignore_all_soft_errors = settings.tool.ignore_all_soft_errors;
  options.evacuate_in_place = settings.tool.evacuate_in_place;
  options.capacity_checks = settings.tool.capacity_checks;
  options.restrict_to_nodes = settings.tool.allocation_nodes;
  return options;
}

OrExit<void> check_plan_wish(const PlanWish& wish, const Settings& settings, const Request& request,
                             Output& output) {
  if (!is_wanted(wish, settings) || has_plan(request)) return {};
  if (!wish.file && settings.tool.explain) return {};  // the page shows the explanation
  return tl::unexpected(
      output.fail("hail: --plan, --report: only relocate, change-group and node-evacuate move "
                  "instances that exist (--report with --explain shows where new ones fit)\n"));
}

OrExit<Exit> write_answer_plan(const PlanWish& wish, const Settings& settings,
                               const Snapshot& snapshot, const Request& request,
                               const AllocatorAnswer& answer, Output& output) {
  const bool is_detailed = settings.output.detailed_exit_code;
  if (!is_wanted(wish, settings) && !is_detailed) return ballast::cli::kDone;
  if (!has_plan(request)) return status_without_plan(answer);
  const AllocatorOptions how = allocator_options(settings);
  const bool force = how.ignore_soft_errors || how.ignore_all_soft_errors;
  plan::Plan described = evacuation_plan(snapshot.cluster, snapshot.state, request, answer, how);
  described.options = shaping_options(settings);
  described.options.set("request", std::string(request_name(request)));
  if (settings.tool.evacuate_in_place) described.options.set("evacuate-in-place", true);
  const auto plan = finish_plan(std::move(described), snapshot, whole_part(snapshot.cluster),
                                settings, force, output);
  if (!plan) return tl::unexpected(plan.error());
  if (const auto written = write_files(*plan, wish, settings, output); !written)
    return tl::unexpected(written.error());
  return is_detailed ? status_of(plan->result) : ballast::cli::kDone;
}

}  // namespace ballast::ganeti::cli
