// SPDX-License-Identifier: BSD-2-Clause
#include "ballast/fdb/search/layout.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "ballast/fdb/search/world.hpp"

namespace ballast::fdb {

GroupLayout layout_of(const World& world, const Member& group) {
  const Pod& pod = *group.pod;
  GroupLayout layout{
      group.id, pod.name, monitor_key(group.process_class, pod.image_type, pod.servers), {}};
  const bool is_plain = pod.image_type == ImageType::Split && pod.servers == 1;
  for (int i = 1; i <= pod.servers; ++i) {
    ServerLayout server;
    server.process_id = is_plain ? group.id : fmt::format("{}-{}", group.id, i);
    if (world.status.required.tls) server.ports.push_back(fmt::format("{}:tls", tls_port(i)));
    if (world.status.required.non_tls) server.ports.push_back(std::to_string(plain_port(i)));
    server.data_directory = is_plain ? "/var/fdb/data" : fmt::format("/var/fdb/data/{}", i);
    layout.servers.push_back(std::move(server));
  }
  return layout;
}

std::string layout_text(const GroupLayout& layout) {
  std::vector<std::string> servers;
  for (const ServerLayout& server : layout.servers) {
    servers.push_back(fmt::format("{} on {}", server.process_id, fmt::join(server.ports, " and ")));
  }
  return fmt::format("{}: {}, from {}", layout.group, fmt::join(servers, ", "),
                     layout.config_map_key);
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
  return value;
}

}  // namespace ballast::fdb
