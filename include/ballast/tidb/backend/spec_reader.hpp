// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include "ballast/operators/input/diagnostics.hpp"
#include "ballast/tidb/backend/documents.hpp"
#include "ballast/tidb/model/names.hpp"
#include "ballast/tidb/model/spec.hpp"

#include <optional>
#include <string>

namespace ballast::tidb {

/// What the command line adds to a specification.
struct SpecOptions {
  std::string cluster;      // --cluster: for values files
  std::string object_name;  // --name
  std::string ns;           // --namespace, where the file does not say
  NameStyle style;
  bool advanced_statefulset = false;  // delete slots count
};

/// One element of a component before it is read: its own mapping, inheritance resolved.
struct RawSet {
  Component component = Component::Pd;
  std::string name;
  std::string path;
  doc::Tree element;
  bool inherits_replicas = false;
  bool image_required = false;
  /// Hetero: the set's own document, and the StatefulSet's name.
  const doc::Tree* root = nullptr;
  std::string statefulset;
};

/// The sets of all components in file order with `default` first, every spelling resolved to one
/// shape. Errors: E001-E004, E006, E011-E013.
struct RawCluster {
  Form form = Form::Values;
  std::string name;
  std::string ns;
  const doc::Tree* root = nullptr;    // values, or spec of the main object
  const doc::Tree* object = nullptr;  // the main object; nullptr for values
  std::vector<RawSet> sets;
  std::array<bool, kComponentCount> given{};
};
RawCluster resolve_sets(const Documents& side, const SpecOptions& options, Diagnostics& errors,
                        std::vector<Remark>& remarks);

/// One side, read and validated. Everything that is wrong is in `errors`.
ClusterSpec read_spec(const Documents& side, const SpecOptions& options, Diagnostics& errors);

}  // namespace ballast::tidb
