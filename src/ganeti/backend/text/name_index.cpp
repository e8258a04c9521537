// SPDX-License-Identifier: BSD-2-Clause
#include "name_index.hpp"

#include <bit>
#include <functional>

namespace ballast::ganeti {

NameIndex::NameIndex(std::size_t expected) : slots_(std::bit_ceil(2 * expected + 2)) {}

std::size_t NameIndex::slot_of(std::string_view name) const {
  const std::size_t mask = slots_.size() - 1;
  std::size_t slot = std::hash<std::string_view>{}(name)&mask;
  while (slots_[slot].index >= 0 && slots_[slot].name != name) slot = (slot + 1) & mask;
  return slot;
}

void NameIndex::put(std::string_view name, std::int32_t index) {
  slots_[slot_of(name)] = {name, index};
}

std::int32_t NameIndex::find(std::string_view name) const { return slots_[slot_of(name)].index; }

}  // namespace ballast::ganeti
