// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include "ballast/doc/tree.hpp"
#include "ballast/tidb/backend/documents.hpp"
#include "ballast/tidb/backend/spec_reader.hpp"

#include <string>
#include <utility>
#include <vector>

namespace ballast::tidb {

struct Stage {
  Component component = Component::Pd;
  std::string set;
  std::string name;  // "01-tikv-name-2"
  doc::Tree document;
};

/// The way from current to desired, one set after the other in `order`: each document is the
/// current one with the changes of all sets so far, in the desired side's form; the last is the
/// desired one. Values a set would inherit from a set whose turn came earlier are written into it
/// as they were. Cluster-level keys change with the last. Errors: E020 for groups and heterogeneous
/// clusters.
std::vector<Stage> make_stages(const Documents& current, const Documents& desired,
                               const SpecOptions& options,
                               const std::vector<std::pair<Component, std::string>>& order,
                               Diagnostics& errors);

/// What laid over `base` gives `wanted`; null removes a key.
doc::Tree overlay(const doc::Tree& base, const doc::Tree& wanted);

}  // namespace ballast::tidb
