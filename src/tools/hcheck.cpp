// SPDX-License-Identifier: BSD-2-Clause
// hcheck: is the cluster healthy, would rebalancing mend it, what ails it, and what if a part of it
// were gone?
#include <algorithm>
#include <optional>
#include <string>
#include <vector>

#include "ballast/ganeti/cli/delivery/document_delivery.hpp"
#include "ballast/ganeti/cli/health/cluster_documents.hpp"
#include "ballast/ganeti/cli/health/doctor_report.hpp"
#include "ballast/ganeti/cli/health/page.hpp"
#include "ballast/ganeti/cli/health/run.hpp"
#include "ballast/ganeti/cli/health/what_if_report.hpp"
#include "ballast/ganeti/cli/health/what_if_tier.hpp"
#include "ballast/ganeti/cli/options/start.hpp"
#include "ballast/ganeti/cli/sources/load.hpp"
#include "ballast/ganeti/report/doctor/doctor.hpp"
#include "tools/ganeti_tools.hpp"

namespace ballast::tools {
namespace {

using namespace ganeti;  // NOLINT(google-build-using-namespace): the tool is made of these
using ganeti::cli::Exit;
using ganeti::cli::Frame;
using ganeti::cli::HealthRun;
using ganeti::cli::OrExit;
using ganeti::cli::Output;
using ganeti::cli::Settings;

const Frame& frame() {
  static const Frame kFrame{
      {"hcheck",
       "hcheck -t FILE [OPTION...]",
       "Checks the health of a cluster and whether rebalancing would mend it. Nothing is executed.",
       {}},
      {"text-data", "no-disk-moves", "dynu-file", "ignore-dynu", "evac-mode", "exclude-instances",
       "exclusion-tags", "ialloc-src", "no-instance-moves", "luxi", "machine-readable", "max-cpu",
       "max-length", "min-disk", "min-gain", "min-gain-limit", "min-score", "ignore-soft-errors",
       "no-simulation", "offline", "quiet", "master", "select-instances", "no-capacity-checks",
       "verbose",
       // ours
       "timeout", "answer-limit", "rapi-ca", "rapi-any-name", "rapi-user-file", "doctor", "what-if",
       "ignore-storage", "state-of-record", "corrected-n1", "default-storage", "reserve",
       "add-node", "rules", "pin", "apart", "together", "exclude-nodes", "forbid-unit", "threads",
       "json", "format@health", "output", "save-plan", "metrics", "report@document", "rate",
       "parallel", "detailed-exit-code", "quiet-if-nothing"},
      ""};
  return kFrame;
}

/// KEY=VALUE lines are for scripts that read nothing else.
OrExit<void> check_forms(const Settings& settings, Output& output) {
  const ganeti::cli::OutputSettings& how = settings.output;
  const bool is_plan = std::ranges::any_of(settings.tool.what_if, ganeti::cli::asks_for_tier);
  const auto refuse = [&](std::string_view why) { return tl::unexpected(output.wrong_usage(why)); };
  if (!is_plan && how.format == ballast::cli::PlanFormat::Shell) {
    return refuse(
        "--format shell is a form of a plan, which --what-if tier=NAMES:TYPE/KEY asks for; "
        "expected one of text|brief|json|markdown|html");
  }
  if (!is_plan && (how.plan_file || how.detailed_exit_code)) {
    return refuse(
        "--save-plan and --detailed-exit-code need a plan, which --what-if tier=NAMES:TYPE/KEY "
        "asks for");
  }
  const bool has_more = !output.is_text() || how.report_file || how.plan_file || how.metrics_file;
  if (is_plan && settings.tool.doctor && has_more) {
    return refuse(
        "--what-if tier=NAMES:TYPE/KEY gives a plan and --doctor a report: ask them one by one");
  }
  if (!settings.output.machine_readable) return {};
  if (output.is_text() && !settings.tool.doctor && settings.tool.what_if.empty()) return {};
  return refuse(
      "--machine-readable does not combine with another --format, --doctor and --what-if; --json "
      "tells programs what these find");
}

struct Answer {
  report::Document document;
  report::DocumentPage page;
};

/// The checks of the reference and, where wanted, the doctor's; what they found goes to `answer`.
OrExit<Exit> check_health(const Snapshot& snapshot, const Settings& settings, Answer& answer,
                          Output& output) {
  HealthRun run(snapshot, settings);
  if (auto reported = run.report(output); !reported) return tl::unexpected(reported.error());
  if (output.json() || settings.output.metrics_file || settings.output.wants_page())
    answer.document = ganeti::cli::health_document(snapshot, run, settings);
  if (settings.output.wants_page()) answer.page = ganeti::cli::health_page(snapshot, run);
  if (settings.tool.doctor) {
    const Rebalancing plan = run.rebalancing() ? *run.rebalancing()
                                               : rebalance(snapshot.cluster, snapshot.state,
                                                           run.parts(), settings.balance);
    const std::vector<Finding> findings =
        examine({snapshot.cluster, snapshot.state, run.parts(), settings.balance, plan});
    output.say(ganeti::cli::doctor_text(findings));
    answer.document.findings = findings;
    answer.page.no_findings = "Nothing.";
  }
  return run.status();
}

/// A question about the whole cluster, which stands alone: "each", "most", "leave=N",
/// "tier=NAMES:TYPE/KEY".
const std::string* whole_question(const std::vector<std::string>& losses) {
  const auto found = std::ranges::find_if(losses, [](const std::string& loss) {
    return loss == "each" || loss == "most" || ganeti::cli::asked_to_leave(loss) ||
           ganeti::cli::asks_for_tier(loss);
  });
  return found == losses.end() ? nullptr : &*found;
}

Exit answer_each(const Snapshot& snapshot, report::Document& document, Output& output) {
  const auto each = ganeti::cli::what_if_each(document, snapshot.cluster, snapshot.state);
  output.say(each.text);
  return each.is_anything_down ? ballast::cli::kFailed : ballast::cli::kDone;
}

Exit answer_spare(const std::string& question, const Snapshot& snapshot, const Settings& settings,
                  report::Document& document, Output& output) {
  const auto count = ganeti::cli::asked_to_leave(question);
  const auto spare = count ? ganeti::cli::what_if_leave(document, snapshot.cluster, snapshot.state,
                                                        *count, settings.balance)
                           : ganeti::cli::what_if_most(document, snapshot.cluster, snapshot.state);
  output.say(spare.text);
  return spare.is_short ? ballast::cli::kFailed : ballast::cli::kDone;
}

Exit answer_what_if(const Snapshot& snapshot, const Loss& loss, report::Document& document,
                    Output& output) {
  const WhatIf answer = what_if(snapshot.cluster, snapshot.state, loss);
  output.say(ganeti::cli::what_if_text(snapshot.cluster, snapshot.state, loss, answer));
  ganeti::cli::add_what_if(document, snapshot.cluster, snapshot.state, loss, answer);
  return ganeti::cli::is_anything_down(answer) ? ballast::cli::kFailed : ballast::cli::kDone;
}

/// Nothing was found that somebody should look at.
bool is_fine(const report::Document& document) {
  return std::ranges::all_of(
      document.findings, [](const Finding& finding) { return finding.severity == Severity::Note; });
}

Exit run_loaded(const Snapshot& snapshot, const Settings& settings, Output& output) {
  const std::vector<std::string>& losses = settings.tool.what_if;
  const std::string* question = whole_question(losses);
  if (question != nullptr && losses.size() > 1) {
    return output.wrong_usage("--what-if " + *question +
                              " cannot be asked together with another loss");
  }
  if (question != nullptr && ganeti::cli::asked_to_leave(*question) == 0)
    return output.wrong_usage("--what-if " + *question + ": expected leave=N, N nodes");
  const auto loss =
      question != nullptr ? Result<Loss>(Loss{}) : ganeti::cli::read_loss(snapshot.cluster, losses);
  if (!loss) return output.fail_at(loss.error());
  const bool asks_for_plan = question != nullptr && ganeti::cli::asks_for_tier(*question);
  if (asks_for_plan && !settings.tool.doctor)
    return ganeti::cli::answer_tier(snapshot, settings, *question, output);
  Answer answer;
  report::Document& document = answer.document;
  Exit status = ballast::cli::kDone;
  if (losses.empty() || settings.tool.doctor) {
    const auto checked = check_health(snapshot, settings, answer, output);
    if (!checked) return checked.error();
    status = *checked;
    if (!losses.empty()) output.say("\n");
  } else {
    document = ganeti::cli::what_if_document(snapshot, settings);
    if (settings.output.wants_page()) answer.page = ganeti::cli::what_if_page(snapshot, settings);
  }
  if (asks_for_plan) {
    status = std::max(status, ganeti::cli::answer_tier(snapshot, settings, *question, output));
  } else if (question != nullptr) {
    status = std::max(status, *question == "each"
                                  ? answer_each(snapshot, document, output)
                                  : answer_spare(*question, snapshot, settings, document, output));
  } else if (!losses.empty()) {
    status = std::max(status, answer_what_if(snapshot, *loss, document, output));
  }
  if (const auto delivered = ganeti::cli::deliver_document(
          document, [&] { return answer.page; }, settings.output, output);
      !delivered)
    return delivered.error();
  if (settings.output.quiet_if_nothing && status == ballast::cli::kDone && is_fine(document))
    output.forget();
  return status;
}

}  // namespace

int run_hcheck(const ballast::cli::Invocation& invocation, ballast::cli::Streams& streams) {
  const auto started = ganeti::cli::start_without_arguments(frame(), invocation, streams);
  if (!started) return started.error();
  const Settings& settings = started->settings;
  Output output(streams, "hcheck", invocation.program, settings.output.format,
                settings.output.detailed_exit_code);
  if (const auto checked = check_forms(settings, output); !checked) return checked.error();
  auto snapshot = ganeti::cli::load_snapshot(settings, output);
  if (!snapshot) return snapshot.error();
  if (const auto limited = ganeti::cli::apply_limits(*snapshot, settings.limits, output); !limited)
    return limited.error();
  return run_loaded(*snapshot, settings, output);
}

}  // namespace ballast::tools
