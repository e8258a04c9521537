// SPDX-License-Identifier: BSD-2-Clause
// What hscan says of the clusters that it read.
#pragma once

#include "ballast/cli/plan_output.hpp"
#include "ballast/ganeti/model/snapshot.hpp"
#include "ballast/report/document.hpp"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace ballast::ganeti::cli {

/// One cluster's figures; memory and disk in MiB, summed over all nodes.
struct ScanFigures {
  std::size_t nodes = 0;
  std::size_t instances = 0;
  std::size_t bad_nodes = 0;      ///< online, not N+1 happy
  std::size_t bad_instances = 0;  ///< on them
  double total_mem = 0;
  std::int64_t free_mem = 0;
  double total_disk = 0;
  std::int64_t free_disk = 0;
  double score = 0;
};
/// The pipeline has run on the snapshot.
ScanFigures scan_figures(const Snapshot& snapshot);

/// Names are padded to `width`.
std::string scan_heading(std::size_t width);
std::string scan_row(std::string_view name, std::size_t width, const ScanFigures& figures);

/// The cluster's name with what no file name can hold replaced, and ".data".
std::string scan_file_name(std::string_view name);

/// The document of hscan, cluster by cluster.
class ScanDocument {
 public:
  ScanDocument();
  void add(const std::string& name, const ScanFigures& figures, const std::string& file);
  void add_failure(const std::string& name, const std::string& message);
  void add_unknown_disks(const std::string& name, const std::vector<std::string>& instances);
  /// In a form other than text: the headline names each cluster.
  [[nodiscard]] std::string rendered(ballast::cli::PlanFormat format) const;

 private:
  report::Document document_;
  std::vector<std::string> headlines_;  ///< of the clusters that were read
  std::int64_t read_ = 0;
  std::int64_t failed_ = 0;
};

/// "the storage units of 2 instances cannot be told: a, b"
std::string unknown_disks_text(const std::vector<std::string>& instances);

}  // namespace ballast::ganeti::cli
