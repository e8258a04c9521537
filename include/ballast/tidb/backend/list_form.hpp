// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include "ballast/doc/tree.hpp"
#include "ballast/tidb/backend/documents.hpp"
#include "ballast/tidb/backend/spec_reader.hpp"

namespace ballast::tidb {

/// The TidbCluster object in list form that means the same as a values file or an object in another
/// form: `default` first, inheritance resolved, an image named in each element. Null where the side
/// cannot be read; see `errors`.
doc::Tree list_form(const Documents& side, const SpecOptions& options, Diagnostics& errors);

}  // namespace ballast::tidb
