// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include "ballast/tidb/model/spec.hpp"
#include "ballast/tidb/search/basis/outcome.hpp"

#include <vector>

namespace ballast::tidb {

/// What a new template changes, with old and new values: the fields of restart_fields(), a text of
/// several lines by its lines. Paths are those of the wished set's document in this form.
std::vector<plan::Change> template_changes(const SetSpec& now, const SetSpec& wished, Form form);

/// The same for configuration that changes in place.
std::vector<plan::Change> config_changes(const SetSpec& now, const SetSpec& wished, Form form);

}  // namespace ballast::tidb
