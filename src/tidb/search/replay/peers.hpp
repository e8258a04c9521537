// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include "ballast/plan/replay.hpp"
#include "ballast/tidb/search/basis/input.hpp"
#include "ballast/tidb/search/basis/outcome.hpp"

#include <array>
#include <cstdint>
#include <set>
#include <string>
#include <vector>

namespace ballast::tidb {

/// How few healthy PD members, Up stores and Ready TiDB pods are left while steps run. Waits heal
/// nothing here: these are the figures that a person reads before.
class Peers {
 public:
  Peers(const Input& input, const Outcome& outcome);

  void apply(const Line& step);
  /// Of the components from which the steps take away.
  [[nodiscard]] std::vector<plan::Margin> margins() const;

 private:
  /// Those of one component.
  struct Side {
    std::set<std::string> all;
    std::set<std::string> well;
    std::int64_t unnamed = 0;  // well ones that nothing tells apart
    std::int64_t away = 0;     // well ones that restart in this phase
    std::string comes;         // once the newest step is over
    bool is_touched = false;

    [[nodiscard]] std::int64_t left() const;
    [[nodiscard]] std::int64_t total() const;
    void add(const std::string& name, bool is_well);
    void remove(const std::string& name);
    void restart(const std::string& name);
    void empty();
    void settle();
  };

  Side& of(Component c) { return sides_[index_of(c)]; }
  void create(Component c, const Line& step);
  [[nodiscard]] std::int64_t required(Component c) const;

  const Input& input_;
  std::array<Side, kComponentCount> sides_;
  const Line* before_ = nullptr;
};

}  // namespace ballast::tidb
