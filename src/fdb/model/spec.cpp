// SPDX-License-Identifier: BSD-2-Clause
#include "ballast/fdb/model/spec.hpp"

#include <algorithm>
#include <set>

#include "ballast/fdb/model/server_config.hpp"

namespace ballast::fdb {
namespace {

void put(std::string& text, std::string_view part) {
  text += part;
  text += '\n';
}

void put(std::string& text, bool flag) { put(text, flag ? std::string_view("1") : "0"); }

void put(std::string& text, const Pairs& pairs) {
  for (const auto& [key, value] : pairs) put(text, key + "=" + value);
  put(text, std::string_view("."));
}

}  // namespace

int ClusterSpec::density(ProcessClass c) const {
  if (c == ProcessClass::Storage) return std::max(1, storage_servers_per_pod);
  return is_log_class(c) ? std::max(1, log_servers_per_pod) : 1;
}

bool ClusterSpec::is_eligible_coordinator(ProcessClass c) const {
  if (!is_stateful(c)) return false;
  return coordinator_selection.empty() ||
         std::any_of(coordinator_selection.begin(), coordinator_selection.end(),
                     [c](const auto& entry) { return entry.first == c; });
}

int ClusterSpec::coordinator_priority(ProcessClass c) const {
  for (const auto& [selected, priority] : coordinator_selection) {
    if (selected == c) return priority;
  }
  return is_log_class(c) ? 1 : 0;
}

bool ClusterSpec::shares_database() const {
  std::set<std::string> centers;
  for (const Region& region : database.regions) {
    for (const DataCenter& dc : region.data_centers) centers.insert(dc.id);
  }
  return centers.size() > 1 || !data_hall.empty() || fault_domain.zone_count.value_or(1) > 1 ||
         fault_domain.key == "foundationdb.org/kubernetes-cluster";
}

std::string pod_shape(const ClusterSpec& spec, ProcessClass c) {
  const FaultDomain& domain = spec.fault_domain;
  std::string text;
  put(text, spec.processes[index(c)].pod.canonical);
  put(text, to_string(spec.version));
  put(text, spec.main_image);
  put(text, spec.sidecar_image);
  put(text, spec.image_type == ImageType::Split);
  put(text, !spec.trusted_cas.empty());
  put(text, spec.log_group);
  put(text, std::to_string(spec.density(c)));
  put(text, spec.routing.public_ip_source == IpSource::Service);
  put(text, std::to_string(spec.routing.ip_family));
  // Pods have a host name and a subdomain where the headless service exists.
  put(text, spec.routing.headless_service);
  put(text, spec.routing.dns_localities);
  if (spec.routing.dns_localities) put(text, spec.routing.dns_domain);
  put(text, domain.key);
  put(text, domain.value);
  put(text, domain.value_from);
  put(text, domain.distribution.enabled);
  put(text, domain.distribution.enabled && domain.distribution.is_required);
  put(text, names_listen_address(spec));
  put(text, spec.match_labels);
  put(text, spec.class_labels.empty() ? std::string_view() : spec.class_labels.front());
  if (spec.image_type == ImageType::Split) put(text, spec.sidecar_settings);
  return text;
}

}  // namespace ballast::fdb
