// SPDX-License-Identifier: BSD-2-Clause
#include "ballast/operators/cli/common_settings.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <iterator>
#include <utility>

#include "ballast/cli/option_makers.hpp"
#include "ballast/cli/values.hpp"
#include "ballast/kube/object.hpp"

namespace ballast::operators {
namespace {

using cli::Option;

constexpr std::int64_t kLatestTime = 253402300799;  // the last second with a year of four digits
constexpr std::int64_t kMost = 1'000'000;

Option files_option(std::string name, std::string help, std::vector<std::string>& into) {
  return cli::list_option(std::move(name), "FILE", "file", std::move(help), into);
}

Status read_time(std::string_view given, std::optional<std::int64_t>& into) {
  const auto seconds = cli::parse_integer(given, 0, kLatestTime);
  into = seconds ? std::optional(*seconds) : kube::parse_time(given);
  if (into) return {};
  return fail(fmt::format("{}: expected RFC 3339 or Unix seconds", quoted(given)));
}

}  // namespace

std::vector<Option> input_options(CommonSettings& s, const InputHelp& help) {
  return {
      files_option("current", help.current, s.current),
      files_option("desired", help.desired, s.desired),
      cli::list_option("set", "PATH=VALUE", "none", "change the wished specification; repeatable",
                       s.sets),
      files_option("kube", fmt::format("output of kubectl get {} -o json; repeatable", help.kube),
                   s.kube),
      files_option("nodes", "output of kubectl get nodes -o json" + help.nodes, s.nodes),
      files_option("pvs", "output of kubectl get pv -o json", s.volumes)};
}

std::vector<Option> selection_options(CommonSettings& s) {
  return {
      cli::text_option("name", "NAME", "none", "which object, where a file holds several", s.name),
      cli::text_option("namespace", "NS", "none",
                       "which namespace, where a file holds several or says none", s.name_space),
      cli::value_option("now", "TIME", "none", "the present time, RFC 3339 or Unix seconds",
                        [&s](std::string_view given) { return read_time(given, s.now); })};
}

std::vector<Option> rule_options(CommonSettings& s) {
  return {cli::flag_option("assume-healthy", "blocks that may pass by themselves become waits",
                           [&s] { s.assume_healthy = true; }),
          cli::flag_option("allow-unsafe", "refusals of the planner alone become warnings",
                           [&s] { s.allow_unsafe = true; })};
}

std::vector<Option> time_options(CommonSettings& s) {
  return {cli::positive_option("rate", "MIB", "MiB/s of one transfer, for estimates of time",
                               s.rate_mib),
          cli::integer_option("parallel", "N", "how many transfers run at once (default 1)", 1,
                              kMost, [&s](std::int64_t n) { s.parallel = n; })};
}

std::vector<Option> output_options(CommonSettings& s, const std::vector<std::string>& planning,
                                   std::string verbose_help) {
  std::vector<Option> options = cli::format_options(s.format);
  options.push_back(cli::text_option("output", "FILE", "file",
                                     "write to FILE in place of standard output", s.output));
  options.push_back(cli::only_for(
      planning,
      cli::text_option("report", "FILE.html", "file", "also write an HTML report", s.report)));
  std::ranges::move(cli::plan_file_options(s.files), std::back_inserter(options));
  options.push_back(cli::choice_option(
      "color", {"auto", "always", "never"}, "colour of the text form (default auto)",
      [&s](std::size_t i) { s.colour = i == 0 ? std::nullopt : std::optional(i == 1); }));
  options.push_back(cli::flag_option("verbose", std::move(verbose_help), [&s] { ++s.verbosity; }));
  options.back().letter = 'v';
  options.push_back(cli::flag_option("detailed-exit-code",
                                     "exit 2 when there are steps and none is blocked",
                                     [&s] { s.detailed_exit_code = true; }));
  return options;
}

std::vector<Option> common_options(CommonSettings& s, const InputHelp& help,
                                   const std::vector<std::string>& planning) {
  std::vector<Option> inputs = input_options(s, help);
  std::ranges::move(selection_options(s), std::back_inserter(inputs));
  std::vector<Option> rules = rule_options(s);
  std::ranges::move(time_options(s), std::back_inserter(rules));
  return cli::option_groups({{"What there is, and what is wished", std::move(inputs)},
                             {"Rules", std::move(rules)},
                             {"Output", output_options(s, planning)}});
}

std::int64_t system_clock() {
  const auto now = std::chrono::system_clock::now().time_since_epoch();
  return std::chrono::duration_cast<std::chrono::seconds>(now).count();
}

void record(Value& options, std::string_view key, const std::string& text) {
  if (!text.empty()) options.set(key, text);
}

void record(Value& options, std::string_view key, const std::vector<std::string>& texts,
            bool one_alone) {
  if (texts.empty()) return;
  if (one_alone && texts.size() == 1) {
    options.set(key, texts.front());
  } else {
    options.set(key, text_list(texts));
  }
}

Value recorded(const CommonSettings& settings) {
  Value options = Value::map();
  record_selection(options, settings);
  record(options, "set", settings.sets);
  if (settings.assume_healthy) options.set("assume_healthy", true);
  if (settings.allow_unsafe) options.set("allow_unsafe", true);
  return options;
}

void record_selection(Value& options, const CommonSettings& settings) {
  record(options, "name", settings.name);
  record(options, "namespace", settings.name_space);
}

}  // namespace ballast::operators
