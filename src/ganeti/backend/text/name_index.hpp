// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

namespace ballast::ganeti {

/// Name -> index, one flat table; a name that is put again means the later index. The texts must
/// outlive the table.
class NameIndex {
 public:
  explicit NameIndex(std::size_t expected);

  void put(std::string_view name, std::int32_t index);
  /// -1 where the name is not known.
  [[nodiscard]] std::int32_t find(std::string_view name) const;

 private:
  struct Slot {
    std::string_view name;
    std::int32_t index = -1;
  };
  [[nodiscard]] std::size_t slot_of(std::string_view name) const;

  std::vector<Slot> slots_;  ///< size: a power of two, at most half full
};

}  // namespace ballast::ganeti
