// SPDX-License-Identifier: BSD-2-Clause
#include <fmt/format.h>
#include <fmt/ranges.h>

#include "ballast/core/table.hpp"
#include "ballast/core/units.hpp"
#include "ballast/fdb/cli/drain_report.hpp"

namespace ballast::fdb {
namespace {

std::string step_text(const std::optional<int>& step, bool is_done) {
  if (step) return fmt::format("step {}", *step);
  return is_done ? "already" : "never";
}

std::string without_trailing_blanks(const std::string& text) {
  std::string result;
  for (const char c : text) {
    if (c == '\n') {
      while (result.ends_with(' ')) result.pop_back();
    }
    result += c;
  }
  return result;
}

}  // namespace

std::string drain_to_text(const Drain& drain) {
  using Align = TextTable::Align;
  std::vector<std::vector<std::string>> rows;
  for (const DrainedGroup& group : drain.groups) {
    const bool holds_data = group.process_class == ProcessClass::Storage;
    rows.push_back({group.id, std::string(name(group.process_class)),
                    group.zone.empty() ? "?" : group.zone,
                    holds_data ? group.stored_bytes ? size_text(*group.stored_bytes) : "?" : "-",
                    step_text(group.excluded_at, group.is_leaving_already),
                    step_text(group.removed_at, false)});
  }
  const TextTable table{{{"group", Align::Left},
                         {"class", Align::Left},
                         {"zone", Align::Left},
                         {"data", Align::Right},
                         {"excluded", Align::Left},
                         {"removed", Align::Left}},
                        rows};
  std::string text = without_trailing_blanks(table.render(" "));
  for (const plan::CodedText& note : drain_notes(drain)) text += "  " + note.text + "\n";
  return text;
}

std::vector<plan::CodedText> drain_notes(const Drain& drain) {
  if (drain.weak_moments.empty()) {
    return {{"fault-tolerance",
             fmt::format("the fault tolerance of {} holds at every moment: data leaves each group "
                         "before its pod does",
                         drain.fault_tolerance)}};
  }
  std::vector<plan::CodedText> notes;
  for (const WeakMoment& moment : drain.weak_moments) {
    const std::string when =
        moment.step == 0 ? "before the first step" : fmt::format("after step {}", moment.step);
    notes.push_back(
        {"weak-moment",
         fmt::format("{}: {} down with data, {} zone{}: {}", when, fmt::join(moment.groups, ", "),
                     moment.zones, moment.zones == 1 ? "" : "s",
                     moment.more_may_fail < 0
                         ? std::string("the fault tolerance is exceeded")
                         : fmt::format("{} more may fail", moment.more_may_fail))});
  }
  return notes;
}

}  // namespace ballast::fdb
