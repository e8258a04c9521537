// SPDX-License-Identifier: BSD-2-Clause
// hail: where new and evacuated instances go; Ganeti calls it as its allocator plugin.
#include <fmt/format.h>

#include <algorithm>
#include <chrono>

#include "ballast/core/file.hpp"
#include "ballast/core/utf8.hpp"
#include "ballast/ganeti/cli/allocate/allocation_report.hpp"
#include "ballast/ganeti/cli/allocate/allocator_plan.hpp"
#include "ballast/ganeti/cli/allocate/allocator_saving.hpp"
#include "ballast/ganeti/cli/allocate/explanation_page.hpp"
#include "ballast/ganeti/cli/allocate/request_names.hpp"
#include "ballast/ganeti/cli/delivery/plan_delivery.hpp"
#include "ballast/ganeti/cli/options/start_with.hpp"
#include "ballast/ganeti/cli/sources/allocator_answer.hpp"
#include "ballast/ganeti/cli/sources/allocator_source.hpp"
#include "ballast/ganeti/cli/sources/load.hpp"
#include "ballast/ganeti/cli/sources/monitoring.hpp"
#include "ballast/ganeti/cli/sources/saving.hpp"
#include "ballast/ganeti/cli/tables/listing.hpp"
#include "ballast/ganeti/loading/request_tags.hpp"
#include "ballast/ganeti/report/explain/evacuation_plan.hpp"
#include "ballast/ganeti/rules/placement_rules.hpp"
#include "ballast/ganeti/shown/shown.hpp"
#include "tools/ganeti_tools.hpp"

