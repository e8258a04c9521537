// SPDX-License-Identifier: BSD-2-Clause
#include "ascent.hpp"

#include <cmath>
#include <deque>
#include <limits>

namespace ballast::ganeti::bound {

namespace {

constexpr std::array kSoftness{0.02, 0.004, 0.0008, 0.0002};  // of score
constexpr int kRounds = 200;                                  // at each of them
constexpr int kShorter = 20;                                  // tries along one direction
constexpr std::size_t kRemembered = 24;
constexpr double kEnough = 3e-8;  // of score, that rounds must gain

using Vector = std::vector<double>;

double dot(const Vector& a, const Vector& b) {
  double sum = 0;
  for (std::size_t i = 0; i < a.size(); ++i) sum += a[i] * b[i];
  return sum;
}

void add(Vector& to, double times, const Vector& what) {
  for (std::size_t i = 0; i < to.size(); ++i) to[i] += times * what[i];
}

/// Offsets as one vector in which all amounts curve alike.
class Frame {
 public:
  explicit Frame(const Dual& dual) {
    for (std::size_t k = 0; k < kAmounts; ++k) {
      const double price = dual.price()[k];
      unit_[k] = price > 0 ? 1 / std::sqrt(price) : 0;
    }
  }
  [[nodiscard]] Vector into(const Offsets& offsets) const {
    Vector x;
    for (const Amounts& of : offsets) {
      for (std::size_t k = 0; k < kAmounts; ++k) x.push_back(unit_[k] > 0 ? of[k] / unit_[k] : 0);
    }
    return x;
  }
  [[nodiscard]] Vector slope(const Offsets& slope) const {
    Vector x;
    for (const Amounts& of : slope) {
      for (std::size_t k = 0; k < kAmounts; ++k) x.push_back(of[k] * unit_[k]);
    }
    return x;
  }
  [[nodiscard]] Offsets back(const Vector& x) const {
    Offsets offsets(x.size() / kAmounts);
    for (std::size_t i = 0; i < x.size(); ++i) {
      offsets[i / kAmounts][i % kAmounts] = x[i] * unit_[i % kAmounts];
    }
    return offsets;
  }

 private:
  Amounts unit_{};
};

struct Stride {
  Vector moved;
  Vector flatter;  ///< by how much the slope fell
};

/// The slope, turned by what the last steps told of the curvature.
Vector direction_of(const Vector& slope, const std::deque<Stride>& steps) {
  Vector way = slope;
  Vector times(steps.size());
  for (std::size_t i = steps.size(); i-- > 0;) {
    const Stride& step = steps[i];
    times[i] = dot(step.moved, way) / dot(step.flatter, step.moved);
    add(way, -times[i], step.flatter);
  }
  if (!steps.empty()) {
    const Stride& last = steps.back();
    const double scale = dot(last.moved, last.flatter) / dot(last.flatter, last.flatter);
    for (double& x : way) x *= scale;
  }
  for (std::size_t i = 0; i < steps.size(); ++i) {
    const Stride& step = steps[i];
    add(way, times[i] - dot(step.flatter, way) / dot(step.flatter, step.moved), step.moved);
  }
  return way;
}

class Climb {
 public:
  Climb(const Dual& dual, Offsets offsets) : dual_(&dual), frame_(dual) {
    best_.offsets = std::move(offsets);
    best_.best.value = -std::numeric_limits<double>::infinity();
  }

  void climb(double softness) {
    std::deque<Stride> steps;
    Vector x = frame_.into(best_.offsets);
    Seen here = look(x, softness);
    Vector slope = frame_.slope(here.slope);
    for (int round = 0; round < kRounds; ++round) {
      Vector way = direction_of(slope, steps);
      double rise = dot(way, slope);
      if (!(rise > 0)) {
        steps.clear();
        way = slope;
        rise = dot(slope, slope);
      }
      Vector to;
      Seen there;
      double length = 1;
      int tries = 0;
      for (; tries < kShorter; ++tries, length *= 0.4) {
        to = x;
        add(to, length, way);
        there = look(to, softness);
        if (there.smooth >= here.smooth + 1e-4 * length * rise) break;
      }
      if (tries == kShorter) return;
      Vector next = frame_.slope(there.slope);
      Stride step{to, slope};
      add(step.moved, -1, x);
      add(step.flatter, -1, next);
      const double gained = there.smooth - here.smooth;
      if (dot(step.moved, step.flatter) > 1e-15) steps.push_back(std::move(step));
      if (steps.size() > kRemembered) steps.pop_front();
      x = std::move(to);
      slope = std::move(next);
      here = std::move(there);
      if (gained < kEnough) return;
    }
  }

  Ascent take() && { return std::move(best_); }

 private:
  Seen look(const Vector& x, double softness) {
    const Offsets offsets = frame_.back(x);
    Seen seen = dual_->look(offsets, softness);
    ++best_.looks;
    if (seen.value > best_.best.value) {
      best_.best = seen;
      best_.offsets = offsets;
    }
    return seen;
  }

  const Dual* dual_;
  Frame frame_;
  Ascent best_;
};

}  // namespace

Ascent ascend(const Dual& dual, Offsets offsets) {
  Climb climb(dual, std::move(offsets));
  for (const double softness : kSoftness) climb.climb(softness);
  return std::move(climb).take();
}

}  // namespace ballast::ganeti::bound
