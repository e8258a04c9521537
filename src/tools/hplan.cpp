// SPDX-License-Identifier: BSD-2-Clause
// hplan: shows, checks, resumes and takes back plans.
#include "ballast/cli/option_makers.hpp"
#include "ballast/cli/plan_output.hpp"
#include "ballast/cli/run_main.hpp"
#include "ballast/core/file.hpp"
#include "ballast/core/words.hpp"
#include "ballast/ganeti/backend/text/text.hpp"
#include "ballast/ganeti/cli/delivery/plan_check.hpp"
#include "ballast/ganeti/cli/options/options.hpp"
#include "ballast/plan/match.hpp"
#include "ballast/report/document_page.hpp"
#include "ballast/report/plan_json.hpp"

#include "tools/hplan_diff.hpp"
#include "tools/hplan_operators.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace ballast::tools {
namespace {

constexpr std::int64_t kMostSteps = 1'000'000'000;

struct Wishes {
  ganeti::cli::Settings settings;  ///< where the snapshot comes from
  cli::PlanOutput output;
  std::vector<std::string> operator_words;  ///< options for the planner of an operator
  int made = 0;                             ///< steps up to this number are said to be made
  bool is_strict = false;                   ///< resume: all or nothing
};

const cli::Usage& usage() {
  static const cli::Usage kUsage{
      "hplan",
      "hplan show|check|resume|undo|after|diff [OPTION...] PLAN.json [OTHER]",
      "Shows a plan in several forms, holds it against a snapshot, prints what is left of "
      "it, the way back or the state after it; tells two plans or snapshots apart.",
      {},
      {{"show", "the plan, in any form"},
       {"check", "does the plan still fit the snapshot"},
       {"resume", "what is left of the plan"},
       {"undo", "the way back from the plan's end"},
       {"after", "the snapshot as it is after the plan"},
       {"diff", "what tells two plans or two snapshots apart"}}};
  return kUsage;
}

std::vector<cli::Option> options_of(Wishes& wishes) {
  static constexpr auto kSnapshot = std::to_array<std::string_view>({"text-data",
                                                                     "master",
                                                                     "luxi",
                                                                     "ialloc-src",
                                                                     "static-kvm-node-memory",
                                                                     "dynu-file",
                                                                     "ignore-dynu",
                                                                     "mond",
                                                                     "mond-data",
                                                                     "exclusion-tags",
                                                                     "group",
                                                                     "offline",
                                                                     "max-cpu",
                                                                     "min-disk",
                                                                     "ignore-storage",
                                                                     "state-of-record",
                                                                     "corrected-n1",
                                                                     "default-storage",
                                                                     "rules",
                                                                     "pin",
                                                                     "apart",
                                                                     "together",
                                                                     "exclude-nodes",
                                                                     "forbid-unit",
                                                                     "reserve",
                                                                     "ignore-soft-errors"});
  std::vector<cli::Option> snapshot = ganeti::cli::options_of(kSnapshot, wishes.settings);
  for (cli::Option& option : snapshot) option.is_reference = false;
  snapshot.push_back(cli::value_option("snapshot", "FILE", "file", "the same as --text-data",
                                       [&wishes](std::string_view file) -> Status {
                                         wishes.settings.source.text_file = std::string(file);
                                         return {};
                                       }));
  std::vector<cli::Option> plan{
      cli::only_for(
          {"check", "resume", "undo", "after"},
          cli::integer_option("made", "N", "the steps up to number N are made", 0, kMostSteps,
                              [&wishes](std::int64_t n) { wishes.made = static_cast<int>(n); })),
      cli::only_for({"resume"},
                    cli::flag_option("strict", "leave no step out that cannot be made any more",
                                     [&wishes] { wishes.is_strict = true; }))};
  auto options = cli::option_groups({{"The snapshot", std::move(snapshot)},
                                     {"The plan", std::move(plan)},
                                     {"Output", cli::plan_output_options(wishes.output)}});
  add_operator_options(options, wishes.operator_words);
  return options;
}

/// One run: the wishes, the plan file, and where to print.
class Run {
 public:
  Run(const Wishes& wishes, std::string file, cli::Streams& streams)
      : wishes_(wishes),
        file_(std::move(file)),
        streams_(streams),
        output_(streams, "hplan", "hplan", wishes.output.format, wishes.output.detailed_exit_code) {
  }

