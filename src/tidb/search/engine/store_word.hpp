// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include "ballast/core/shell.hpp"
#include "ballast/tidb/model/live.hpp"

#include <fmt/format.h>

#include <string>

namespace ballast::tidb {

/// The store's number in a command; where it is not known, what finds it out of `list`, the command
/// that prints all stores.
inline std::string store_word(const Store& store, const std::string& list) {
  if (store.id != 0) return fmt::format("{}", store.id);
  const std::string filter =
      fmt::format(".stores[].store | select(.address | startswith(\"{}.\")) | .id", store.pod);
  return fmt::format("\"$({} | jq {})\"", list, shell_quoted(filter));
}

}  // namespace ballast::tidb
