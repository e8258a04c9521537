// SPDX-License-Identifier: BSD-2-Clause
// Rules of administrators that are broken.
#include "ballast/ganeti/search/planning/rule_text.hpp"
#include "checks.hpp"

namespace ballast::ganeti::doctor {

void look_at_rules(const Patient& patient, Findings& findings) {
  for (const Part& part : patient.parts) {
    for (const Breach& breach : breaches_of(patient.cluster, patient.state, part)) {
      Finding finding;
      finding.severity = Severity::Error;
      finding.code = "rule-broken";
      finding.text = breach_text(patient.cluster, patient.state, breach);
      const auto names = names_of(patient.cluster, breach.instances);
      if (!names.empty()) finding.subject.set("instances", text_list(names));
      if (!breach.node.is_none()) finding.subject.set("node", patient.cluster[breach.node].name);
      finding.figures.set("instances", names.size());
      finding.action =
          "hbal --repair, with the same rules, mends it or says what stands in the way";
      findings.push_back(std::move(finding));
    }
  }
}

}  // namespace ballast::ganeti::doctor
