// SPDX-License-Identifier: BSD-2-Clause
// What the command lines of the Ganeti tools can say: one record for all of them, each tool fills
// and reads its share.
#pragma once

#include "ballast/cli/plan_output.hpp"
#include "ballast/ganeti/loading/pipeline.hpp"
#include "ballast/ganeti/search/balance/balance.hpp"
#include "ballast/ganeti/search/capacity/capacity.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace ballast::ganeti::cli {

/// Where the snapshot comes from. Absent: not given; an empty RAPI address counts as not given (as
/// in the reference).
struct SourceSettings {
  std::optional<std::string> text_file;
  std::string rapi_address;
  std::optional<std::string> luxi_socket;  ///< empty: the default socket
  std::optional<std::string> allocator_file;
  std::vector<std::string> simulated;  ///< in the order of the command line
  std::string rapi_ca_file;            ///< empty: certificates are not verified
  bool rapi_any_host_name = false;
  std::optional<std::string> rapi_user_file;       ///< "USER PASSWORD"
  std::int64_t timeout_seconds = 60;               ///< of each answer from a network or socket
  std::int64_t most_answer_bytes = 1'000'000'000;  ///< of each answer, likewise
  bool query_storage = false;                      ///< hscan: storage units by query jobs
};

/// What is added to the snapshot while it is loaded.
struct LoadSettings {
  std::optional<std::string> utilisation_file;
  std::vector<std::string> more_utilisation_files;  ///< after the first, in order
  bool worst_utilisation = false;  ///< the largest of several figures counts, not their mean
  bool counts_once =
      false;  ///< allocator documents: an answer of our own, though not by an option here
  bool ignore_dynamic = false;
  bool monitoring = false;
  std::optional<std::string> monitoring_file;
  bool monitoring_must_be_complete = false;
  bool monitoring_xen = false;
  std::vector<std::string> exclusion_prefixes;
  std::vector<std::string> selected_instances;
  std::vector<std::string> excluded_instances;
  std::int64_t static_kvm_memory = 4096;
  std::vector<StorageKey> default_storage;
  bool ignore_storage = false;
  bool state_of_record = false;  ///< memory by records, not as instances run
  bool corrected_n1 = false;     ///< N+1 from the first by the figures that moves go by
};

/// What changes the loaded snapshot before anything is computed.
struct LimitSettings {
  std::vector<std::string> offline_nodes;
  std::optional<double> max_cpu;
  double min_disk = 0;
  std::vector<Reserve> reserves;
  std::vector<RuleSpec> rules;           ///< of the command line
  std::vector<std::string> rule_files;   ///< in the order of the command line
  std::vector<std::string> added_nodes;  ///< GROUP,COUNT,DISK,MEMORY,CPUS[,SPINDLES]
};

struct OutputSettings {
  int verbosity = 1;
  std::optional<std::vector<std::string>> node_fields;  ///< absent: no node listing
  bool print_instances = false;
  bool no_headers = false;
  std::optional<std::string> commands_file;  ///< empty or "-": standard output
  std::optional<std::string> save_file;
  bool machine_readable = false;
  ballast::cli::PlanFormat format = ballast::cli::PlanFormat::Text;
  std::optional<std::string> output_file;  ///< in place of standard output
  bool detailed_exit_code = false;
  std::optional<std::string> report_file;
  std::optional<std::string> plan_file;     ///< the plan as JSON, whatever is printed
  std::optional<std::string> metrics_file;  ///< for Prometheus
  bool quiet_if_nothing = false;            ///< say nothing where there is nothing to do
  std::optional<double> rate_mib;           ///< MiB/s of one transfer, for time estimates
  std::int64_t parallel = 1;                ///< transfers at a time

  [[nodiscard]] bool is_json() const { return format == ballast::cli::PlanFormat::Json; }
  /// A form for people other than the tool's own text is made, printed or written to a file: it
  /// needs a headline.
  [[nodiscard]] bool wants_page() const {
    return report_file.has_value() || (format != ballast::cli::PlanFormat::Text && !is_json());
  }
};

/// Options of single tools that only set a flag, a number or a text.
struct ToolSettings {
  std::optional<std::string> group;
  bool execute = false;
  bool first_job_group = false;
  std::string reason;
  std::string priority;  ///< "low", "normal", "high"; empty: not given
  std::optional<std::string> explained_instance;

  bool ignore_all_soft_errors = false;  ///< --ignore-soft-errors=all
  bool always_answer = false;
  bool evacuate_in_place = false;
  bool explain = false;

  bool capacity_checks = true;
  bool independent_groups = false;
  bool accept_existing_errors = false;
  bool thorough = false;
  bool no_worse = false;
  bool no_simulation = false;
  bool doctor = false;
  std::vector<std::string>
      what_if;  ///< what is gone: "node=NAME", "group=NAME", "unit=TYPE/KEY@NODE"
  std::optional<DiskTemplate> disk_template;
  std::optional<std::int64_t> spindle_use;
  std::optional<InstanceSize> standard_size;
  std::optional<InstanceSize> tiered_size;
  std::optional<std::vector<std::string>> allocation_nodes;

  bool offline_maintenance = false;
  std::optional<std::vector<std::string>> node_tags;
  bool print_moves = false;
  bool full_evacuation = false;
  bool skip_non_redundant = false;
  bool ignore_non_redundant = false;
  bool one_step_only = false;
  bool shared_is_movable = false;  ///< hroller: what runs on shared storage leaves no node unready
  bool forecast = false;           ///< hspace: the arguments are snapshots, the oldest first
  std::vector<std::string> dates{};  ///< of these snapshots; empty: from their names
  bool force = false;

  double minimal_resources = 2.0;
  double target_resources = 2.0;
  std::string output_folder = ".";
};

struct Settings {
  SourceSettings source;
  LoadSettings load;
  LimitSettings limits;
  OutputSettings output;
  BalanceOptions balance;
  ToolSettings tool;
};

}  // namespace ballast::ganeti::cli
