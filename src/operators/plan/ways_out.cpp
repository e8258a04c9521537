// SPDX-License-Identifier: BSD-2-Clause
#include "ballast/operators/plan/ways_out.hpp"

#include <fmt/format.h>

namespace ballast::operators {

plan::Remedy worded(const Remedy& remedy) {
  std::string text = remedy.text;
  if (!remedy.stuck_at.empty())
    text += fmt::format(" (tried: gets further, then stops at {})", remedy.stuck_at);
  if (!remedy.cost.empty()) text += "; cost: " + remedy.cost;
  return {std::move(text), remedy.set, remedy.commands};
}

}  // namespace ballast::operators
