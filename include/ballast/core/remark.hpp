// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <string>

namespace ballast {

/// What a reader should know of an input, and no error.
struct Remark {
  std::string code;
  std::string text;
  friend bool operator==(const Remark&, const Remark&) = default;
};

}  // namespace ballast
