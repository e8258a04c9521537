// SPDX-License-Identifier: BSD-2-Clause
// The options that every planner of an operator takes, declared once.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "ballast/cli/options.hpp"
#include "ballast/cli/plan_files.hpp"
#include "ballast/cli/plan_output.hpp"

namespace ballast::operators {

struct CommonSettings {
  std::vector<std::string> current;  ///< files
  std::vector<std::string> desired;  ///< files
  std::vector<std::string> sets;     ///< PATH=VALUE
  std::vector<std::string> kube;     ///< files
  std::vector<std::string> nodes;    ///< files
  std::vector<std::string> volumes;  ///< files
  std::string name;
  std::string name_space;
  std::optional<std::int64_t> now;  ///< seconds since the epoch
  bool assume_healthy = false;
  bool allow_unsafe = false;
  std::optional<double> rate_mib;  ///< MiB/s of one transfer
  std::int64_t parallel = 1;       ///< transfers at a time
  cli::PlanFormat format = cli::PlanFormat::Text;
  std::string output;  ///< a file in place of standard output; empty: none
  std::string report;  ///< a file; empty: none
  cli::PlanFiles files;
  std::optional<bool> colour;  ///< nothing: where the terminal can
  int verbosity = 0;
  bool detailed_exit_code = false;

  [[nodiscard]] bool is_json() const { return format == cli::PlanFormat::Json; }
};

/// The sentences of --help that differ from planner to planner.
struct InputHelp {
  std::string current;
  std::string desired;
  std::string kube;     ///< "pods,pvc,svc": what kubectl is asked for
  std::string nodes{};  ///< behind "output of kubectl get nodes -o json"; may be empty
};

// `settings` must outlive the tables.

/// --current, --desired, --set, --kube, --nodes, --pvs.
std::vector<cli::Option> input_options(CommonSettings& settings, const InputHelp& help);
/// --name, --namespace, --now.
std::vector<cli::Option> selection_options(CommonSettings& settings);
/// --assume-healthy, --allow-unsafe.
std::vector<cli::Option> rule_options(CommonSettings& settings);
/// --rate, --parallel.
std::vector<cli::Option> time_options(CommonSettings& settings);
/// --format, --json, --output, --report, --save-plan, --metrics, --quiet-if-nothing, --color,
/// --verbose, --detailed-exit-code. `planning`: the subcommands whose answer is a plan.
std::vector<cli::Option> output_options(CommonSettings& settings,
                                        const std::vector<std::string>& planning,
                                        std::string verbose_help = "say more on standard error");

/// All of these under their headings: for a planner that needs no others.
std::vector<cli::Option> common_options(CommonSettings& settings, const InputHelp& help,
                                        const std::vector<std::string>& planning);

/// The clock of this machine, in seconds since the epoch.
std::int64_t system_clock();

// How options go into the record of a plan (plan::Plan::options), from where the planner is asked
// again. Nothing is recorded of what was not given.
void record(Value& options, std::string_view key, const std::string& text);
/// As a list, or alone where there is one and `one_alone`.
void record(Value& options, std::string_view key, const std::vector<std::string>& texts,
            bool one_alone = false);
/// What all planners share: name, namespace, set, assume_healthy, allow_unsafe.
Value recorded(const CommonSettings& settings);
/// name, namespace.
void record_selection(Value& options, const CommonSettings& settings);

}  // namespace ballast::operators
