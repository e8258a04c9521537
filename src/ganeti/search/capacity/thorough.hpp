// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include "ballast/ganeti/search/capacity/thorough.hpp"

#include <map>

#include "filler.hpp"

namespace ballast::ganeti::alloc {

/// Every size that is tried begins on the initial cluster. All four must outlive this.
class ThoroughSearch {
 public:
  ThoroughSearch(const Cluster& cluster, const State& state, const CapacityScene& scene,
                 const InstanceSize& standard, CapacityFiller::Limit limit);

  /// `usual`: the reference's tiers for the same sizes.
  ThoroughRun run(std::span<const InstanceSize> sizes, CapacityRun usual);

 private:
  /// A figure of a size, with the least value that is worth asking for.
  using Figure = std::int64_t InstanceSize::*;

  [[nodiscard]] std::vector<InstanceSize> first_sizes(std::span<const InstanceSize> sizes);
  [[nodiscard]] std::vector<SmallerSize> smaller_sizes();
  /// The largest scale of all figures below the size of which more fit; none: there is none.
  [[nodiscard]] std::optional<InstanceSize> scaled_for_more(const InstanceSize& size);
  [[nodiscard]] CapacityRun fill_from(const InstanceSize& first);
  /// The size worth most that fits now and is nowhere larger than `size`.
  [[nodiscard]] std::optional<InstanceSize> next_size(CapacityFiller& filler,
                                                      const InstanceSize& size);
  [[nodiscard]] std::optional<InstanceSize> largest_on_the_way(CapacityFiller& filler,
                                                               const InstanceSize& from,
                                                               const InstanceSize& to);
  [[nodiscard]] std::size_t count_of(const InstanceSize& size);
  [[nodiscard]] double worth(const InstanceSize& size) const;
  [[nodiscard]] std::vector<Figure> figures() const;

  const Cluster& cluster_;
  const State& state_;
  const CapacityScene& scene_;
  InstanceSize standard_;
  CapacityFiller::Limit limit_;
  std::vector<InstanceSize> least_;  ///< smallest sizes that policies allow
  std::map<InstanceSize, std::size_t> counts_;
};

}  // namespace ballast::ganeti::alloc