  int run(const std::string& command) {
    const auto text = read_file(file_);
    if (!text) return failure(text.error());
    const auto read = report::plan_from_json(*text, file_ == "-" ? "standard input" : file_);
    if (!read) return failure(read.error());
    seal_holds_ = read->seal_holds;
    if (!seal_holds_) {
      streams_.err(
          fmt::format("hplan: {}: edited since it was written (the seal does not hold)\n", file_));
    }
    if (command == "show") return cli::print_plan(read->plan, wishes_.output, "hplan", streams_);
    if (static_cast<std::size_t>(wishes_.made) > read->plan.steps.size()) {
      return failure({fmt::format("--made {}: out of range: the plan has {}", wishes_.made,
                                  counted(read->plan.steps.size(), "step")),
                      {}});
    }
    return against_snapshot(command, read->plan);
  }

 private:
  int failure(const Error& error) {
    return cli::report_failure(streams_, "hplan", error, wishes_.output.is_json());
  }

  int against_snapshot(const std::string& command, const plan::Plan& plan) {
    if (plan.system != plan::System::Ganeti) return against_operator(command, plan);
    if (!has_snapshot()) {
      return failure({command + " needs a snapshot: --snapshot FILE, -L, -m or -I", {}});
    }
    const auto scene = ganeti::cli::load_scene(plan, wishes_.settings, output_);
    if (!scene) return scene.error();
    if (command == "check") return print_check(plan, ganeti::cli::check_plan(plan, *scene));
    if (command == "after") return print_after(plan, *scene);
    auto derived = command == "resume"
                       ? ganeti::cli::remaining_plan(plan, *scene, wishes_.made, wishes_.is_strict)
                       : ganeti::cli::plan_back(plan, *scene, wishes_.made);
    if (derived) return cli::print_plan(std::move(*derived), wishes_.output, "hplan", streams_);
    return stand_in_the_way(plan, *scene, std::move(derived.error()));
  }

  int stand_in_the_way(const plan::Plan& plan, const ganeti::cli::PlanScene& scene,
                       std::vector<plan::StepProblem> problems) {
    if (wishes_.output.is_json()) {
      report::PlanCheck found = ganeti::cli::check_plan(plan, scene);
      found.problems = std::move(problems);
      return print_check(plan, std::move(found));
    }
    streams_.err("hplan: these steps stand in the way:\n" +
                 report::problems_to_text(plan, problems));
    return cli::kBlocked;
  }

  int print_after(const plan::Plan& plan, const ganeti::cli::PlanScene& scene) {
    auto after = ganeti::cli::snapshot_after(plan, scene, wishes_.made);
    if (!after) return stand_in_the_way(plan, scene, std::move(after.error()));
    return cli::write_output(ganeti::write_text(after->cluster, after->state), wishes_.output,
                             "hplan", streams_);
  }

  int against_operator(const std::string& command, const plan::Plan& plan) {
    if (command == "after") {
      return failure(
          {"after: only for plans of Ganeti's tools: an operator's plan has no snapshot "
           "of its own to write",
           {}});
    }
    if (wishes_.made > 0) {
      return failure(
          {"--made: only for plans of Ganeti's tools: which steps of an operator's plan are made, "
           "its present state tells",
           {}});
    }
    const bool is_way_back = command == "undo";
    auto today = plan_today(plan, wishes_.operator_words, is_way_back);
    if (!today) return failure(today.error());
    if (command == "check") return print_check(plan, report::check_against(plan, *today));
    plan::Plan printed = is_way_back ? std::move(*today) : plan::rest_of(plan, std::move(*today));
    const bool is_blocked = printed.result == plan::Outcome::Blocked;
    const int status = cli::print_plan(std::move(printed), wishes_.output, "hplan", streams_);
    return is_blocked && status != cli::kFailed ? cli::kBlocked : status;
  }

