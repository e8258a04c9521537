// SPDX-License-Identifier: BSD-2-Clause
// Work on a range, in as many pieces as there are threads.
#pragma once

#include <algorithm>
#include <cstddef>
#include <thread>
#include <vector>

namespace ballast::ganeti::fast {

/// How work is divided.
struct Division {
  std::size_t threads = 1;
  std::size_t least = 1;  ///< items in a piece
  [[nodiscard]] std::size_t pieces(std::size_t count) const {
    return std::clamp<std::size_t>(count / std::max<std::size_t>(1, least), 1, threads);
  }
};

/// Calls work(begin, end, piece) for each piece of [0, count); `piece` counts from 0 and is below
/// `division.threads`. The work must not throw, and each piece may only write what is its own.
template <class Work>
void for_pieces(std::size_t count, const Division& division, const Work& work) {
  const std::size_t pieces = division.pieces(count);
  const auto begin_of = [&](std::size_t piece) { return count * piece / pieces; };
  std::vector<std::thread> others;
  for (std::size_t piece = 1; piece < pieces; ++piece)
    others.emplace_back([&, piece] { work(begin_of(piece), begin_of(piece + 1), piece); });
  work(std::size_t{0}, begin_of(1), std::size_t{0});
  for (std::thread& other : others) other.join();
}

}  // namespace ballast::ganeti::fast
