// SPDX-License-Identifier: BSD-2-Clause
// Small Ganeti clusters for tests, written in the text format.
#pragma once

#include <stdexcept>
#include <string>
#include <utility>

#include "ballast/ganeti/backend/text/text.hpp"
#include "ballast/ganeti/loading/pipeline.hpp"

namespace ballast::ganeti::test {

struct ClusterText {
  std::string groups = "g|uuid-g|preferred||\n";
  std::string nodes;
  std::string instances;
  std::string tags;
  std::string policies;

  [[nodiscard]] std::string text() const {
    return groups + "\n" + nodes + "\n" + instances + "\n" + tags + "\n" + policies;
  }
};

/// Reads and runs the pipeline; a failure is an exception, so that tests need not look.
inline Snapshot load(const std::string& text, const PipelineOptions& options = {}) {
  auto snapshot = read_text(text, "test.data", {options.ignore_storage});
  if (!snapshot) throw std::runtime_error(to_string(snapshot.error()));
  const auto warnings = run_pipeline(*snapshot, options);
  if (!warnings) throw std::runtime_error(to_string(warnings.error()));
  return std::move(*snapshot);
}

inline Snapshot load(const ClusterText& text, const PipelineOptions& options = {}) {
  return load(text.text(), options);
}

template <class Named>
std::size_t index_of(const std::vector<Named>& all, const std::string& name) {
  for (std::size_t i = 0; i < all.size(); ++i) {
    if (all[i].name == name) return i;
  }
  throw std::runtime_error("no " + name);
}

inline NodeId node(const Snapshot& snapshot, const std::string& name) {
  return NodeId(index_of(snapshot.cluster.nodes, name));
}
inline InstanceId instance(const Snapshot& snapshot, const std::string& name) {
  return InstanceId(index_of(snapshot.cluster.instances, name));
}

}  // namespace ballast::ganeti::test
