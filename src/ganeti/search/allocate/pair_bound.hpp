// SPDX-License-Identifier: BSD-2-Clause
// Lower bounds of the scores of all pairs with one primary, in constant time a primary.
//
// A pair's score is a sum of weight * sqrt(variance + h), where the primary gives the variance and
// the secondary h. The root is concave in h, so it lies above its chord over all h that occur; the
// chords' slopes hardly depend on the primary. So the least of a sum that is linear in h, found
// once, serves all primaries; what the slopes and the mean move with the primary is taken off.
#pragma once

#include <vector>

#include "pair_scan.hpp"

namespace ballast::ganeti::alloc {

class PairBound {
 public:
  /// `reference` are the sums with some primary.
  PairBound(const PairScan& scan, const Running& reference);

  struct Lowest {
    double plain = 0;       ///< secondaries that reserve nothing for the primary yet
    double exceptions = 0;  ///< the others
  };
  /// Minus infinity where nothing can be said. `running` as PairScan::scan takes them; rounding
  /// is not allowed for: see Running::error_of_next.
  [[nodiscard]] Lowest lowest(const Running& running) const;

  /// What a primary adds to the parts of its secondaries: offsets(...).plain + parts().plain[i] is
  /// a lower bound of the score with the secondary at position i. Minus infinity where nothing can
  /// be said.
  [[nodiscard]] Lowest offsets(const Running& running) const;
  /// By position in the scan's secondaries, the same for all primaries; only where those fit.
  struct Parts {
    std::vector<double> plain;
    std::vector<double> exceptions;
  };
  [[nodiscard]] const Parts& parts() const { return parts_; }

 private:
  struct Term {
    std::size_t column;  ///< of the score
    double weight;
    double sum = 0;       ///< of the reference
    double slope = 0;     ///< of the reference's chord
    double least = 0;     ///< h
    double most = 0;      ///< h
    double steepest = 0;  ///< by how much h moves with the sum, at most
  };
  void add_term(std::size_t column, const Running& reference);
  void set_least(const Running& reference);
  [[nodiscard]] double h_of(const Term& term, std::size_t position, double count) const;
  [[nodiscard]] double reserve_part(const Term& term, const Running::Aggregate& aggregate) const;

  const PairScan& scan_;
  std::vector<Term> terms_;
  Parts parts_;                       ///< the linear parts
  double least_ = 0;                  ///< of the linear parts
  double least_without_reserve_ = 0;  ///< the same without the reserved memory's deviation
  double reserve_reach_ = 0;  ///< by how much a reserved fraction is below the mean, at most
};

}  // namespace ballast::ganeti::alloc
