// SPDX-License-Identifier: BSD-2-Clause
#include "ballast/ganeti/cli/balance/report.hpp"

#include "ballast/core/decimal.hpp"
#include "ballast/core/file.hpp"
#include "ballast/ganeti/cli/balance/mending.hpp"
#include "ballast/ganeti/cli/delivery/plan_delivery.hpp"
#include "ballast/ganeti/cli/tables/steps.hpp"
#include "ballast/ganeti/report/explain/staying.hpp"
#include "ballast/ganeti/search/planning/builder.hpp"

#include <fmt/format.h>

namespace ballast::ganeti::cli {
namespace {

std::string totals_line(std::string_view label, const Cluster& cluster, const State& state,
                        const Part& part) {
  std::uint64_t memory = 0;  // sums wrap like the reference's
  std::uint64_t disk = 0;
  for (const NodeId id : part.nodes) {
    memory += static_cast<std::uint64_t>(unallocated_mem(cluster[id], state[id]));
    disk += static_cast<std::uint64_t>(state[id].free_disk);
  }
  return fmt::format("{}mem={} disk={}\n", label, static_cast<std::int64_t>(memory),
                     static_cast<std::int64_t>(disk));
}

}  // namespace

BalanceReport::BalanceReport(const Snapshot& snapshot, const Part& part, BalanceResult result,
                             const Settings& settings)
    : snapshot_(snapshot),
      part_(part),
      settings_(settings),
      result_(std::move(result)),
      job_sets_(job_sets(snapshot.cluster, result_.steps)) {}

std::vector<std::string> BalanceReport::step_lines() const {
  const Cluster& cluster = snapshot_.cluster;
  const StepLines lines(cluster, part_);
  std::vector<StepReason> reasons;
  const bool with_reasons = cluster.has_storage && settings_.output.verbosity > 1;
  if (with_reasons) reasons = step_reasons(cluster, snapshot_.state, part_, result_.steps);
  std::vector<std::string> texts;
  for (std::size_t i = 0; i < result_.steps.size(); ++i) {
    std::string text = lines.line(result_.steps[i], i + 1) + "\n";
    if (!result_.steps[i].purpose.empty())
      text += fmt::format("       {}\n", result_.steps[i].purpose);
    if (with_reasons && !reasons[i].unit.is_none()) {
      text += fmt::format("       reason: {}\n", reason_text(cluster, reasons[i]));
    }
    texts.push_back(std::move(text));
  }
  return texts;
}

std::string BalanceReport::summary() const {
  const Cluster& cluster = snapshot_.cluster;
  const int verbosity = settings_.output.verbosity;
  std::string text;
  if (result_.steps.empty()) {
    text = "No solution found\n";
  } else if (verbosity > 2) {
    const ScoreDetail detail = score_detail(cluster, result_.state, part_.nodes);
    text = fmt::format("Final coefficients:   overall {}\n{}", fixed(detail.total, 8),
                       score_table(cluster, detail));
  } else {
    // Making room may cost evenness.
    text = fmt::format("Cluster score {} from {} to {}\n",
                       result_.score_after > result_.score_before ? "changed" : "improved",
                       fixed(result_.score_before, 8), fixed(result_.score_after, 8));
  }
  if (verbosity >= 1) text += fmt::format("Solution length={}\n", result_.steps.size());
  if (verbosity > 1 && cluster.has_storage) {
    text += fmt::format("MiB to copy={}\n", total_copied_mib(cluster, result_.steps));
  }
  return text;
}

std::string BalanceReport::totals() const {
  return totals_line("Original: ", snapshot_.cluster, snapshot_.state, part_) +
         totals_line("Final:    ", snapshot_.cluster, result_.state, part_);
}

OrExit<void> BalanceReport::print_commands(const std::string& file, Output& output) const {
  const bool first_only = settings_.tool.first_job_group;
  auto sets = job_sets_;
  if (first_only && sets.size() > 1) sets.resize(1);
  const std::vector<std::string> lines = command_lines(snapshot_.cluster, result_.steps, sets);
  if (file.empty() || file == "-") {
    const std::string_view heading =
        first_only ? "First set of jobs:" : "Commands to run to reach the above solution:";
    output.say(fmt::format("\n{}\n{}", heading, commands_for_people(lines)));
    return {};
  }
  if (const auto written = write_file_raw(file, commands_script(lines)); !written) {
    return tl::unexpected(output.fail_on_file(file, written.error()));
  }
  output.say(fmt::format("The commands have been written to file '{}'\n", file));
  return {};
}

plan::Plan BalanceReport::plan() const {
  plan::Plan plan = balance_plan(snapshot_.cluster, snapshot_.state, part_, result_, job_sets_,
                                 settings_.balance.ignore_soft_errors);
  add_health_warnings(snapshot_, part_, settings_, plan);
  add_load_assumption(settings_, plan);
  if (settings_.balance.evacuation) add_staying(plan);
  plan.notes.insert(plan.notes.end(), notes_.begin(), notes_.end());
  add_breaches(snapshot_.cluster, snapshot_.state, result_.state, part_, plan);
  if (!blocked_.empty()) {
    plan.blocked.insert(plan.blocked.end(), blocked_.begin(), blocked_.end());
    plan.result = plan::Outcome::Blocked;
    plan.headline = fmt::format("{} left, see what is blocked; {}", blocked_.size(), plan.headline);
  }
  plan.options = shaping_options(settings_);
  if (const auto* more = more_options_.get<ValueMap>()) {
    for (const auto& [name, value] : *more) plan.options.set(name, value);
  }
  return plan;
}

void BalanceReport::add_staying(plan::Plan& plan) const {
  const Cluster& cluster = snapshot_.cluster;
  plan.blocked = staying_instances(cluster, result_.state, part_, settings_.balance);
  if (plan.blocked.empty()) return;
  plan.result = plan::Outcome::Blocked;
  plan.headline =
      staying_headline(cluster, snapshot_.state, result_.state, part_) + "; " + plan.headline;
}

plan::Plan empty_plan(const Settings& settings) {
  plan::Plan plan;
  plan.headline = "the cluster has no instances";
  plan.notes.push_back({"EMPTY", "the cluster has no instances"});
  plan.options = shaping_options(settings);
  return plan;
}

}  // namespace ballast::ganeti::cli
