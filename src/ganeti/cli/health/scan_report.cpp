// SPDX-License-Identifier: BSD-2-Clause
#include "ballast/ganeti/cli/health/scan_report.hpp"

#include "ballast/core/decimal.hpp"
#include "ballast/core/strings.hpp"
#include "ballast/core/words.hpp"
#include "ballast/ganeti/cli/health/health.hpp"
#include "ballast/ganeti/score/metrics.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace ballast::ganeti::cli {
namespace {

constexpr double kMib = 1024.0 * 1024.0;

/// Sizes of a document are whole bytes.
std::int64_t bytes_of(double mib) { return truncated(mib * kMib); }

/// JSON knows no infinity.
Value finite_or_null(double number) {
  if (!std::isfinite(number)) return {};
  return number;
}

}  // namespace

ScanFigures scan_figures(const Snapshot& snapshot) {
  const Cluster& cluster = snapshot.cluster;
  const Part whole = whole_part(cluster);
  const BadNodes bad = bad_nodes(cluster, snapshot.state, whole.nodes);
  ScanFigures figures;
  figures.nodes = cluster.nodes.size();
  figures.instances = cluster.instances.size();
  figures.bad_nodes = bad.nodes.size();
  figures.bad_instances = bad.instance_count;
  for (const NodeId id : whole.nodes) {
    figures.total_mem += cluster[id].total_mem;
    figures.free_mem += cluster[id].free_mem;
    figures.total_disk += cluster[id].total_disk;
    figures.free_disk += snapshot.state[id].free_disk;
  }
  figures.score = full_score(cluster, snapshot.state, whole.nodes);
  return figures;
}

std::string scan_heading(std::size_t width) {
  return fmt::format("{} {:>5} {:>5} {:>5} {:>5} {:>6} {:>6} {:>6} {:>6} {:>10}\n",
                     pad_right("Name", width), "Nodes", "Inst", "BNode", "BInst", "t_mem", "f_mem",
                     "t_disk", "f_disk", "Score");
}

std::string scan_row(std::string_view name, std::size_t width, const ScanFigures& figures) {
  constexpr unsigned kMibPerGib = 10;  // as a shift: rounds toward minus infinity
  return fmt::format("{} {:>5} {:>5} {:>5} {:>5} {:>6} {:>6} {:>6} {:>6} {}\n",
                     pad_right(name, width), figures.nodes, figures.instances, figures.bad_nodes,
                     figures.bad_instances, fixed(figures.total_mem, 0), figures.free_mem,
                     fixed(figures.total_disk / 1024, 0), figures.free_disk >> kMibPerGib,
                     fixed(figures.score, 8));
}

std::string scan_file_name(std::string_view name) {
  std::string file(name);
  // A password is no part of a name.
  if (const std::size_t hidden = file.find(":***@"); hidden != std::string::npos)
    file.erase(hidden, 4);
  std::replace(file.begin(), file.end(), '/', '_');
  return file + ".data";
}

ScanDocument::ScanDocument() {
  document_.tool = "hscan";
  document_.tables.push_back(
      {"clusters",
       {"name", "nodes", "instances", "bad_nodes", "bad_instances", "total_memory_bytes",
        "free_memory_bytes", "total_disk_bytes", "free_disk_bytes", "score", "file"},
       {}});
}

void ScanDocument::add(const std::string& name, const ScanFigures& figures,
                       const std::string& file) {
  ++read_;
  headlines_.push_back(
      fmt::format("{} has {} and {}, score {}", name, counted(figures.nodes, "node"),
                  counted(figures.instances, "instance"), fixed(figures.score, 8)));
  document_.tables.front().rows.push_back(
      {name, figures.nodes, figures.instances, figures.bad_nodes, figures.bad_instances,
       bytes_of(figures.total_mem), bytes_of(static_cast<double>(figures.free_mem)),
       bytes_of(figures.total_disk), bytes_of(static_cast<double>(figures.free_disk)),
       finite_or_null(figures.score), file});
}

void ScanDocument::add_failure(const std::string& name, const std::string& message) {
  ++failed_;
  report::Finding finding;
  finding.severity = report::Severity::Error;
  finding.code = "cluster-not-read";
  finding.text = message;
  finding.subject.set("cluster", name);
  document_.findings.push_back(std::move(finding));
}

void ScanDocument::add_unknown_disks(const std::string& name,
                                     const std::vector<std::string>& instances) {
  report::Finding finding;
  finding.severity = report::Severity::Warning;
  finding.code = "storage-unit-unknown";
  finding.text = unknown_disks_text(instances);
  finding.subject.set("cluster", name);
  finding.figures.set("instances", instances.size());
  document_.findings.push_back(std::move(finding));
}

std::string ScanDocument::rendered(ballast::cli::PlanFormat format) const {
  report::Document whole = document_;
  whole.summary.set("clusters_read", read_);
  whole.summary.set("clusters_failed", failed_);
  report::DocumentPage page;
  page.headline = counted(read_, "cluster") + " read";
  if (failed_ > 0) page.headline += fmt::format(", {} not", failed_);
  if (!headlines_.empty()) page.headline += ": " + join(headlines_, "; ");
  return ballast::cli::render_document(whole, page, format);
}

std::string unknown_disks_text(const std::vector<std::string>& instances) {
  return fmt::format("the storage units of {} cannot be told: {}",
                     counted(instances.size(), "instance"), join(instances, ", "));
}

}  // namespace ballast::ganeti::cli
