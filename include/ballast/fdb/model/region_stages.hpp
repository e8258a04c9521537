// SPDX-License-Identifier: BSD-2-Clause
// In which stages the regions of a database change.
#pragma once

#include "ballast/fdb/model/spec.hpp"

namespace ballast::fdb {

/// The configuration that the operator asks for next on the way from `live` to `wanted`, both
/// normalised. A stage starts from the live configuration; what is not about regions comes with the
/// last one. The same as `wanted` once the regions are as wanted.
DatabaseConfiguration next_configuration(const DatabaseConfiguration& live,
                                         const DatabaseConfiguration& wanted);

}  // namespace ballast::fdb
