// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include "ballast/doc/tree.hpp"

namespace ballast::doc {

/// `over` laid over `base` as a JSON merge patch (RFC 7386): mappings merge key by key, null
/// removes the key, everything else is replaced. Helm's -f files and kubectl patch --type merge do
/// the same.
Tree merged(const Tree& base, const Tree& over);

}  // namespace ballast::doc
