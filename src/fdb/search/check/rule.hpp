// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "ballast/fdb/search/check/second_opinion.hpp"
#include "ballast/plan/replay.hpp"

namespace ballast::fdb {

/// What must never happen, held against each step of a trace. A broken rule does not end it: the
/// steps that follow are judged as if that one had been made.
class Rule : public plan::StateOf<TraceStep> {
 public:
  explicit Rule(const Evidence& evidence) : evidence_(evidence) {}

  std::optional<plan::Problem> apply(const TraceStep& step) final;

 protected:
  virtual void take(const TraceStep& step) = 0;
  void complain(std::string what) { complaints_.push_back(std::move(what)); }

  const Evidence& evidence_;

 private:
  std::vector<std::string> complaints_;
};

/// "step 3: ..." of each step at which the rule is broken.
void hold(Rule&& rule, const Evidence& evidence, std::vector<std::string>& problems);

/// Of a group of the snapshot, or of one that the plan adds, by its ID.
std::optional<ProcessClass> class_of(const Evidence& evidence, const std::string& id);

/// Whether gates of the database are asked at all.
inline bool is_guarded(const Evidence& evidence) {
  return evidence.options.profile != Profile::Seed;
}

}  // namespace ballast::fdb
