// SPDX-License-Identifier: BSD-2-Clause
// Rules of administrators that are broken.
#include <fmt/format.h>

#include <optional>

#include "ballast/core/decimal.hpp"
#include "ballast/ganeti/search/planning/rule_text.hpp"
#include "checks.hpp"

namespace ballast::ganeti::doctor {
namespace {

std::optional<double> price_of(const Cluster& cluster, const Breach& breach) {
  if (breach.rule < 0) return std::nullopt;
  return cluster.rules[breach.rule].price;
}

}  // namespace

void look_at_rules(const Patient& patient, Findings& findings) {
  for (const Part& part : patient.parts) {
    for (const Breach& breach : breaches_of(patient.cluster, patient.state, part)) {
      const auto price = price_of(patient.cluster, breach);
      Finding finding;
      finding.severity = price ? Severity::Note : Severity::Error;
      finding.code = price ? "rule-with-price-broken" : "rule-broken";
      finding.text = breach_text(patient.cluster, patient.state, breach);
      if (price) {
        finding.text += fmt::format(" (a price of {} for each)", shown(*price));
        finding.figures.set("price", *price);
      }
      const auto names = names_of(patient.cluster, breach.instances);
      if (!names.empty()) finding.subject.set("instances", text_list(names));
      if (!breach.node.is_none()) finding.subject.set("node", patient.cluster[breach.node].name);
      finding.figures.set("instances", names.size());
      finding.action =
          price ? "hbal, with the same rules, mends it where that is worth the price"
                : "hbal --repair, with the same rules, mends it or says what stands in the way";
      findings.push_back(std::move(finding));
    }
  }
}

}  // namespace ballast::ganeti::doctor
