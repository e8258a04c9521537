// SPDX-License-Identifier: BSD-2-Clause
#include <initializer_list>

#include "ballast/fdb/cli/spread_report.hpp"

namespace ballast::fdb {
namespace {

using kube::Node;

constexpr std::string_view kKeyLabel = "foundationdb.org/distribution-key";
constexpr std::string_view kClusterLabel = "foundationdb.org/fdb-cluster-name";
constexpr std::string_view kClassLabel = "foundationdb.org/fdb-process-class";

Node text(std::string_view value) { return Node::string(std::string(value)); }

Node entry(std::string_view key, Node value) {
  return Node::map({{std::string(key), std::move(value)}});
}

Node expression(std::string_view key, std::string_view operation, std::string_view value = {}) {
  Node node = entry("key", text(key));
  node.set("operator", text(operation));
  if (!value.empty()) node.set("values", Node::list({text(value)}));
  return node;
}

Node term(std::string_view topology_key, Node selector) {
  Node node = entry("topologyKey", text(topology_key));
  node.set("labelSelector", std::move(selector));
  return node;
}

Node preferred(Node pod_affinity_term) {
  Node node = entry("weight", Node::integer(1));
  node.set("podAffinityTerm", std::move(pod_affinity_term));
  return entry("preferredDuringSchedulingIgnoredDuringExecution", Node::list({std::move(node)}));
}

Node required(Node bare_term) {
  return entry("requiredDuringSchedulingIgnoredDuringExecution",
               Node::list({std::move(bare_term)}));
}

}  // namespace

Node spread_affinity(const Spread& spread, const Cluster& cluster, ProcessClass c,
                     std::string_view key) {
  Node labels = entry(kKeyLabel, text(key));
  labels.set(kClusterLabel, text(cluster.name));
  Node together = term(spread.topology_key, entry("matchLabels", std::move(labels)));

  // Exists: a pod from before the packing has no key and must not repel the new ones.
  Node expressions =
      Node::list({expression(kKeyLabel, "Exists"), expression(kKeyLabel, "NotIn", key),
                  expression(kClusterLabel, "In", cluster.name)});
  if (spread.options.by_class)
    expressions.items().push_back(expression(kClassLabel, "In", name(c)));
  Node apart = term(spread.topology_key, entry("matchExpressions", std::move(expressions)));

  Node affinity = entry("podAffinity", preferred(std::move(together)));
  affinity.set("podAntiAffinity", spread.options.is_required ? required(std::move(apart))
                                                             : preferred(std::move(apart)));
  return affinity;
}

}  // namespace ballast::fdb