  [[nodiscard]] bool has_snapshot() const {
    const ganeti::cli::SourceSettings& source = wishes_.settings.source;
    return source.text_file || source.luxi_socket || source.allocator_file ||
           !source.rapi_address.empty();
  }

  int print_check(const plan::Plan& plan, report::PlanCheck found) {
    found.seal_holds = seal_holds_;
    const int status = cli::write_output(text_of(plan, found), wishes_.output, "hplan", streams_);
    return status == cli::kDone && !found.holds() ? cli::kBlocked : status;
  }

  [[nodiscard]] std::string text_of(const plan::Plan& plan, const report::PlanCheck& found) const {
    if (wishes_.output.is_json()) return report::check_to_json(plan, found);
    if (wishes_.output.format == cli::PlanFormat::Text ||
        wishes_.output.format == cli::PlanFormat::Brief)
      return report::check_to_text(plan, found);
    report::DocumentPage page{report::check_summary(plan, found), "Every step holds.", {}};
    page.nodes.before = plan.before;
    page.nodes.after = plan.after;
    page.nodes.objects = plan.objects;
    const report::Document document = report::check_document(plan, found);
    return cli::render_document(document, page, wishes_.output.format);
  }

  const Wishes& wishes_;
  std::string file_;
  cli::Streams& streams_;
  ganeti::cli::Output output_;
  bool seal_holds_ = true;
};

/// What is no plan has fewer forms.
bool has_form(std::string_view command, cli::PlanFormat format) {
  using cli::PlanFormat;
  if (command == "check" || command == "diff") return format != PlanFormat::Shell;
  return command != "after" || format == PlanFormat::Text || format == PlanFormat::Brief ||
         format == PlanFormat::Json;
}

int wrong_usage(const Wishes& wishes, const std::string& what, cli::Streams& streams) {
  const int status = cli::usage_status(wishes.output.detailed_exit_code);
  const Error error{fmt::format("{}: {}", what, usage().synopsis), {}, Fault::Usage};
  streams.err(fmt::format("hplan: {}\n", error.message));
  if (wishes.output.is_json()) streams.out(report::error_to_json(error, "hplan", status));
  return status;
}

int run_hplan(const cli::Invocation& invocation, cli::Streams& streams) {
  Wishes wishes;
  const auto options = options_of(wishes);
  const cli::Opening opening = cli::open_command_line(usage(), options, invocation.words, streams);
  if (opening.status) return *opening.status;
  const auto& words = opening.arguments;
  if (words.empty()) return wrong_usage(wishes, "no command", streams);
  constexpr std::array<std::string_view, 6> kCommands = {"show", "check", "resume",
                                                         "undo", "after", "diff"};
  if (std::ranges::find(kCommands, words[0]) == kCommands.end()) {
    return wrong_usage(wishes,
                       quoted(words[0]) + ": no such command" + did_you_mean(words[0], kCommands),
                       streams);
  }
  if (!has_form(words[0], wishes.output.format)) {
    return wrong_usage(
        wishes, fmt::format("{}: not a form of {}", cli::word_of(wishes.output.format), words[0]),
        streams);
  }
  wishes.settings.output.format = wishes.output.format;
  if (words[0] == "diff") {
    if (words.size() == 3) {
      return run_diff(words[1], words[2], wishes.settings, wishes.output, streams);
    }
    return wrong_usage(wishes, "expected two plans or two snapshots", streams);
  }
  if (words.size() != 2) return wrong_usage(wishes, "expected one plan file", streams);
  return Run(wishes, words[1], streams).run(words[0]);
}

}  // namespace
}  // namespace ballast::tools

int main(int argc, char** argv) {
  return ballast::cli::run_main(argc, argv, ballast::tools::run_hplan);
}
