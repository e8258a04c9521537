// SPDX-License-Identifier: BSD-2-Clause
// Where moves lead, and what they change: what all searches ask of a move without making it.
#pragma once

#include <span>
#include <utility>

#include "ballast/ganeti/moves/kinds.hpp"

namespace ballast::ganeti {

/// The new primary and secondary of an instance that had these two. `Place` is whatever names a
/// node.
template <class Place>
constexpr std::pair<Place, Place> ends_after(MoveKind kind, Place primary, Place secondary,
                                             Place target) {
  const std::array<Place, 3> places{primary, secondary, target};  // in the order of MoveEnd
  const MoveEnds ends = ends_of(kind);
  return {places[static_cast<std::size_t>(ends.primary)],
          places[static_cast<std::size_t>(ends.secondary)]};
}

/// The placement after the move, its location score left out (0).
inline Placement after(const Placement& from, Move move) {
  const auto [primary, secondary] =
      ends_after(move.kind, from.primary, from.secondary, move.target);
  return {primary, secondary, 0};
}

/// The nodes that a move changes, each in its new state.
inline std::span<const MoveEffect::Changed> changed_nodes(const MoveEffect& effect) {
  return std::span(effect.nodes).first(static_cast<std::size_t>(effect.count));
}
inline std::span<MoveEffect::Changed> changed_nodes(MoveEffect& effect) {
  return std::span(effect.nodes).first(static_cast<std::size_t>(effect.count));
}

}  // namespace ballast::ganeti
