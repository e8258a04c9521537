// SPDX-License-Identifier: BSD-2-Clause
#include "ballast/tidb/model/names.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace ballast::tidb {

std::string statefulset_name(std::string_view cluster, Component component, std::string_view set,
                             DefaultName style) {
  if (set == kDefaultSet && style == DefaultName::Plain) {
    return fmt::format("{}-{}", cluster, name_of(component));
  }
  return fmt::format("{}-{}-{}", cluster, name_of(component), set);
}

std::string config_map_name(std::string_view cluster, Component component, std::string_view set,
                            NameStyle style) {
  if (style.config_map == ConfigMapName::Short) {
    return fmt::format("{}-{}", set, name_of(component));
  }
  return statefulset_name(cluster, component, set, style.default_name);
}

std::string pod_name(std::string_view statefulset, std::int64_t ordinal) {
  return fmt::format("{}-{}", statefulset, ordinal);
}

std::string claim_name(std::string_view claim_template, std::string_view pod) {
  return fmt::format("{}-{}", claim_template, pod);
}

std::string peer_service(std::string_view cluster, Component component) {
  return fmt::format("{}-{}-peer", cluster, name_of(component));
}

std::string client_service(std::string_view cluster, Component component) {
  return fmt::format("{}-{}", cluster, name_of(component));
}

std::string set_service(std::string_view cluster, std::string_view set) {
  return fmt::format("{}-tidb-{}", cluster, set);
}

bool is_dns_label(std::string_view name) {
  const auto alphanumeric = [](char c) { return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9'); };
  return !name.empty() && name.size() <= 63 && alphanumeric(name.front()) &&
         alphanumeric(name.back()) &&
         std::ranges::all_of(name, [&](char c) { return alphanumeric(c) || c == '-'; });
}

}  // namespace ballast::tidb
