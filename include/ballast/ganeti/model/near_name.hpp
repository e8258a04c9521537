// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include "ballast/core/words.hpp"

#include <string>
#include <string_view>
#include <vector>

namespace ballast::ganeti {

/// "; did you mean "KNOWN"?": the name of one of `all`, whole or up to its first dot, that `word`
/// may have been meant to be; empty where none is near.
template <class Named>
std::string near_name(std::string_view word, const std::vector<Named>& all) {
  std::vector<std::string_view> known;
  for (const Named& one : all) {
    const std::string_view name = one.name;
    const std::string_view front = name.substr(0, name.find('.'));
    if (word == name || word == front) return "";  // it is no slip
    known.push_back(name);
    known.push_back(front);
  }
  return did_you_mean(word, known);
}

}  // namespace ballast::ganeti
