// SPDX-License-Identifier: BSD-2-Clause
#include "ballast/ganeti/cli/health/doctor_report.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "ballast/core/words.hpp"
#include "ballast/report/document.hpp"

namespace ballast::ganeti::cli {
namespace {

std::string counts_text(std::span<const Finding> findings) {
  std::string text;
  for (const Severity severity : {Severity::Error, Severity::Warning, Severity::Note}) {
    const auto count =
        std::count_if(findings.begin(), findings.end(),
                      [severity](const Finding& f) { return f.severity == severity; });
    if (count == 0) continue;
    text += fmt::format("{}{}", text.empty() ? "" : ", ",
                        counted(count, report::severity_word(severity)));
  }
  return text;
}

}  // namespace

std::string doctor_text(std::span<const Finding> findings) {
  if (findings.empty()) return "\nDoctor: nothing found.\n";
  std::string text = fmt::format("\nDoctor: {}\n", counts_text(findings));
  for (const Severity severity : {Severity::Error, Severity::Warning, Severity::Note}) {
    for (const Finding& finding : findings) {
      if (finding.severity != severity) continue;
      text +=
          fmt::format("{}: {} [{}]\n", report::severity_word(severity), finding.text, finding.code);
      if (!finding.action.empty()) text += fmt::format("    -> {}\n", finding.action);
    }
  }
  return text;
}

}  // namespace ballast::ganeti::cli
