// SPDX-License-Identifier: BSD-2-Clause
// Figures for Prometheus: its text form, for the textfile collector of the node exporter.
#pragma once

#include "ballast/core/result.hpp"
#include "ballast/plan/plan.hpp"
#include "ballast/report/document.hpp"

#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace ballast::report {

using Labels = std::vector<std::pair<std::string, std::string>>;

/// All are gauges: a file tells what was found in one run. Samples of one name stand together, in
/// the order of first appearance.
class Metrics {
 public:
  /// `name` without the prefix "ballast_"; `help` is one sentence without a period.
  void add(std::string_view name, std::string_view help, Labels labels, double value);
  [[nodiscard]] std::string text() const;

 private:
  struct Family {
    std::string name;
    std::string help;
    std::vector<std::pair<Labels, double>> samples;
  };
  std::vector<Family> families_;
};

/// Score now and reachable and its metrics, steps and bytes wanted, what stays undone, warnings by
/// code, and per node (unit, domain, set) what is used and free.
void add_plan(const plan::Plan& plan, Metrics& metrics);
/// The summary's numbers, findings by code and severity, the numbers of the tables with the texts
/// of their rows as labels.
void add_document(const Document& document, Metrics& metrics);

/// Written beside its final name and renamed.
Status write_plan_metrics(const plan::Plan& plan, const std::string& file);
Status write_document_metrics(const Document& document, const std::string& file);

}  // namespace ballast::report
