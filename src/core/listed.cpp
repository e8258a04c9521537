// SPDX-License-Identifier: BSD-2-Clause
#include "ballast/core/listed.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "ballast/core/strings.hpp"

namespace ballast {

std::string listed(std::span<const std::string> names, std::size_t shown) {
  const std::size_t count = std::min(shown, names.size());
  std::string text = join(names.first(count), ", ");
  return count == names.size() ? text : fmt::format("{} and {} more", text, names.size() - count);
}

}  // namespace ballast
