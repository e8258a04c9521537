// SPDX-License-Identifier: BSD-2-Clause
#include "ballast/fdb/model/server_config.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <set>

#include "ballast/fdb/model/counts.hpp"
#include "ballast/fdb/model/identity.hpp"

namespace ballast::fdb {
namespace {

bool sets_parameter(const std::vector<std::string>& parameters, std::string_view key) {
  return std::any_of(parameters.begin(), parameters.end(), [key](const std::string& parameter) {
    return parameter.size() > key.size() && parameter.compare(0, key.size(), key) == 0 &&
           parameter[key.size()] == '=';
  });
}

std::string bracketed(const std::string& ip, ImageType image) {
  const bool is_v6 = ip.find(':') != std::string::npos;
  return image == ImageType::Unified || is_v6 ? "[" + ip + "]" : ip;
}

std::vector<int> rendered_densities(const CommandInputs& inputs, ProcessClass c) {
  const auto& status = *inputs.status;
  std::vector<int> densities = {1};
  if (c == ProcessClass::Storage) densities = status.storage_densities;
  if (is_log_class(c)) densities = status.log_densities;
  if (densities.empty()) densities = {inputs.spec->density(c)};
  return densities;
}

std::string joined(const std::vector<std::string>& lines) {
  std::string text;
  for (const std::string& line : lines) text += line + "\n";
  return text;
}

/// What the entry of the unified image tells besides the command: the binary, and the family of
/// addresses to pick at the start.
std::string unified_signature(const ClusterSpec& spec) {
  return fmt::format("--version={}\n--ip_family={}\n", to_string(spec.version),
                     spec.routing.ip_family);
}

}  // namespace

bool names_listen_address(const ClusterSpec& spec) {
  return spec.explicit_listen_address || spec.routing.public_ip_source == IpSource::Service;
}

std::string public_address(const RequiredAddresses& required, const std::string& host,
                           int process) {
  std::string text;
  if (required.tls) text = host + ":" + std::to_string(tls_port(process)) + ":tls";
  if (required.non_tls) {
    if (!text.empty()) text += ',';
    text += host + ":" + std::to_string(plain_port(process));
  }
  return text;
}

std::vector<std::string> listed_arguments(const CommandInputs& inputs, ProcessClass c,
                                          ImageType image, int density,
                                          const CommandEnvironment& env) {
  const ClusterSpec& spec = *inputs.spec;
  const auto& parameters = spec.processes[index(c)].custom_parameters;
  // What is wished decides, whatever the pod that still runs was made for.
  const bool is_plain = spec.image_type == ImageType::Split && density <= 1;
  std::vector<std::string> arguments = {
      "--cluster_file=/var/fdb/data/fdb.cluster",
      "--seed_cluster_file=/var/dynamic-conf/fdb.cluster",
      "--public_address=" +
          public_address(inputs.status->required, bracketed(env.ip, image), env.process),
      "--class=" + std::string(name(c)),
      "--logdir=/var/log/fdb-trace-logs",
      "--loggroup=" + (spec.log_group.empty() ? *inputs.cluster : spec.log_group),
      is_plain ? "--datadir=/var/fdb/data" : "--datadir=/var/fdb/data/" + env.number};
  if (!is_plain) arguments.push_back("--locality_process_id=" + env.group + "-" + env.number);
  arguments.push_back("--locality_instance_id=" + env.group);
  arguments.push_back("--locality_machineid=" + env.machine);
  arguments.push_back("--locality_zoneid=" + env.zone);
  if (names_listen_address(spec)) {
    arguments.push_back("--listen_address=" + public_address(inputs.status->required,
                                                             bracketed(env.pod_ip, image),
                                                             env.process));
  }
  if (!spec.peer_verification_rules.empty()) {
    arguments.push_back("--tls_verify_peers=" + spec.peer_verification_rules);
  }
  for (const std::string& parameter : parameters) arguments.push_back("--" + parameter);
  if (!spec.data_center.empty() && !sets_parameter(parameters, "locality_dcid")) {
    arguments.push_back("--locality_dcid=" + spec.data_center);
  }
  if (!spec.data_hall.empty() && !sets_parameter(parameters, "locality_data_hall")) {
    arguments.push_back("--locality_data_hall=" + spec.data_hall);
  }
  if (spec.routing.dns_localities) arguments.push_back("--locality_dns_name=" + env.dns_name);
  return arguments;
}

std::vector<std::string> start_arguments(const CommandInputs& inputs, ProcessClass c,
                                         ImageType image, int density,
                                         const CommandEnvironment& env) {
  auto arguments = listed_arguments(inputs, c, image, density, env);
  if (image == ImageType::Split) std::sort(arguments.begin(), arguments.end());
  return arguments;
}

std::string command_signature(const CommandInputs& inputs, ProcessClass c, ImageType image,
                              int density) {
  return joined(start_arguments(inputs, c, image, density, {}));
}

std::string monitor_key(ProcessClass c, ImageType image, int density) {
  std::string key = "fdbmonitor-conf-" + std::string(name(c));
  if (image == ImageType::Unified) return key + "-json";
  if (density > 1) key += "-density-" + std::to_string(density);
  return key;
}

std::map<std::string, std::string> config_map_data(const CommandInputs& inputs) {
  const ClusterSpec& spec = *inputs.spec;
  const ClusterStatus& status = *inputs.status;
  std::map<std::string, std::string> data;
  if (!status.connection_string.empty()) data["cluster-file"] = status.connection_string;
  data["running-version"] = to_string(status.running_version);
  if (!spec.trusted_cas.empty())
    data["ca-file"] = fmt::format("{}", fmt::join(spec.trusted_cas, "\n"));
  std::set<ImageType> images(status.image_types.begin(), status.image_types.end());
  if (images.empty()) images.insert(spec.image_type);
  const PerClass<int> wanted = wanted_pods(spec);
  for (std::size_t i = 0; i < kClassCount; ++i) {
    const ProcessClass c = class_at(i);
    if (wanted[i] <= 0) continue;
    if (images.contains(ImageType::Unified)) {
      data[monitor_key(c, ImageType::Unified, 1)] =
          command_signature(inputs, c, ImageType::Unified, 1) + unified_signature(spec);
    }
    if (!images.contains(ImageType::Split)) continue;
    for (const int density : rendered_densities(inputs, c)) {
      data[monitor_key(c, ImageType::Split, density)] =
          command_signature(inputs, c, ImageType::Split, density);
    }
  }
  for (const auto& [key, value] : spec.config_map_overlay) data[key] = value;
  return data;
}

std::string pod_config_signature(const CommandInputs& inputs, ProcessClass c, ImageType image,
                                 int density) {
  const ClusterSpec& spec = *inputs.spec;
  const ClusterStatus& status = *inputs.status;
  std::string text = status.connection_string + "\n" + to_string(status.running_version) + "\n";
  text += joined(spec.trusted_cas);
  // The entry of the unified image is one for all densities, and names the binary to start.
  text += command_signature(inputs, c, image, image == ImageType::Unified ? 1 : density);
  if (image == ImageType::Unified) text += unified_signature(spec);
  return text;
}

}  // namespace ballast::fdb
