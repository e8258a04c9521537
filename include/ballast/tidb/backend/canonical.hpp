// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include "ballast/kube/node.hpp"
#include "ballast/tidb/backend/diagnostics.hpp"
#include "ballast/tidb/model/spec.hpp"

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>

namespace ballast::tidb {

/// The text of a scalar; empty where there is none.
std::string text_of(const kube::Node* node);

/// One text per value: keys sorted, scalars with their kind; empty for null, {} and [], which mean
/// "absent".
std::string canonical(const kube::Node& node);
/// The same for a mapping of quantities, each as its exact amount; `skip` is left out.
/// A quantity that cannot be read is E009 at PATH.key.
std::string canonical_quantities(const kube::Node& node, const std::string& path,
                                 std::string_view skip, Diagnostics& errors);

/// A quantity in thousandths; nothing (and E009) where it cannot be read, nothing where `node` is
/// absent.
std::optional<std::int64_t> quantity_milli(const kube::Node* node, const std::string& path,
                                           Diagnostics& errors);
/// Whole units, rounded up.
std::optional<std::int64_t> quantity_units(const kube::Node* node, const std::string& path,
                                           Diagnostics& errors);

/// Seconds of a Go duration ("90s", "1h30m", "1.5h"), fractions cut off.
std::optional<std::int64_t> duration_seconds(std::string_view text);

/// Seconds since the epoch of RFC 3339 text or of whole seconds.
std::optional<std::int64_t> time_of(const kube::Node* node);

/// An unsigned 64-bit number from text or an integer; never through a double.
std::optional<std::uint64_t> id_of(const kube::Node* node);

std::map<std::string, std::string> string_map(const kube::Node* node);

/// What a pod spec (or the same keys of a component) asks of a node; requests are not part of it.
Placement read_placement(const kube::Node& pod_spec);

/// Puts the value at `path`, or those inside of it at "path.key" and "path[0]".
void flatten(const kube::Node& node, const std::string& path,
             std::map<std::string, std::string>& into);

/// A number that may be left out; null counts as left out. Anything else that is none: E015.
std::optional<std::int64_t> whole_number(const kube::Node* node, const std::string& path,
                                         Diagnostics& errors);
/// The same for the id of a store or member, 64 bits without sign.
std::optional<std::uint64_t> known_id(const kube::Node* node, const std::string& path,
                                      Diagnostics& errors);

}  // namespace ballast::tidb
