// SPDX-License-Identifier: BSD-2-Clause
#include "ballast/ganeti/cli/delivery/plan_delivery.hpp"

#include "ballast/core/file.hpp"
#include "ballast/core/version.hpp"
#include "ballast/ganeti/model/fingerprint.hpp"
#include "ballast/ganeti/search/planning/replay.hpp"
#include "ballast/plan/estimate.hpp"
#include "ballast/report/check.hpp"
#include "ballast/report/metrics.hpp"
#include "ballast/report/plan_json.hpp"
#include "ballast/report/render.hpp"

#include <fmt/format.h>

namespace ballast::ganeti::cli {
namespace {

void sign(plan::Plan& plan, const Snapshot& snapshot, const Settings& settings, bool force,
          const Output& output) {
  plan.tool = output.role();
  if (plan.options.is_null()) plan.options = shaping_options(settings);
  if (force) plan.options.set("ignore-soft-errors", true);
  plan.tool_version = kVersion;
  plan.fingerprint = fingerprint(snapshot.cluster, snapshot.state);
  plan::count_traffic(plan);
  plan::estimate_time(plan, {settings.output.rate_mib, settings.output.parallel});
}

OrExit<void> replay_fresh(const plan::Plan& plan, const Snapshot& snapshot, const Part& part,
                          bool force, Output& output) {
  PlanState state(snapshot.cluster, snapshot.state, part.nodes, force, plan);
  const auto problems = plan::replay(plan, state).problems;
  if (problems.empty()) return {};
  return tl::unexpected(
      output.fail(fmt::format("{}: internal error: the plan is not shown, since {}", output.role(),
                              report::problems_to_text(plan, {problems.front()}))));
}

}  // namespace

OrExit<plan::Plan> finish_plan(plan::Plan plan, const Snapshot& snapshot, const Part& part,
                               const Settings& settings, bool force, Output& output) {
  sign(plan, snapshot, settings, force, output);
  if (const auto holds = replay_fresh(plan, snapshot, part, force, output); !holds)
    return tl::unexpected(holds.error());
  return plan;
}

OrExit<void> write_page(const plan::Plan& plan, const std::string& file, Output& output) {
  return write_html(report::plan_to_html(plan), file, output);
}

OrExit<void> write_html(const std::string& page, const std::string& file, Output& output) {
  if (const auto written = write_file_raw(file, page); !written) {
    return tl::unexpected(output.fail_on_file(file, written.error()));
  }
  output.note(fmt::format("The report has been written to file '{}'\n", file));
  return {};
}

namespace {

/// What is written besides what is printed.
OrExit<void> write_files(const plan::Plan& plan, const OutputSettings& how, Output& output) {
  if (how.report_file) {
    if (auto written = write_page(plan, *how.report_file, output); !written) return written;
  }
  if (how.plan_file) {
    if (const auto written = write_file_raw(*how.plan_file, report::plan_to_json(plan)); !written)
      return tl::unexpected(output.fail_on_file(*how.plan_file, written.error()));
    output.note(fmt::format("The plan has been written to file '{}'\n", *how.plan_file));
  }
  if (how.metrics_file) {
    if (const auto written = report::write_plan_metrics(plan, *how.metrics_file); !written)
      return tl::unexpected(output.fail_at(written.error()));
  }
  return {};
}

}  // namespace

Exit deliver_plan(const Snapshot& snapshot, const Part& part, const Settings& settings, bool force,
                  const std::function<plan::Plan()>& describe, Output& output) {
  const OutputSettings& how = settings.output;
  const bool is_detailed = how.detailed_exit_code;
  bool has_steps = false;
  bool is_blocked = false;
  if (how.report_file || how.plan_file || how.metrics_file || how.quiet_if_nothing ||
      !output.is_text() || is_detailed) {
    const auto plan = finish_plan(describe(), snapshot, part, settings, force, output);
    if (!plan) return plan.error();
    has_steps = !plan->steps.empty();
    is_blocked = plan->result == plan::Outcome::Blocked;
    if (const auto written = write_files(*plan, how, output); !written) return written.error();
    if (!output.is_text()) output.document(ballast::cli::render_plan(*plan, how.format, false));
  }
  if (how.quiet_if_nothing && !has_steps && !is_blocked) output.forget();
  if (!is_detailed) return ballast::cli::kDone;
  if (is_blocked) return ballast::cli::kBlocked;
  return has_steps ? ballast::cli::kHasChanges : ballast::cli::kDone;
}

}  // namespace ballast::ganeti::cli
