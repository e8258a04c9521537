// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include "ballast/operators/input/diagnostics.hpp"
#include "ballast/tidb/backend/documents.hpp"
#include "ballast/tidb/backend/spec_reader.hpp"
#include "ballast/tidb/model/spec.hpp"

namespace ballast::tidb {

/// A Cluster and its groups (operator v2), each group as a set of its component. The StatefulSet
/// name of a set is the prefix of its instances' names, "GROUP-COMPONENT". Errors: E001, E002,
/// E004, E007-E010.
ClusterSpec read_groups(const Documents& side, const SpecOptions& options, Diagnostics& errors);

}  // namespace ballast::tidb
