// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include "ballast/doc/tree.hpp"
#include "ballast/report/document.hpp"
#include "ballast/tidb/backend/load.hpp"

#include <tl/expected.hpp>

#include <vector>

namespace ballast::tidb {

/// The list form of a values file or a single-form object: every set with all of its fields,
/// `default` first.
tl::expected<doc::Tree, std::vector<Diagnostic>> to_list_form(const Documents& side,
                                                              const LoadRequest& request);

/// The same as the document that --json prints: the object stands in the summary.
report::Document converted(const doc::Tree& object);

}  // namespace ballast::tidb
