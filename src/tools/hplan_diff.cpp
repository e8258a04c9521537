// SPDX-License-Identifier: BSD-2-Clause
#include "tools/hplan_diff.hpp"

#include "ballast/core/file.hpp"
#include "ballast/core/strings.hpp"
#include "ballast/ganeti/cli/options/start.hpp"
#include "ballast/ganeti/cli/sources/load.hpp"
#include "ballast/ganeti/search/planning/builder.hpp"
#include "ballast/report/diff.hpp"
#include "ballast/report/document_page.hpp"
#include "ballast/report/plan_json.hpp"

#include "tools/hplan_states.hpp"

#include <fmt/format.h>

#include <filesystem>

#include <utility>

namespace ballast::tools {
namespace {

/// A plan as it was read, or of a snapshot only what there is.
struct Side {
  plan::Plan plan;
  bool is_plan = false;
};

class Differ {
 public:
  Differ(const ganeti::cli::Settings& settings, const cli::PlanOutput& output,
         cli::Streams& streams)
      : settings_(settings),
        wish_(output),
        streams_(streams),
        output_(streams, "hplan", "hplan", output.format, output.detailed_exit_code) {}

  int run(const std::string& first_file, const std::string& second_file) {
    const auto first = read(first_file);
    if (!first) return first.error();
    const auto second = read(second_file);
    if (!second) return second.error();
    if (first->is_plan != second->is_plan) {
      const std::string& plan = first->is_plan ? first_file : second_file;
      return failure(
          {fmt::format("{} is a plan, the other file is none: expected two of a kind", plan), {}});
    }
    if (first->plan.system != second->plan.system)
      return failure({"the two are of different systems", {}});
    plan::Diff diff = plan::diff_of(first->plan, second->plan);
    diff.is_of_plans = first->is_plan;
    if (!diff.is_of_plans) diff.summary_end.clear();
    const int status =
        cli::write_output(text_of(diff, first->plan, second->plan), wish_, "hplan", streams_);
    const bool is_told = wish_.detailed_exit_code && !diff.is_empty();
    return status == cli::kDone && is_told ? cli::kHasChanges : status;
  }

 private:
  [[nodiscard]] std::string text_of(const plan::Diff& diff, const plan::Plan& first,
                                    const plan::Plan& second) const {
    if (wish_.is_json()) return report::diff_to_json(diff, first, second);
    if (wish_.format == cli::PlanFormat::Text || wish_.format == cli::PlanFormat::Brief)
      return report::diff_to_text(diff, first, second);
    report::DocumentPage page{report::diff_summary(diff), "", {}};
    page.nodes.before = first.before;
    page.nodes.after = second.before;
    page.nodes.objects = second.objects;
    const report::Document document = report::diff_document(diff, first, second);
    return cli::render_document(document, page, wish_.format);
  }

  int failure(const Error& error) {
    return cli::report_failure(streams_, "hplan", error, wish_.is_json());
  }

  ganeti::cli::OrExit<Side> read(const std::string& file) {
    std::error_code ignored;
    if (std::filesystem::is_directory(file, ignored)) return state(file);
    const auto text = read_file(file);
    if (!text) return tl::unexpected(failure(text.error()));
    const auto first = text->find_first_not_of(" \t\r\n");
    const bool is_json = first != std::string::npos && (*text)[first] == '{';
    if (!is_json || text->find("\"ballast-plan\"") == std::string::npos)
      return is_operator_state(file, *text) ? state(file) : snapshot(file, is_json);
    auto plan = report::plan_from_json(*text, file);
    if (!plan) return tl::unexpected(failure(plan.error()));
    return Side{std::move(plan->plan), true};
  }

  ganeti::cli::OrExit<Side> state(const std::string& path) {
    auto read = operator_state(path);
    if (!read) return tl::unexpected(failure(read.error()));
    return Side{std::move(*read), false};
  }

  ganeti::cli::OrExit<Side> snapshot(const std::string& file, bool is_request) {
    ganeti::cli::Settings settings = settings_;
    settings.source = {};
    (is_request ? settings.source.allocator_file : settings.source.text_file) = file;
    const auto loaded = ganeti::cli::load_snapshot(settings, output_);
    if (!loaded) return tl::unexpected(loaded.error());
    if (const auto unique = ganeti::cli::need_unique_names(*loaded, output_); !unique)
      return tl::unexpected(unique.error());
    const ganeti::Part all = ganeti::whole_part(loaded->cluster);
    Side side;
    side.plan.before = ganeti::node_summary(loaded->cluster, loaded->state, all);
    side.plan.objects = ganeti::instance_inventory(loaded->cluster, loaded->state, all);
    return side;
  }

  const ganeti::cli::Settings& settings_;
  const cli::PlanOutput& wish_;
  cli::Streams& streams_;
  ganeti::cli::Output output_;
};

}  // namespace

int run_diff(const std::string& first, const std::string& second,
             const ganeti::cli::Settings& settings, const cli::PlanOutput& output,
             cli::Streams& streams) {
  return Differ(settings, output, streams).run(first, second);
}

}  // namespace ballast::tools
