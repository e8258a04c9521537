// SPDX-License-Identifier: BSD-2-Clause
// A limit that a walk may pass for a while, at a price that keeps it near.
#pragma once

#include <cstdint>
#include <limits>

namespace ballast::ganeti {

/// At a hard limit only exchanges can pass, and most changes are refused unseen. So it begins a
/// little wider and narrows to its own figure; what is used costs a toll, which rises as long as
/// that is more than the limit and falls as long as it is less.
class Toll {
 public:
  static constexpr std::int64_t kNoLimit = std::numeric_limits<std::int64_t>::max();

  explicit Toll(std::int64_t limit) : limit_(limit), most_(limit) {}

  /// `usual`: what a unit costs to begin with. `progress` from 0 to 1.
  void follow(std::int64_t used, double usual, double progress);
  /// The limit itself, and no price.
  void end();

  [[nodiscard]] double of(std::int64_t used) const { return price_ * static_cast<double>(used); }
  [[nodiscard]] std::int64_t limit() const { return limit_; }
  /// What may be used for the time being.
  [[nodiscard]] std::int64_t most() const { return most_; }

 private:
  std::int64_t limit_;
  std::int64_t most_;
  double price_ = 0;
};

}  // namespace ballast::ganeti
