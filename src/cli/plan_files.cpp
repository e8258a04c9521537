// SPDX-License-Identifier: BSD-2-Clause
#include "ballast/cli/plan_files.hpp"

#include "ballast/cli/option_makers.hpp"
#include "ballast/core/file.hpp"
#include "ballast/report/metrics.hpp"
#include "ballast/report/plan_json.hpp"

namespace ballast::cli {
std::vector<Option> plan_file_options(PlanFiles& files) {
  return {
      text_option("save-plan", "FILE", "file",
                  "write the plan in JSON to FILE, whatever is printed", files.plan),
      text_option("metrics", "FILE", "file", "write figures for Prometheus to FILE", files.metrics),
      flag_option("quiet-if-nothing", "say nothing at all where there is nothing to do",
                  [&files] { files.quiet_if_nothing = true; })};
}

Status write_plan_files(const plan::Plan& plan, const PlanFiles& files) {
  if (!files.plan.empty()) {
    if (auto written = write_file(files.plan, report::plan_to_json(plan)); !written) return written;
  }
  if (files.metrics.empty()) return {};
  return report::write_plan_metrics(plan, files.metrics);
}

bool is_nothing(const plan::Plan& plan) {
  return plan.result == plan::Outcome::NoChange && plan.steps.empty() && plan.blocked.empty();
}

}  // namespace ballast::cli
