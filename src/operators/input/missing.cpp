// SPDX-License-Identifier: BSD-2-Clause
#include "ballast/operators/input/missing.hpp"

#include "ballast/core/words.hpp"

#include <fmt/format.h>

#include <utility>

namespace ballast::operators {

bool is_slip_for(std::string_view written, std::string_view meant) {
  return written != meant && edit_distance(written, meant) < 3;
}

void add_missing(Diagnostics& errors, Missing missing, const doc::Tree& where, std::string_view key,
                 const std::function<bool(std::string_view)>& is_known) {
  if (where.is_map()) {
    for (const auto& [written, value] : where.entries()) {
      if (!is_slip_for(written, key) || (is_known && is_known(written))) continue;
      errors.add(std::move(missing.code),
                 missing.path == "-" ? written : fmt::format("{}.{}", missing.path, written),
                 fmt::format("{}: {} is not a key, did you mean {}?", missing.said, quoted(written),
                             quoted(std::string(key))),
                 value.key_place());
      return;
    }
  }
  errors.add(std::move(missing.code), std::move(missing.path), missing.said + missing.otherwise,
             where.place());
}

void add_missing_at(Diagnostics& errors, Missing missing, const doc::Tree& where,
                    std::initializer_list<std::string_view> keys) {
  const doc::Tree* at = &where;
  for (const std::string_view key : keys) {
    const doc::Tree* inner = at->is_map() ? at->find(key) : nullptr;
    const bool is_last = key.data() == std::prev(keys.end())->data();
    if (inner == nullptr || is_last || inner->is_null())
      return add_missing(errors, std::move(missing), *at, key);
    missing.path = missing.path == "-" ? std::string(key) : fmt::format("{}.{}", missing.path, key);
    at = inner;
  }
}

}  // namespace ballast::operators
