// SPDX-License-Identifier: BSD-2-Clause
#include "toll.hpp"

#include <algorithm>
#include <cmath>

namespace ballast::ganeti {

namespace {

constexpr double kSlack = 0.1;      // beyond the limit, at the beginning
constexpr double kFollow = 0.05;    // change of the price at one look, at most, as a logarithm
constexpr double kFarOff = 0.1;     // share of the limit: from there on it changes by the most
constexpr double kCheapest = 1e-4;  // of the usual price
constexpr double kDearest = 1e3;

}  // namespace

void Toll::follow(std::int64_t used, double usual, double progress) {
  if (limit_ == kNoLimit || limit_ == 0) return;
  const auto limit = static_cast<double>(limit_);
  most_ = limit_ + static_cast<std::int64_t>(kSlack * std::max(0.0, 1 - progress) * limit);
  if (price_ == 0) price_ = usual;
  const double beyond = (static_cast<double>(used) / limit - 1) / kFarOff;
  price_ *= std::exp(kFollow * std::clamp(beyond, -1.0, 1.0));
  price_ = std::clamp(price_, kCheapest * usual, kDearest * usual);
}

void Toll::end() {
  most_ = limit_;
  price_ = 0;
}

}  // namespace ballast::ganeti
