// SPDX-License-Identifier: BSD-2-Clause
#include <initializer_list>

#include "ballast/fdb/cli/spread_report.hpp"
#include "ballast/kube/write.hpp"

namespace ballast::fdb {
namespace {

using doc::Tree;

constexpr std::string_view kKeyLabel = "foundationdb.org/distribution-key";
constexpr std::string_view kClusterLabel = "foundationdb.org/fdb-cluster-name";
constexpr std::string_view kClassLabel = "foundationdb.org/fdb-process-class";

using kube::text;

Tree entry(std::string_view key, Tree value) {
  return Tree::map({{std::string(key), std::move(value)}});
}

Tree expression(std::string_view key, std::string_view operation, std::string_view value = {}) {
  Tree node = entry("key", text(key));
  node.set("operator", text(operation));
  if (!value.empty()) node.set("values", Tree::list({text(value)}));
  return node;
}

Tree term(std::string_view topology_key, Tree selector) {
  Tree node = entry("topologyKey", text(topology_key));
  node.set("labelSelector", std::move(selector));
  return node;
}

Tree preferred(Tree pod_affinity_term) {
  Tree node = entry("weight", Tree::integer(1));
  node.set("podAffinityTerm", std::move(pod_affinity_term));
  return entry("preferredDuringSchedulingIgnoredDuringExecution", Tree::list({std::move(node)}));
}

Tree required(Tree bare_term) {
  return entry("requiredDuringSchedulingIgnoredDuringExecution",
               Tree::list({std::move(bare_term)}));
}

}  // namespace

Tree spread_affinity(const Spread& spread, const Cluster& cluster, ProcessClass c,
                     std::string_view key) {
  Tree labels = entry(kKeyLabel, text(key));
  labels.set(kClusterLabel, text(cluster.name));
  Tree together = term(spread.topology_key, entry("matchLabels", std::move(labels)));

  // Exists: a pod from before the packing has no key and must not repel the new ones.
  Tree expressions =
      Tree::list({expression(kKeyLabel, "Exists"), expression(kKeyLabel, "NotIn", key),
                  expression(kClusterLabel, "In", cluster.name)});
  if (spread.options.by_class)
    expressions.items().push_back(expression(kClassLabel, "In", name(c)));
  Tree apart = term(spread.topology_key, entry("matchExpressions", std::move(expressions)));

  Tree affinity = entry("podAffinity", preferred(std::move(together)));
  affinity.set("podAntiAffinity", spread.options.is_required ? required(std::move(apart))
                                                             : preferred(std::move(apart)));
  return affinity;
}

}  // namespace ballast::fdb
