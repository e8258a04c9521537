// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <compare>
#include <cstddef>
#include <cstdint>

namespace ballast {

/// A dense index from 0 that cannot be mixed up with the index of another kind of thing; -1 means
/// "none". Names live only at the border: inside, everything is an id.
template <class Tag>
class Id {
 public:
  constexpr Id() = default;
  constexpr explicit Id(std::int32_t value) : value_(value) {}
  constexpr explicit Id(std::size_t index) : value_(static_cast<std::int32_t>(index)) {}

  [[nodiscard]] constexpr bool is_none() const { return value_ < 0; }
  [[nodiscard]] constexpr std::int32_t value() const { return value_; }
  /// Precondition: not none.
  [[nodiscard]] constexpr std::size_t index() const { return static_cast<std::size_t>(value_); }

  friend constexpr auto operator<=>(Id, Id) = default;

 private:
  std::int32_t value_ = -1;
};

}  // namespace ballast
