// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "ballast/core/result.hpp"

namespace ballast::kube {

/// A Kubernetes quantity ("500m", "1Gi", "2e3", "1.5"), exact in thousandths (the finest step that
/// planning needs; finer ones round up as Kubernetes does).
struct Quantity {
  std::int64_t milli = 0;

  [[nodiscard]] std::int64_t value() const;  ///< whole units, rounded up
  friend auto operator<=>(const Quantity&, const Quantity&) = default;
};

/// An optional sign, decimal digits, and one of: nothing, n u m k M G T P E, Ki Mi Gi Ti Pi Ei, a
/// decimal exponent (e3, E-3). Errors: not a quantity, out of range (more than 2^63-1 thousandths:
/// 8 PiB).
Result<Quantity> parse_quantity(std::string_view text, const Place& place = {});

/// A quantity as Kubernetes prints it: 1024Mi -> 1Gi, 0.5 -> 500m, 1000 -> 1k. Other text comes
/// back unchanged.
std::string canonical_quantity(std::string_view text);

/// For people: binary suffix where exact ("16Gi"), else plain; cpu as "500m" or "2".
std::string format_bytes(std::int64_t bytes);
std::string format_cpu(std::int64_t milli);

}  // namespace ballast::kube
