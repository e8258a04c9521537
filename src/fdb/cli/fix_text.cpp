// SPDX-License-Identifier: BSD-2-Clause
#include <fmt/format.h>

#include "analysis_report.hpp"
#include "ballast/core/words.hpp"

namespace ballast::fdb {
namespace {

constexpr std::size_t kTold = 4;  ///< commands of a step; the form shell has all

std::string coordinator_text(const FixedCoordinator& row) {
  if (row.group.empty()) return row.before + " is of no group of this object and stays as it is";
  if (row.before == row.after) return fmt::format("{} is {} still", row.before, row.group);
  return fmt::format("{} was {}, which is now {}", row.before, row.group, row.after);
}

}  // namespace

std::string fixed_addresses_to_text(const FixedAddresses& fixed) {
  std::string text = fmt::format("now  {}\n", fixed.before);
  if (!fixed.changes()) {
    text += "every coordinator is where the connection string says: there is nothing to set\n";
  } else {
    text += fmt::format("set  {}\n", fixed.after);
  }
  text += "\ncoordinators\n";
  for (const FixedCoordinator& row : fixed.coordinators)
    text += "  " + coordinator_text(row) + "\n";
  int number = 0;
  for (const plan::Remedy& step : fixed.steps) {
    text += fmt::format("\n{}. {}\n", ++number, step.text);
    for (std::size_t i = 0; i < step.commands.size() && i < kTold; ++i)
      text += "   " + step.commands[i] + "\n";
    if (step.commands.size() > kTold) {
      text += fmt::format("   and {} more pods in the same way (--format shell has all)\n",
                          step.commands.size() - kTold);
    }
  }
  return text;
}

std::string fixed_addresses_to_shell(const FixedAddresses& fixed) {
  std::string text = "#!/bin/sh\n";
  if (!fixed.changes()) return text + "echo 'nothing to do'\n";
  text += "# from " + fixed.before + "\n# to   " + fixed.after + "\nset -e\n";
  for (const plan::Remedy& step : fixed.steps) {
    text += "\n# " + step.text + "\n";
    for (const std::string& command : step.commands) text += command + "\n";
  }
  return text;
}

report::Document fixed_addresses_document(const FixedAddresses& fixed) {
  report::Document document;
  document.tool = "hfdb";
  document.options.set("subcommand", "fix-addresses");
  document.summary.set("connection_string", fixed.before)
      .set("connection_string_to_set", fixed.after)
      .set("changes", fixed.changes());
  report::DataTable coordinators{"coordinators", {"before", "group", "after"}, {}};
  for (const FixedCoordinator& row : fixed.coordinators) {
    coordinators.rows.push_back(
        {row.before, row.group.empty() ? Value() : Value(row.group), row.after});
  }
  report::DataTable commands{"commands", {"step", "text", "command"}, {}};
  for (std::size_t i = 0; i < fixed.steps.size(); ++i) {
    for (const std::string& command : fixed.steps[i].commands)
      commands.rows.push_back({i + 1, fixed.steps[i].text, command});
  }
  document.tables = {std::move(coordinators), std::move(commands)};
  return document;
}

}  // namespace ballast::fdb
