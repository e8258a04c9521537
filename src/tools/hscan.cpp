// SPDX-License-Identifier: BSD-2-Clause
// hscan: reads live or saved clusters and writes each as a text snapshot.
#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "ballast/core/utf8.hpp"
#include "ballast/ganeti/backend/json/json.hpp"
#include "ballast/ganeti/backend/rapi/rapi.hpp"
#include "ballast/ganeti/backend/storage/query.hpp"
#include "ballast/ganeti/backend/text/text.hpp"
#include "ballast/ganeti/cli/health/scan_report.hpp"
#include "ballast/ganeti/cli/options/start.hpp"
#include "ballast/ganeti/cli/sources/live_source.hpp"
#include "ballast/ganeti/cli/tables/listing.hpp"
#include "ballast/ganeti/loading/pipeline.hpp"
#include "tools/ganeti_tools.hpp"

namespace ballast::tools {
namespace {

using namespace ganeti::cli;  // NOLINT(google-build-using-namespace): the tool is made of these
using ganeti::Snapshot;

constexpr int kSomeFailed = 2;
constexpr std::string_view kLocal = "LOCAL";

const Frame& frame() {
  static const Frame kFrame{
      {"hscan",
       "hscan [OPTION...] [ADDRESS...]",
       "Reads clusters through their remote API, or the local one through its query socket, and "
       "writes each as a text snapshot.",
       {}},
      {"print-nodes", "output-dir", "luxi", "verbose", "no-headers", "static-kvm-node-memory",
       // ours
       "storage", "ignore-storage", "state-of-record", "timeout", "answer-limit", "rapi-ca",
       "rapi-any-name", "rapi-user-file", "json", "format@document", "output"},
      "host 0 none"};
  return kFrame;
}

class Scanner {
 public:
  Scanner(const Settings& settings, std::size_t width, Output& output)
      : settings_(settings), width_(width), output_(output) {}

  /// The local cluster. A socket that does not work ends the run, as in the reference.
  OrExit<void> scan_local() {
    auto client = connect_luxi(settings_.source);
    if (!client) return dies(client.error());
    auto answers = fetch_luxi(*client, settings_.load.ignore_storage);
    if (!answers) return dies(answers.error());
    auto snapshot = read_luxi(std::move(*answers), settings_.load.ignore_storage);
    return finish(std::string(kLocal), std::move(snapshot), [&](const ganeti::Cluster& cluster) {
      return query_storage(*client, cluster,
                           std::chrono::seconds(settings_.source.timeout_seconds));
    });
  }

  OrExit<void> scan(const std::string& address) {
    const auto& options = rapi_options_once();
    if (options) output_.note(password_warning(address, *options));
    auto snapshot = options ? load_rapi(address, *options, settings_.load)
                            : Result<Snapshot>(fail(options.error()));
    if (!snapshot && snapshot.error().message.ends_with(ganeti::json::kBadBytes))
      return dies(snapshot.error());
    return finish(shown_address(address), std::move(snapshot),
                  [&](const ganeti::Cluster& cluster) -> Result<ganeti::StorageFacts> {
                    if (ganeti::is_rapi_folder(address))
                      return fail("--storage asks a master, which saved answers are not");
                    return query_storage(ganeti::rapi_url(address), cluster, *options);
                  });
  }

  Exit end() {
    output_.document(document_.rendered(settings_.output.format));
    return some_failed_ ? kSomeFailed : ballast::cli::kDone;
  }

 private:
  /// Read once: the file of user and password may be a pipe.
  const Result<ganeti::HttpOptions>& rapi_options_once() {
    if (!rapi_options_) rapi_options_ = rapi_options(settings_.source);
    return *rapi_options_;
  }

  template <class QueryStorage>
  OrExit<void> finish(const std::string& name, Result<Snapshot> snapshot,
                      QueryStorage query_storage) {
    if (!snapshot) return say_failure(name, snapshot.error());
    if (settings_.source.query_storage) {
      const auto facts = query_storage(snapshot->cluster);
      if (!facts) return say_failure(name, facts.error());
      note_unknown(name, ganeti::apply_storage(*snapshot, *facts));
    }
    // Written is what the cluster told, before anything is derived from it.
    const std::string text = ganeti::write_text(snapshot->cluster, snapshot->state);
    ganeti::PipelineOptions options;
    options.static_kvm_memory = settings_.load.static_kvm_memory;
    if (const auto done = run_pipeline(*snapshot, options); !done)
      return say_failure(name, done.error());
    for (const std::string& warning : snapshot->warnings)
      output_.note(fmt::format("Warning: {}: {}\n", name, warning));
    return write(name, *snapshot, text);
  }

  OrExit<void> write(const std::string& name, const Snapshot& snapshot, const std::string& text) {
    const ScanFigures figures = scan_figures(snapshot);
    output_.say(scan_row(name, width_, figures));
    if (settings_.output.node_fields) {
      const ganeti::Part whole = whole_part(snapshot.cluster);
      output_.say(
          node_table(snapshot.cluster, snapshot.state, whole.nodes, *settings_.output.node_fields));
    }
    const std::string& folder = settings_.tool.output_folder;
    const std::string path = fmt::format(
        "{}{}{}", folder, folder.empty() || folder.ends_with('/') ? "" : "/", scan_file_name(name));
    if (const auto written = write_file_raw(path, text); !written)
      return tl::unexpected(output_.fail_on_file(path, written.error()));
    document_.add(name, figures, path);
    return {};
  }

  OrExit<void> say_failure(const std::string& name, const Error& error) {
    some_failed_ = true;
    document_.add_failure(name, error.message);
    output_.say(
        fmt::format("\nError for {}: failed to load data. Details:\n{}\n", name, error.message));
    return {};
  }

  void note_unknown(const std::string& name, const std::vector<std::string>& instances) {
    if (instances.empty()) return;
    document_.add_unknown_disks(name, instances);
    output_.note(fmt::format("Warning: {}: {}\n", name, unknown_disks_text(instances)));
  }

  OrExit<void> dies(const Error& error) {
    output_.flush();
    return tl::unexpected(output_.fail(fmt::format("{}: {}\n", output_.program(), error.message)));
  }

  const Settings& settings_;
  std::size_t width_;
  Output& output_;
  ScanDocument document_;
  std::optional<Result<ganeti::HttpOptions>> rapi_options_;
  bool some_failed_ = false;
};

}  // namespace

int run_hscan(const cli::Invocation& invocation, cli::Streams& streams) {
  const auto started = start(frame(), invocation, streams);
  if (!started) return started.error();
  const Settings& settings = started->settings;
  Output output(streams, "hscan", invocation.program, settings.output.format);
  std::size_t width = started->arguments.empty() ? kLocal.size() : 0;
  for (const std::string& address : started->arguments)
    width = std::max(width, utf8_length(shown_address(address)));
  if (!settings.output.no_headers) output.say(scan_heading(width));
  Scanner scanner(settings, width, output);
  if (started->arguments.empty()) {
    if (const auto done = scanner.scan_local(); !done) return done.error();
  }
  for (const std::string& address : started->arguments) {
    if (const auto done = scanner.scan(address); !done) return done.error();
  }
  return scanner.end();
}

}  // namespace ballast::tools
