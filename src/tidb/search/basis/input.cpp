// SPDX-License-Identifier: BSD-2-Clause
#include "ballast/tidb/search/basis/input.hpp"

#include <fmt/format.h>

namespace ballast::tidb {

std::string namespace_of(const Input& input) {
  if (!input.desired.ns.empty()) return input.desired.ns;
  return input.live.ns.empty() ? "default" : input.live.ns;
}

std::string kubectl(const Input& input, std::string_view rest) {
  return fmt::format("kubectl -n {} {}", namespace_of(input), rest);
}

std::string pdctl(const Input& input, std::string_view rest) {
  return fmt::format("pd-ctl -u http://{}-pd.{}:2379 {}", input.desired.name, namespace_of(input),
                     rest);
}

}  // namespace ballast::tidb
