// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include "ballast/doc/tree.hpp"
#include "ballast/operators/input/diagnostics.hpp"
#include "ballast/tidb/model/names.hpp"
#include "ballast/tidb/model/spec.hpp"

#include <string>
#include <vector>

namespace ballast::tidb {

using operators::Diagnostics;

/// What a set's keys are read against.
struct SetContext {
  Component component = Component::Pd;
  bool values = false;              // nested resources, image without version
  const doc::Tree* root = nullptr;  // spec of the object, or the values: cluster-level keys
  std::string cluster;              // empty: not known
  NameStyle style;
  bool image_required =
      false;  // values files and the list form name it; the single form has a default
};

/// A set from its mapping, inheritance already resolved. Errors: E005, E007, E008, E009, E015.
SetSpec read_set(const doc::Tree& element, std::string name, std::string path,
                 const SetContext& context, Diagnostics& errors, std::vector<Remark>& remarks);

}  // namespace ballast::tidb
