// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include "ballast/kube/node.hpp"
#include "ballast/tidb/backend/load.hpp"

#include <tl/expected.hpp>

#include <string>
#include <vector>

namespace ballast::tidb {

/// The list form of a values file or a single-form object: every set with all of its fields,
/// `default` first.
tl::expected<std::string, std::vector<Diagnostic>> to_list_form(const Documents& side,
                                                                const LoadRequest& request);

}  // namespace ballast::tidb