namespace ballast::tools {
namespace {

using namespace ganeti::cli;  // NOLINT(google-build-using-namespace): the tool is made of these

const Frame& frame() {
  static const Frame kFrame{
      {"hail", "", "Answers one allocator request of Ganeti, from FILE or standard input (-).", {}},
      {"print-nodes", "save", "text-data", "simulate", "verbose", "ignore-dynu",
       "ignore-soft-errors@hail", "no-capacity-checks", "restrict-allocation-to", "mond",
       "mond-xen", "static-kvm-node-memory",
       // ours
       "ignore-storage", "corrected-n1", "default-storage", "reserve", "rules", "pin", "apart",
       "together", "exclude-nodes", "forbid-unit", "explain@hail", "always-answer",
       "evacuate-in-place", "timeout", "answer-limit", "format@answer", "output", "report", "rate",
       "parallel", "detailed-exit-code"},
      "file 1 1"};
  return kFrame;
}

RequestReading reading_of(const Settings& settings) {
  const bool is_replaced = settings.source.text_file || !settings.source.simulated.empty();
  return {settings.tool.always_answer, is_replaced,
          settings.tool.explain || settings.tool.always_answer};
}

/// The cluster that is worked on: the document's, unless another source replaces it; then the
/// request is understood on that one.
OrExit<ganeti::Snapshot> choose_cluster(ganeti::IallocatorDocument& document,
                                        const Settings& settings, Output& output) {
  const std::vector<ganeti::Instance*> newcomers = ganeti::new_instances(document.request);
  if (const RequestReading how = reading_of(settings); how.is_replaced) {
    auto other = load_snapshot(settings, output, newcomers);
    if (!other) return other;
    ganeti::adopt_request_tags(*other, document.request, document.snapshot.cluster.symbols);
    const Status resolved = document.resolve_disks(other->cluster, document.request);
    if (!resolved) return tl::unexpected(refuse_request(resolved.error().message, how, output));
    return other;
  }
  if (const auto measured = apply_monitoring(document.snapshot, settings, output); !measured)
    return tl::unexpected(measured.error());
  if (const auto ruled = apply_rules(document.snapshot, settings.limits, output, newcomers); !ruled)
    return tl::unexpected(ruled.error());
  return std::move(document.snapshot);
}

Exit print_answer(const std::string& line, Output& output) {
  // A lone surrogate cannot be written: what stands before it is.
  const std::size_t bad = first_invalid_utf8(line);
  output.say(std::string_view(line).substr(0, bad));
  output.flush();
  if (bad == std::string::npos) return ballast::cli::kDone;
  return output.fail(fmt::format(
      "{}: the answer holds a lone surrogate, which no encoding can carry\n", output.program()));
}

Exit finish(const ganeti::Snapshot& snapshot, const Settings& settings,
            const ganeti::AllocatorAnswer& answer, Output& output) {
  if (settings.output.node_fields) {
    output.note(node_listing(snapshot.cluster, answer.state, answer.nodes,
                             *settings.output.node_fields, "Final cluster status:"));
  }
  if (!settings.output.save_file) return ballast::cli::kDone;
  const std::string path = *settings.output.save_file + ".post-ialloc";
  const auto saved = save_answer(snapshot, answer, path, output);
  return saved ? ballast::cli::kDone : saved.error();
}

/// What the reference tells at these verbosities about what it works on.
void tell_input(const ganeti::Snapshot& snapshot, const ganeti::Request& request, int verbosity,
                Output& output) {
  if (verbosity <= 1) return;
  output.note(fmt::format("Received request: {}\n", shown_of(request, snapshot.cluster.symbols)));
  if (verbosity > 2) {
    const auto since_1970 = std::chrono::system_clock::now().time_since_epoch();
    const std::int64_t now = std::chrono::duration_cast<std::chrono::seconds>(since_1970).count();
    output.note(fmt::format("Received cluster data: {}\n",
                            shown_cluster_data(snapshot.cluster, snapshot.state, now)));
  }
  if (ganeti::is_dedicated(snapshot.cluster, request))
    output.note("Allocation on a dedicated cluster; using lost-allocations metrics.\n");
}

/// On standard error, beside the unchanged answer; as a page where nothing that exists moves.
OrExit<void> explain(const ganeti::Snapshot& snapshot, const ganeti::Request& request,
                     const Settings& settings, const PlanWish& wish, Output& output) {
  if (!settings.tool.explain && !wish.explanation_file && settings.output.verbosity <= 1) return {};
  const bool is_whole = settings.tool.explain || wish.explanation_file;
  const ganeti::AllocatorOptions options = allocator_options(settings);
  const auto all =
      ganeti::explain_request(snapshot.cluster, snapshot.state, request, options, is_whole);
  if (settings.tool.explain) output.note(strange_names_text(snapshot.cluster, request, options));
  if (settings.tool.explain || settings.output.verbosity > 1)
    output.note(request_explanation(snapshot.cluster, all, settings.tool.explain));
  if (wish.explanation_file) {
    report::Document document = request_document(snapshot, all);
    document.options = shaping_options(settings);
    document.options.set("request", std::string(request_name(request)));
    const auto written = write_file_raw(*wish.explanation_file, report::document_to_json(document));
    if (!written)
      return tl::unexpected(output.fail_on_file(*wish.explanation_file, written.error()));
  }
  if (!settings.tool.explain || !settings.output.report_file || has_plan(request)) return {};
  return write_html(
      report::document_to_html(request_document(snapshot, all), request_page(snapshot, all)),
      *settings.output.report_file, output);
}

/// The plan is made before the answer is printed: where it does not hold, nothing is.
Exit answer(ganeti::Snapshot& snapshot, const ganeti::Request& request, const Settings& settings,
            const PlanWish& wish, Output& output) {
  tell_input(snapshot, request, settings.output.verbosity, output);
  if (settings.output.node_fields) {
    output.note(node_listing(snapshot.cluster, snapshot.state, whole_part(snapshot.cluster).nodes,
                             *settings.output.node_fields, "Initial cluster status:"));
  }
  if (settings.output.save_file) {
    const auto saved =
        save_cluster(snapshot.cluster, snapshot.state, *settings.output.save_file + ".pre-ialloc",
                     "before iallocator run", output);
    if (!saved) return saved.error();
  }
  const ganeti::AllocatorAnswer found = ganeti::answer_request(
      snapshot.cluster, snapshot.state, request, allocator_options(settings));
  if (found.dies_at_key && settings.tool.always_answer) {
    return print_answer(
        refusal_line(fmt::format("node or instance number {} is needed and does not exist",
                                 *found.dies_at_key)),
        output);
  }
  if (found.dies_at_key) {
    return output.fail(
        fmt::format("{}: the request needs node or instance number {}, which does not exist\n",
                    output.program(), *found.dies_at_key));
  }
  if (const auto told = explain(snapshot, request, settings, wish, output); !told)
    return told.error();
  const auto planned = write_answer_plan(wish, settings, snapshot, request, found, output);
  if (!planned) return planned.error();
  const Exit printed = print_answer(answer_line(snapshot.cluster, found), output);
  if (printed != ballast::cli::kDone) return printed;
  const Exit finished = finish(snapshot, settings, found, output);
  return finished == ballast::cli::kDone ? *planned : finished;
}

}  // namespace

int run_hail(const cli::Invocation& invocation, cli::Streams& streams) {
  PlanWish wish;
  auto started = start_with(frame(), plan_options(wish), invocation, streams);
  if (!started) return started.error();
  const Settings& settings = started->settings;
  Output output(streams, "hail", invocation.program, cli::PlanFormat::Text);
  if (started->arguments.empty()) return output.fail_with("This program needs an input file.");
  if (started->arguments.size() > 1)
    return output.fail_with("Only one argument is accepted (the input file)");
  auto document =
      read_request_file(started->arguments.front(), settings.load, reading_of(settings), output);
  if (!document) return document.error();
  auto snapshot = choose_cluster(*document, settings, output);
  if (!snapshot) return snapshot.error();
  if (!settings.limits.reserves.empty()) {
    if (const auto limited = apply_limits(*snapshot, settings.limits, output); !limited)
      return limited.error();
  }
  if (wish.file || wish.explanation_file || settings.output.report_file || settings.tool.explain) {
    if (const auto unique = need_unique_names(*snapshot, output); !unique) return unique.error();
  }
  const auto checked = check_plan_wish(wish, settings, document->request, output);
  if (!checked) return checked.error();
  return answer(*snapshot, document->request, settings, wish, output);
}

}  // namespace ballast::tools
