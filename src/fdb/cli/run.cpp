// SPDX-License-Identifier: BSD-2-Clause
#include "ballast/fdb/cli/run.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <optional>
#include <tuple>
#include <utility>

#include "ballast/fdb/cli/present.hpp"
#include "ballast/fdb/cli/settings.hpp"
#include "ballast/report/plan_json.hpp"

namespace ballast::fdb {
namespace {

using Present = Answer (*)(const Loaded&, const Settings&, cli::Streams&);

Answer plan_as_wished(const Loaded& loaded, const Settings& settings, cli::Streams& streams) {
  return present_plan(loaded, loaded.desired, settings, {}, streams);
}

constexpr std::array<std::pair<std::string_view, Present>, 6> kSubcommands{
    {{"plan", plan_as_wished},
     {"groups", present_groups},
     {"analyze", present_analysis},
     {"spread", present_spread},
     {"drain", present_drain},
     {"fix-addresses", present_fixed_addresses}}};

/// "plan, groups, ... or drain".
std::string subcommand_names(std::string_view last_word) {
  std::string names;
  for (std::size_t i = 0; i < kSubcommands.size(); ++i) {
    const bool is_last = i + 1 == kSubcommands.size();
    names += i == 0 ? "" : is_last ? last_word : ", ";
    names += kSubcommands[i].first;
  }
  return names;
}

Finding wrong_usage(std::string message) { return {{}, "F018", "", std::move(message)}; }

Time system_clock() {
  return std::chrono::duration_cast<std::chrono::seconds>(
             std::chrono::system_clock::now().time_since_epoch())
      .count();
}

class Run {
 public:
  Run(const cli::Invocation& invocation, cli::Streams& streams)
      : words_(invocation.words), streams_(streams) {}

  int run() {
    const auto table = option_table(settings_);
    const auto parsed = cli::parse_command_line(usage(), table, words_);
    if (!parsed) {
      if (cli::is_given(table, words_, "json")) settings_.format = Format::Json;
      return refuse({wrong_usage(cli::complaint_of(parsed.error().message, "hfdb"))});
    }
    switch (parsed->wish) {
      case cli::ParsedLine::Wish::Help:
        streams_.out(cli::help_text(usage(), table, parsed->command));
        return cli::kDone;
      case cli::ParsedLine::Wish::Version:
        streams_.out(cli::version_text("hfdb"));
        return cli::kDone;
      case cli::ParsedLine::Wish::Completion:
        streams_.out(cli::completion_text(usage(), table, "", parsed->command));
        return cli::kDone;
      case cli::ParsedLine::Wish::Run:
        break;
    }
    if (!settings_.output.empty()) streams_.write_to(settings_.output);
    return command(parsed->arguments);
  }

 private:
  int command(const std::vector<std::string>& arguments) {
    const std::string word = arguments.empty() ? "" : arguments.front();
    const auto* const found =
        std::ranges::find(kSubcommands, word, &std::pair<std::string_view, Present>::first);
    if (arguments.empty())
      return refuse({wrong_usage("one of the words " + subcommand_names(", ") + " was expected")});
    if (found == kSubcommands.end()) {
      return refuse({wrong_usage(fmt::format("unknown subcommand {}: {} was expected", quoted(word),
                                             subcommand_names(" or ")))});
    }
    if (arguments.size() > 1) {
      return refuse({wrong_usage(fmt::format(
          "{} was not expected: files are given by --current and --desired, one word is the "
          "subcommand",
          quoted(arguments[1])))});
    }
    if (settings_.load.current.empty())
      return refuse(
          {{{}, "F017", "--current", "missing: expected the file with the FoundationDBCluster"}});
    if (auto wrong = wrong_options(word)) return refuse({std::move(*wrong)});
    for (const auto* more : {&settings_.nodes, &settings_.volumes}) {
      settings_.load.kube.insert(settings_.load.kube.end(), more->begin(), more->end());
    }
    settings_.load.clock = system_clock();
    if (!settings_.peers.empty()) return plan_objects();
    const auto loaded = load(settings_.load);
    if (!loaded) return refuse(loaded.error());
    const Answer answer = found->second(*loaded, settings_, streams_);
    if (!answer) return refuse(answer.error());
    note(loaded->snapshot);
    return *answer;
  }

  /// Several objects of one database.
  int plan_objects() {
    const auto objects = load_together(settings_);
    if (!objects) return refuse(objects.error());
    const Answer answer = present_plan_together(*objects, settings_, streams_);
    if (!answer) return refuse(answer.error());
    for (const Loaded& loaded : *objects) note(loaded.snapshot);
    return *answer;
  }

  [[nodiscard]] std::optional<Finding> wrong_options(std::string_view word) const {
    if (word == "spread" && !settings_.domains)
      return Finding{{}, "F017", "--domains", "missing: expected the number of fault domains"};
    if (word == "drain" && settings_.drain.is_empty()) {
      return wrong_usage("expected --node, --zone, --class, --condition or --node-label");
    }
    return std::nullopt;
  }

  int refuse(const std::vector<Finding>& findings) {
    std::string all;
    for (const Finding& finding : findings) {
      const std::string line = to_string(finding);
      streams_.err(fmt::format("hfdb: {}\n", line));
      all += (all.empty() ? "" : "\n") + line;
    }
    if (settings_.is_json()) {
      streams_.out(report::error_to_json(Error{all, findings.front().place, Fault::Input}, "hfdb",
                                         cli::kFailed));
    }
    return cli::kFailed;
  }

  /// What was read under another name or kept without being understood.
  void note(const Cluster& cluster) {
    for (const Remark& remark : cluster.notes)
      streams_.err(fmt::format("hfdb: note: {}: {}\n", remark.code, remark.text));
  }

  const std::vector<std::string>& words_;
  cli::Streams& streams_;
  Settings settings_;
};

}  // namespace

int run(const cli::Invocation& invocation, cli::Streams& streams) {
  return Run(invocation, streams).run();
}

}  // namespace ballast::fdb
