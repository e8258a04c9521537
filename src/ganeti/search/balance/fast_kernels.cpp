// SPDX-License-Identifier: BSD-2-Clause
#include "fast_kernels.hpp"

#include <cmath>
#include <limits>

#include "ballast/core/wide_vectors.hpp"

namespace ballast::ganeti::fast {

namespace {

constexpr std::size_t kGroup = 4;
constexpr std::size_t kLanes = 8;
constexpr double kInfinity = std::numeric_limits<double>::infinity();

}  // namespace

BALLAST_WIDE_VECTORS void source_terms(const SourceJob& job, const SourcePlace* places,
                                       std::size_t count, double* linear) {
  const std::size_t width = job.width;
  for (std::size_t i = 0; i < count; ++i) {
    const SourcePlace place = places[i];
    if (place.amounts < 0) continue;
    const std::size_t at = static_cast<std::size_t>(place.amounts) * width;
    const std::size_t p = static_cast<std::size_t>(place.primary) * width;
    const std::size_t s = static_cast<std::size_t>(place.secondary) * width;
    double sums[kKinds][kGroup] = {};
    for (std::size_t c0 = 0; c0 < width; c0 += kGroup) {
      double change[kKinds][kGroup];
      for (std::size_t j = 0; j < kGroup; ++j) {
        const std::size_t c = c0 + j;
        const double primary = job.primary[at + c];
        const double secondary = job.secondary[at + c];
        const double squeeze = job.squeeze[c];
        const double lean_p = job.node_lean[p + c];
        const double lean_s = job.node_lean[s + c];
        const double p_out = -primary * job.node_scale[p + c];
        const double p_swap = (secondary - primary) * job.node_scale[p + c];
        const double s_out = -secondary * job.node_scale[s + c];
        const double s_swap = (primary - secondary) * job.node_scale[s + c];
        const double q_p_out = p_out * (lean_p + squeeze * p_out);
        const double q_p_swap = p_swap * (lean_p + squeeze * p_swap);
        const double q_s_out = s_out * (lean_s + squeeze * s_out);
        const double q_s_swap = s_swap * (lean_s + squeeze * s_swap);
        change[0][j] = q_p_swap + q_s_swap - 2 * p_swap * s_swap;  // Failover
        change[1][j] = q_p_out;                                    // FailoverToAny
        change[2][j] = q_p_out;                                    // ReplacePrimary
        change[3][j] = q_s_out;                                    // ReplaceSecondary
        change[4][j] = q_p_swap + q_s_out - 2 * p_swap * s_out;    // ReplaceAndFailover
        change[5][j] = q_p_out + q_s_swap - 2 * p_out * s_swap;    // FailoverAndReplace
      }
      for (std::size_t k = 0; k < kKinds; ++k) {
        for (std::size_t j = 0; j < kGroup; ++j) {
          const std::size_t c = k * width + c0 + j;
          const double x = change[k][j];
          sums[k][j] += job.slopes[c] * x;
          job.low[c] = x < job.low[c] ? x : job.low[c];
          job.high[c] = x > job.high[c] ? x : job.high[c];
        }
      }
    }
    for (std::size_t k = 0; k < kKinds; ++k) {
      linear[i * kKinds + k] = (sums[k][0] + sums[k][1]) + (sums[k][2] + sums[k][3]);
    }
  }
}

BALLAST_WIDE_VECTORS Seen target_terms(const TargetJob& job, const double* slopes,
                                       double* const* out, std::size_t kinds) {
  double low[kLanes];
  double high[kLanes];
  for (std::size_t j = 0; j < kLanes; ++j) {
    low[j] = kInfinity;
    high[j] = -kInfinity;
  }
  const double* __restrict lean = job.lean;
  const double* __restrict scale = job.scale;
  const double* __restrict closed = job.closed;
  double* __restrict first = out[0];
  double* __restrict second = kinds > 1 ? out[1] : nullptr;
  const double slope0 = slopes[0];
  const double slope1 = kinds > 1 ? slopes[1] : 0;
  const double squeeze = job.squeeze;
  const bool is_exact = job.low == job.high;
  const double half = squeeze > 0 ? -0.5 / squeeze : 0;
  for (std::size_t t0 = 0; t0 < job.stride; t0 += kLanes) {
    double change[kLanes];
    if (is_exact) {
      for (std::size_t j = 0; j < kLanes; ++j) {
        const double d = job.low * scale[t0 + j];
        change[j] = d * (lean[t0 + j] + squeeze * d);
        const double x = change[j];
        low[j] = x + closed[t0 + j] < low[j] ? x + closed[t0 + j] : low[j];
        high[j] = x - closed[t0 + j] > high[j] ? x - closed[t0 + j] : high[j];
      }
    } else {
      for (std::size_t j = 0; j < kLanes; ++j) {
        const double a = job.low * scale[t0 + j];
        const double b = job.high * scale[t0 + j];
        const double from = a < b ? a : b;
        const double to = a < b ? b : a;
        double d = half * lean[t0 + j];
        d = d < from ? from : d;
        d = d > to ? to : d;
        change[j] = d * (lean[t0 + j] + squeeze * d);
        const double at_a = a * (lean[t0 + j] + squeeze * a);
        const double at_b = b * (lean[t0 + j] + squeeze * b);
        const double top = at_a > at_b ? at_a : at_b;
        low[j] = change[j] + closed[t0 + j] < low[j] ? change[j] + closed[t0 + j] : low[j];
        high[j] = top - closed[t0 + j] > high[j] ? top - closed[t0 + j] : high[j];
      }
    }
    for (std::size_t j = 0; j < kLanes; ++j) first[t0 + j] += slope0 * change[j];
    if (kinds > 1) {
      for (std::size_t j = 0; j < kLanes; ++j) second[t0 + j] += slope1 * change[j];
    }
  }
  Seen seen{kInfinity, -kInfinity};
  for (std::size_t j = 0; j < kLanes; ++j) {
    seen.low = low[j] < seen.low ? low[j] : seen.low;
    seen.high = high[j] > seen.high ? high[j] : seen.high;
  }
  return seen;
}

BALLAST_WIDE_VECTORS Seen reserved_terms(const ReservedJob& job, const double* slopes,
                                         double* const* out, std::size_t kinds, double* least) {
  Seen seen{kInfinity, -kInfinity};
  const double squeeze = job.squeeze;
  const double half = squeeze > 0 ? -0.5 / squeeze : 0;
  double low[kLanes];
  double high[kLanes];
  for (std::size_t j = 0; j < kLanes; ++j) {
    low[j] = kInfinity;
    high[j] = -kInfinity;
  }
  for (std::size_t k = 0; k < kinds; ++k) {
    const double slope = slopes[k];
    const double pull = slope > 0 ? job.price / slope : 0;
    double* __restrict row = out[k];
    double best[kLanes];
    for (std::size_t j = 0; j < kLanes; ++j) best[j] = kInfinity;
    for (std::size_t t0 = 0; t0 < job.stride; t0 += kLanes) {
      for (std::size_t j = 0; j < kLanes; ++j) {
        const double r = job.reserved[t0 + j];
        const double scale = job.scale[t0 + j];
        const double lean = job.lean[t0 + j];
        const double from = ((r > job.low ? r : job.low) - r) * scale;
        const double to = ((r > job.high ? r : job.high) - r) * scale;
        const double most = job.high * scale;
        // Without a slope only the price pulls, to the lower end.
        double d = slope > 0 ? half * (lean + pull) : from;
        d = d < from ? from : d;
        const double narrow = d > to ? to : d;
        const double wide = d > most ? most : d;
        const double base = slope * (narrow * (lean + squeeze * narrow)) + job.price * narrow;
        const double open = slope * (wide * (lean + squeeze * wide)) + job.price * wide;
        const double value = row[t0 + j];
        row[t0 + j] = value + base;
        best[j] = value + open < best[j] ? value + open : best[j];
        double x = half * lean;
        x = x < from ? from : x;
        x = x > most ? most : x;
        const double bottom = x * (lean + squeeze * x) + job.closed[t0 + j];
        const double at_from = from * (lean + squeeze * from);
        const double at_most = most * (lean + squeeze * most);
        const double top = (at_from > at_most ? at_from : at_most) - job.closed[t0 + j];
        low[j] = bottom < low[j] ? bottom : low[j];
        high[j] = top > high[j] ? top : high[j];
      }
    }
    least[k] = kInfinity;
    for (std::size_t j = 0; j < kLanes; ++j) least[k] = best[j] < least[k] ? best[j] : least[k];
  }
  for (std::size_t j = 0; j < kLanes; ++j) {
    seen.low = low[j] < seen.low ? low[j] : seen.low;
    seen.high = high[j] > seen.high ? high[j] : seen.high;
  }
  return seen;
}

BALLAST_WIDE_VECTORS void close_targets(const double* room, double demand, std::size_t stride,
                                        double* closed) {
  for (std::size_t t = 0; t < stride; ++t) closed[t] = demand > room[t] ? kInfinity : closed[t];
}

BALLAST_WIDE_VECTORS double candidate_sum(const CandidateJob& job, const double* node_lean,
                                          const double* node_scale) {
  double sums[kGroup] = {};
  for (std::size_t c0 = 0; c0 < job.width; c0 += kGroup) {
    for (std::size_t j = 0; j < kGroup; ++j) {
      const std::size_t c = c0 + j;
      const double d = job.amounts[c] * node_scale[c];
      const double x = job.spread[c] + job.source[c] +
                       d * (node_lean[c] + job.squeeze[c] * d - 2 * job.source_delta[c]);
      sums[j] += job.factor[c] * std::sqrt(x > 0 ? x : 0);
    }
  }
  return (sums[0] + sums[1]) + (sums[2] + sums[3]);
}

BALLAST_WIDE_VECTORS Extent extent_of(const double* values, std::size_t stride) {
  double sum[kLanes] = {};
  double squares[kLanes] = {};
  double most[kLanes] = {};
  for (std::size_t t0 = 0; t0 < stride; t0 += kLanes) {
    for (std::size_t j = 0; j < kLanes; ++j) {
      const double value = values[t0 + j];
      const double size = value < 0 ? -value : value;
      sum[j] += value;
      squares[j] += value * value;
      most[j] = size > most[j] ? size : most[j];
    }
  }
  Extent extent;
  for (std::size_t j = 0; j < kLanes; ++j) {
    extent.sum += sum[j];
    extent.squares += squares[j];
    extent.most = most[j] > extent.most ? most[j] : extent.most;
  }
  return extent;
}

BALLAST_WIDE_VECTORS double smallest(const double* values, std::size_t count) {
  double low[kLanes];
  for (std::size_t j = 0; j < kLanes; ++j) low[j] = kInfinity;
  std::size_t t0 = 0;
  for (; t0 + kLanes <= count; t0 += kLanes) {
    for (std::size_t j = 0; j < kLanes; ++j)
      low[j] = values[t0 + j] < low[j] ? values[t0 + j] : low[j];
  }
  double result = kInfinity;
  for (; t0 < count; ++t0) result = values[t0] < result ? values[t0] : result;
  for (std::size_t j = 0; j < kLanes; ++j) result = low[j] < result ? low[j] : result;
  return result;
}

}  // namespace ballast::ganeti::fast
