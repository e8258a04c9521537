// SPDX-License-Identifier: BSD-2-Clause
#include "ballast/fdb/search/world/layout.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "ballast/fdb/search/world/world.hpp"

namespace ballast::fdb {

GroupLayout layout_of(const World& world, const Member& group) {
  const Pod& pod = *group.pod;
  GroupLayout layout;
  layout.group = group.id;
  layout.pod = pod.name;
  layout.config_map_key = monitor_key(group.process_class, pod.image_type, pod.servers);
  const bool is_plain = pod.image_type == ImageType::Split && pod.servers == 1;
  for (int i = 1; i <= pod.servers; ++i) {
    ServerLayout server;
    server.process_id = is_plain ? group.id : fmt::format("{}-{}", group.id, i);
    if (world.status.required.tls) server.ports.push_back(fmt::format("{}:tls", tls_port(i)));
    if (world.status.required.non_tls) server.ports.push_back(std::to_string(plain_port(i)));
    server.data_directory = is_plain ? "/var/fdb/data" : fmt::format("/var/fdb/data/{}", i);
    layout.servers.push_back(std::move(server));
  }
  if (is_stateful(group.process_class)) {
    std::string variable(name(group.process_class));
    std::ranges::transform(variable, variable.begin(), [](char c) {
      return c >= 'a' && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c;
    });
    layout.environment.emplace_back(variable + "_SERVERS_PER_POD", std::to_string(pod.servers));
  }
  if (!pod.distribution_key.empty()) {
    const Distribution& packing = world.spec.fault_domain.distribution;
    layout.environment.emplace_back("FDB_ZONE_ID", pod.distribution_key);
    layout.labels.emplace_back("foundationdb.org/distribution-key", pod.distribution_key);
    layout.affinity =
        fmt::format("{} away from pods of other domains, by {}",
                    packing.is_required ? "required" : "preferred", world.spec.fault_domain.key);
  }
  return layout;
}

namespace {

std::vector<std::string> assignments(
    const std::vector<std::pair<std::string, std::string>>& pairs) {
  std::vector<std::string> texts;
  for (const auto& [key, value] : pairs) texts.push_back(key + "=" + value);
  return texts;
}

}  // namespace

std::string layout_text(const GroupLayout& layout) {
  std::vector<std::string> servers;
  for (const ServerLayout& server : layout.servers) {
    servers.push_back(fmt::format("{} on {}", server.process_id, fmt::join(server.ports, " and ")));
  }
  std::string text =
      fmt::format("{}: {}, from {}", layout.group, fmt::join(servers, ", "), layout.config_map_key);
  if (!layout.environment.empty())
    text += fmt::format(", with {}", fmt::join(assignments(layout.environment), ", "));
  if (!layout.labels.empty())
    text += fmt::format(", label {}", fmt::join(assignments(layout.labels), ", "));
  return layout.affinity.empty() ? text : text + ", " + layout.affinity;
}

Value layout_value(const GroupLayout& layout) {
  Value servers = Value::list();
  for (const ServerLayout& server : layout.servers) {
    Value ports = Value::list();
    for (const std::string& port : server.ports) ports.push(port);
    Value entry = Value::map();
    entry.set("process_id", server.process_id)
        .set("ports", std::move(ports))
        .set("data_directory", server.data_directory);
    servers.push(std::move(entry));
  }
  Value value = Value::map();
  value.set("pod", layout.pod)
      .set("config_map_key", layout.config_map_key)
      .set("servers", std::move(servers));
  const auto set_pairs = [&value](const char* key, const auto& pairs) {
    if (pairs.empty()) return;
    Value map = Value::map();
    for (const auto& [name, text] : pairs) map.set(name, text);
    value.set(key, std::move(map));
  };
  set_pairs("environment", layout.environment);
  set_pairs("labels", layout.labels);
  if (!layout.affinity.empty()) value.set("affinity", layout.affinity);
  return value;
}

}  // namespace ballast::fdb
