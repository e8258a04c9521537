// SPDX-License-Identifier: BSD-2-Clause
// Where pods stand and how they are found: fault domain, routing, labels.
#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <utility>

#include "spec_parts.hpp"

namespace ballast::fdb {

using doc::Tree;

void read_fault_domain(MapReader reader, ClusterSpec& spec) {
  FaultDomain& domain = spec.fault_domain;
  const Redundancy redundancy = spec.redundancy();
  reader.text("key", domain.key);
  reader.text("value", domain.value);
  reader.text("valueFrom", domain.value_from);
  reader.integer("zoneCount", domain.zone_count, 1);
  reader.integer("zoneIndex", domain.zone_index);
  const Tree* given = reader.raw("distribution");
  Tree lower = Tree::map();
  if (given != nullptr && given->is_map()) {
    // Keys of the design document begin with a capital.
    for (const auto& [key, value] : given->entries()) {
      std::string name = key;
      if (!name.empty() && name[0] >= 'A' && name[0] <= 'Z')
        name[0] = static_cast<char>(name[0] - 'A' + 'a');
      lower.set(name, value);
    }
  }
  MapReader packing(given == nullptr || given->is_map() ? &lower : given,
                    reader.path_of("distribution"), reader.context());
  packing.boolean("enabled", domain.distribution.enabled);
  domain.distribution.domains = redundancy.minimum_domains;
  const Tree* wanted = packing.raw("desiredFaultDomains");
  packing.integer("desiredFaultDomains", domain.distribution.domains);
  if (const auto i = packing.one_of("mode", {"preferred", "required"}))
    domain.distribution.is_required = *i == 1;
  packing.finish();
  reader.finish();
  if (!domain.distribution.enabled) return;
  const Tree& place = wanted != nullptr ? *wanted : *given;
  if (domain.distribution.domains < std::max(1, redundancy.minimum_domains)) {
    packing.complain(
        "F014", place, "desiredFaultDomains",
        fmt::format("\"{}\": expected at least {}, the zones that redundancy mode {} needs",
                    domain.distribution.domains, std::max(1, redundancy.minimum_domains),
                    spec.database.redundancy_mode));
  }
  if (domain.key == "foundationdb.org/none" ||
      domain.key == "foundationdb.org/kubernetes-cluster") {
    packing.complain(
        "F014", place, "",
        quoted(domain.key) + ": expected another fault domain key, this one sets the zones itself");
  }
}

void read_routing(MapReader reader, Routing& routing, bool is_v1beta1) {
  if (is_v1beta1) routing.dns_in_cluster_file = false;
  if (const auto i = reader.one_of("publicIPSource", {"pod", "service"}))
    routing.public_ip_source = static_cast<IpSource>(*i);
  std::int64_t family = 0;
  reader.integer("podIPFamily", family);
  if (family != 0 && family != 4 && family != 6) {
    reader.complain("F009", *reader.raw("podIPFamily"), "podIPFamily",
                    fmt::format("\"{}\": expected 4 or 6", family));
    family = 0;
  }
  routing.ip_family = static_cast<int>(family);
  reader.boolean("useDNSInClusterFile", routing.dns_in_cluster_file);
  routing.dns_localities = false;
  routing.headless_service = false;
  reader.boolean("defineDNSLocalityFields", routing.dns_localities);
  reader.boolean("headlessService", routing.headless_service);
  routing.dns_localities = routing.dns_localities || routing.dns_in_cluster_file;
  routing.headless_service = routing.headless_service || routing.dns_localities;
  reader.text("dnsDomain", routing.dns_domain);
  reader.finish();
}

void read_labels(MapReader reader, ClusterSpec& spec, const std::string& name) {
  reader.pairs("matchLabels", spec.match_labels);
  if (spec.match_labels.empty()) spec.match_labels = {{"foundationdb.org/fdb-cluster-name", name}};
  reader.texts("processGroupIDLabels", spec.id_labels);
  if (spec.id_labels.empty()) spec.id_labels = {"foundationdb.org/fdb-process-group-id"};
  reader.texts("processClassLabels", spec.class_labels);
  if (spec.class_labels.empty()) spec.class_labels = {"foundationdb.org/fdb-process-class"};
  reader.boolean("filterOnOwnerReference", spec.filter_on_owner);
  reader.ignore({"resourceLabels"});
  reader.finish();
}

}  // namespace ballast::fdb
