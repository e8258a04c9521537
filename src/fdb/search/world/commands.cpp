// SPDX-License-Identifier: BSD-2-Clause
#include "ballast/fdb/search/world/commands.hpp"

#include <algorithm>

#include "ballast/fdb/model/identity.hpp"

namespace ballast::fdb {
namespace {

constexpr const char* kBinary = "/usr/bin/fdbserver";

CommandEnvironment environment_of(const CommandInputs& inputs, const Member& group,
                                  const Process& process) {
  CommandEnvironment env;
  env.group = group.id;
  env.ip = process.addresses.empty() ? std::string() : process.addresses.front().host;
  // Servers listen on the pod's own address, whatever the one is that they are known by.
  env.pod_ip = env.ip;
  if (group.pod && group.pod->public_ip_source == IpSource::Service) {
    if (!group.pod->own_ip.empty()) env.pod_ip = group.pod->own_ip;
  } else if (group.pod && !group.pod->public_ips.empty()) {
    env.pod_ip = group.pod->public_ips.front();
  }
  env.machine = process.machine_or_zone();
  env.zone = process.zone;
  env.dns_name = process.dns_name.empty()
                     ? pod_name(*inputs.cluster, group.process_class, group.number) + "." +
                           *inputs.cluster + "." + *inputs.name_space + ".svc." +
                           inputs.spec->routing.dns_domain
                     : process.dns_name;
  env.number = std::to_string(process.number);
  env.process = process.number;
  return env;
}

std::string arguments_text(const CommandInputs& inputs, const Member& group,
                           const Process& process) {
  const ImageType image = group.pod ? group.pod->image_type : inputs.spec->image_type;
  const int density = group.pod ? group.pod->servers : 1;
  std::string text;
  for (const auto& argument : start_arguments(inputs, group.process_class, image, density,
                                              environment_of(inputs, group, process)))
    text += " " + argument;
  return text;
}

}  // namespace

bool runs_command(const CommandInputs& inputs, const Member& group, const Process& process) {
  const std::string expected = arguments_text(inputs, group, process);
  // Values of environment variables cannot be known.
  if (expected.find("=$") != std::string::npos) return true;
  const auto blank = process.command_line.find(' ');
  return blank != std::string::npos &&
         process.command_line.compare(blank, std::string::npos, expected) == 0;
}

std::string reported_command(const World& world, const Member& group, const Process& process) {
  if (!process.command_line.empty() || !group.pod) return process.command_line;
  const Cluster& snapshot = *world.snapshot;
  const auto listens = [&](bool tls) {
    return std::ranges::any_of(process.addresses,
                               [tls](const Address& address) { return address.is_tls == tls; });
  };
  // While TLS is switched, servers run with commands of neither the first nor the last state.
  ClusterStatus as_seen = world.status;
  as_seen.required = {listens(true), listens(false)};
  const ClusterStatus* statuses[] = {&world.status, &as_seen, &snapshot.status};
  const ClusterSpec* specs[] = {&world.spec, &snapshot.spec};
  Interner commands = world.commands;
  for (const ClusterSpec* spec : specs) {
    for (const ClusterStatus* status : statuses) {
      const CommandInputs inputs{spec, status, &snapshot.name, &snapshot.name_space};
      const int id = commands.id(command_signature(inputs, group.process_class,
                                                   group.pod->image_type, group.pod->servers));
      if (id == process.command) return kBinary + arguments_text(inputs, group, process);
    }
  }
  return std::string(kBinary) + arguments_text(world.inputs(), group, process) + " --unknown";
}

}  // namespace ballast::fdb
