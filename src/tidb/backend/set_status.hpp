// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include "ballast/tidb/model/live.hpp"
#include "ballast/tidb/model/names.hpp"
#include "ballast/tidb/model/spec.hpp"
#include "status_reader.hpp"

#include <vector>

namespace ballast::tidb {

/// What the operator wrote about one set: matched by name or revision, else by position where the
/// lists are equally long, else not at all (nullptr, with a remark where there is a list).
const SetStatus* status_of(const ComponentStatus& status, const std::vector<SetSpec>& listed,
                           const LiveSet& set, std::vector<Remark>& remarks);

}  // namespace ballast::tidb
