// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include "ballast/doc/tree.hpp"
#include "ballast/kube/objects.hpp"
#include "ballast/operators/input/diagnostics.hpp"
#include "ballast/tidb/model/spec.hpp"

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>

namespace ballast::tidb {

using operators::Diagnostics;

/// One text per value: keys sorted, scalars with their kind; empty for null, {} and [], which mean
/// "absent".
std::string canonical(const doc::Tree& node);
/// The same for a mapping of quantities, each as its exact amount; `skip` is left out.
/// A quantity that cannot be read is E009 at PATH.key.
std::string canonical_quantities(const doc::Tree& node, const std::string& path,
                                 std::string_view skip, Diagnostics& errors);

/// A quantity in thousandths; nothing (and E009) where it cannot be read, nothing where `node` is
/// absent.
std::optional<std::int64_t> quantity_milli(const doc::Tree* node, const std::string& path,
                                           Diagnostics& errors);
/// Whole units, rounded up.
std::optional<std::int64_t> quantity_units(const doc::Tree* node, const std::string& path,
                                           Diagnostics& errors);

/// E009 at NAME.PATH for amounts of an object that cannot be read.
kube::Complain amounts_unread(Diagnostics& errors);

/// Seconds of a Go duration ("90s", "1h30m", "1.5h"), fractions cut off.
std::optional<std::int64_t> duration_seconds(std::string_view text);

/// Seconds since the epoch of RFC 3339 text or of whole seconds.
std::optional<std::int64_t> time_of(const doc::Tree* node);

/// An unsigned 64-bit number from text or an integer; never through a double.
std::optional<std::uint64_t> id_of(const doc::Tree* node);

/// What a pod spec (or the same keys of a component) asks of a node; requests are not part of it.
Placement read_placement(const doc::Tree& pod_spec);

/// Puts the value at `path`, or those inside of it at "path.key" and "path[0]".
void flatten(const doc::Tree& node, const std::string& path,
             std::map<std::string, std::string>& into);

/// A number that may be left out; null counts as left out. Anything else that is none: E015.
std::optional<std::int64_t> whole_number(const doc::Tree* node, const std::string& path,
                                         Diagnostics& errors);
/// The same for the id of a store or member, 64 bits without sign.
std::optional<std::uint64_t> known_id(const doc::Tree* node, const std::string& path,
                                      Diagnostics& errors);

}  // namespace ballast::tidb
