// SPDX-License-Identifier: BSD-2-Clause
#include "ballast/report/document_page.hpp"
#include "ballast/report/words.hpp"

#include <fmt/format.h>

namespace ballast::report {

std::string document_to_brief(const Document& document, const DocumentPage& page) {
  std::string text = one_line(page.headline) + "\n";
  for (const Finding& finding : document.findings) {
    text += fmt::format("{}: {} [{}]\n", severity_word(finding.severity), one_line(finding.text),
                        finding.code);
  }
  return text;
}

}  // namespace ballast::report
