// SPDX-License-Identifier: BSD-2-Clause
// The inner loops of the fast search, over plain arrays so that they vectorise. No rule of the
// model is known here.
#pragma once

#include <cstddef>
#include <cstdint>

namespace ballast::ganeti::fast {

/// Kinds of moves that the screens know, by the index of MoveKind: its first. An instance with
/// another kind is weighed on the model, move by move.
inline constexpr std::size_t kKinds = 6;

/// Lower bound of factor * sqrt(spread + x), linear in x, for all kinds and channels; and what was
/// seen of x.
struct SourceJob {
  std::size_t width = 0;
  const double* slopes = nullptr;     ///< [kind][channel]
  const double* squeeze = nullptr;    ///< [channel]
  const double* node_lean = nullptr;  ///< [node][channel]
  const double* node_scale = nullptr;
  const double* primary = nullptr;  ///< [class][channel]
  const double* secondary = nullptr;
  double* low = nullptr;  ///< [kind][channel], smallest change of a spread by the sources of a move
  double* high = nullptr;
};
struct SourcePlace {
  std::int32_t primary;
  std::int32_t secondary;
  std::int32_t amounts;  ///< class
};
/// linear[kind] = sum over channels of slope * change, for one instance after the other; skips
/// those with class -1.
void source_terms(const SourceJob& job, const SourcePlace* places, std::size_t count,
                  double* linear);

/// The change of one channel's spread by a target, for demands between low and high (equal: exact),
/// and its share of the bounds.
struct TargetJob {
  std::size_t stride = 0;
  const double* lean = nullptr;  ///< by target
  const double* scale = nullptr;
  double squeeze = 0;
  double low = 0;
  double high = 0;
  const double* closed = nullptr;  ///< 0, or infinity where the target has no room
};
struct Seen {
  double low;
  double high;
};
/// out[k][target] += slopes[k] * change for k < kinds (at most 2).
Seen target_terms(const TargetJob& job, const double* slopes, double* const* out,
                  std::size_t kinds);

/// One pass over rows: closed[t] = infinity where demand > room[t], else unchanged.
void close_targets(const double* room, double demand, std::size_t stride, double* closed);

/// Reserved memory on a new secondary, whose largest peer entry grows to at least `low` .. `high`
/// (equal: exact).
struct ReservedJob {
  std::size_t stride = 0;
  const double* reserved = nullptr;  ///< MiB, by target
  const double* lean = nullptr;
  const double* scale = nullptr;
  double squeeze = 0;
  double low = 0;
  double high = 0;
  double price = 0;  ///< of one unit of value, besides the deviation
  const double* closed = nullptr;
};
/// out[k][target] += the bound where the target holds nothing for the primary yet; least[k] =
/// smallest of out[k] + the bound where it may hold anything.
Seen reserved_terms(const ReservedJob& job, const double* slopes, double* const* out,
                    std::size_t kinds, double* least);

/// Sum over channels of factor * sqrt(max(0, spread + source + change by the target)).
struct CandidateJob {
  std::size_t width = 0;
  const double* spread = nullptr;
  const double* factor = nullptr;
  const double* squeeze = nullptr;
  const double* source = nullptr;        ///< change of each spread by the sources
  const double* source_delta = nullptr;  ///< sum of the sources' value changes
  const double* amounts = nullptr;       ///< what the instance adds to its target
};
double candidate_sum(const CandidateJob& job, const double* node_lean, const double* node_scale);

/// Sum, sum of squares and largest magnitude of values[0 .. stride) (a multiple of 8), summed in
/// lanes.
struct Extent {
  double sum = 0;
  double squares = 0;
  double most = 0;
};
Extent extent_of(const double* values, std::size_t stride);

/// Smallest of values[0 .. count); infinity where there are none.
double smallest(const double* values, std::size_t count);

}  // namespace ballast::ganeti::fast
