// SPDX-License-Identifier: BSD-2-Clause
// hbal --search: a better plan than the step-by-step one, and how the two compare.
#pragma once

#include "ballast/cli/options.hpp"
#include "ballast/core/value.hpp"
#include "ballast/ganeti/cli/balance/room_spec.hpp"
#include "ballast/ganeti/cli/options/output.hpp"
#include "ballast/ganeti/cli/options/settings.hpp"
#include "ballast/ganeti/cli/options/start.hpp"
#include "ballast/ganeti/search/improve/improve.hpp"
#include "ballast/ganeti/search/mend/mend.hpp"
#include "ballast/plan/plan.hpp"

#include <string>
#include <vector>

namespace ballast::ganeti::cli {

struct SearchWish {
  bool is_wanted = false;  ///< --search, or an option that only it knows
  ImproveOptions improve;
  bool explains_bound = false;                   ///< --explain-bound
  double stop_at_percent = 100;                  ///< of the default plan too
  std::optional<RoomSpec> room;                  ///< --make-room: nothing else is searched
  std::optional<StorageKey> only_storage;        ///< --only-storage: nothing else is searched
  std::optional<std::int64_t> max_seconds;       ///< --max-time, with --rate
  std::optional<std::int64_t> max_per_node_mib;  ///< --max-per-node
  std::vector<std::string> earlier_plans;        ///< --since
  std::optional<std::int64_t> keep_seconds;      ///< --keep
  bool repair = false;                           ///< --repair: nothing else is searched
  Thresholds only_above;                         ///< --only-above: nothing else is searched

  /// The score does not say whether there is anything to do.
  [[nodiscard]] bool has_other_aim() const {
    return room || only_storage || repair || !only_above.empty();
  }
};

/// The options of hbal that shape the search; `wish` must outlive the parsing.
std::vector<ballast::cli::Option> search_options(SearchWish& wish);

/// Those of them that are not at their defaults, by their long names.
Value shaping_options(const SearchWish& wish);

struct FoundPlan {
  BalanceResult result;
  std::string remark;  ///< lines after the summary: the comparison with the step-by-step plan, or
                       ///< where the instance fits; may be empty
  bool is_settled = false;  ///< nothing had to be searched: the remark says it all
  std::string heading = "Trying to minimize the CV...\n";
  std::vector<plan::CodedText> notes{};  ///< for the plan
  std::vector<plan::Blocked> blocked{};  ///< what could not be done
};

/// Searches and replays; a plan that breaks a rule is an error that shows nothing of it.
OrExit<FoundPlan> find_plan(const Snapshot& snapshot, const Part& part, const Settings& settings,
                            const SearchWish& wish, Output& output);

}  // namespace ballast::ganeti::cli
