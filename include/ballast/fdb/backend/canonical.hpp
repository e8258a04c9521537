// SPDX-License-Identifier: BSD-2-Clause
// Canonical texts of Kubernetes values, for comparing and for the hashes that the operator writes.
#pragma once

#include <map>
#include <string>
#include <string_view>

#include "ballast/doc/tree.hpp"

namespace ballast::fdb {

/// Compact JSON with sorted keys; quantities below `resources` are canonical, nulls are left out.
std::string canonical_json(const doc::Tree& node);

/// The leaves of the same: "containers[foundationdb].resources.requests.cpu" -> "1". Elements of
/// lists go by their name where they have one, else by their position.
std::map<std::string, std::string> leaves_of(const doc::Tree& node);

/// What the operator would hash: fields that its JSON leaves out are gone (empty maps of labels,
/// selectors and amounts, empty lists and texts, false and 0 where those are the defaults).
doc::Tree without_empty_fields(const doc::Tree& node);

/// The hash of a volume claim's spec, defaults filled in.
std::string volume_hash(const doc::Tree* claim_spec);

/// Bytes that a claim asks for (128G by default).
std::int64_t volume_bytes(const doc::Tree* claim_spec);

}  // namespace ballast::fdb
