// SPDX-License-Identifier: BSD-2-Clause
// What servers are started with, and the config map that tells them.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "ballast/fdb/model/cluster.hpp"

namespace ballast::fdb {

/// What a start command depends on, apart from the pod itself.
struct CommandInputs {
  const ClusterSpec* spec = nullptr;
  const ClusterStatus* status = nullptr;
  const std::string* cluster = nullptr;
  const std::string* name_space = nullptr;
};

/// Values that the pod's environment supplies.
struct CommandEnvironment {
  std::string group = "$FDB_INSTANCE_ID";
  std::string ip = "$FDB_PUBLIC_IP";
  std::string pod_ip = "$FDB_POD_IP";
  std::string machine = "$FDB_MACHINE_ID";
  std::string zone = "$FDB_ZONE_ID";
  std::string dns_name = "$FDB_DNS_NAME";
  std::string number = "$N";  ///< of the process within the pod
  int process = 1;
};

/// Servers are told the address that they listen on, which their pods name for it.
bool names_listen_address(const ClusterSpec& spec);

/// The arguments of one server, without the binary, in the order in which the config map lists
/// them.
std::vector<std::string> listed_arguments(const CommandInputs& inputs, ProcessClass c,
                                          ImageType image, int density,
                                          const CommandEnvironment& environment);

/// The same in the order in which they are compared; another one for the split image.
std::vector<std::string> start_arguments(const CommandInputs& inputs, ProcessClass c,
                                         ImageType image, int density,
                                         const CommandEnvironment& environment);

/// Text that is equal exactly for equal start commands of the class (environment left open).
std::string command_signature(const CommandInputs& inputs, ProcessClass c, ImageType image,
                              int density);

/// `fdbmonitor-conf-<class>` with `-density-N` or `-json` where they belong.
std::string monitor_key(ProcessClass c, ImageType image, int density);

/// The data that the operator would write: key -> text that is equal exactly for equal content.
std::map<std::string, std::string> config_map_data(const CommandInputs& inputs);

/// Text that is equal exactly for equal configuration of a pod (its own monitor key and what all
/// share).
std::string pod_config_signature(const CommandInputs& inputs, ProcessClass c, ImageType image,
                                 int density);

/// `host:port` of process i as a public address of the wanted kinds, TLS first.
std::string public_address(const RequiredAddresses& required, const std::string& host, int process);

}  // namespace ballast::fdb
