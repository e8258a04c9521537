// SPDX-License-Identifier: BSD-2-Clause
#include "ballast/fdb/cli/spread_report.hpp"

#include <doctest/doctest.h>

#include <algorithm>

#include "ballast/fdb/model/identity.hpp"

using namespace ballast::fdb;

namespace {

struct Scene {
  Cluster cluster;
  ClusterSpec spec;

  Scene() {
    cluster.name = "demo";
    cluster.name_space = "fdb";
    cluster.given.pods = true;
    spec.counts.fill(-1);
    spec.counts[index(ProcessClass::Storage)] = 6;
  }

  void group(int number, std::string domain, std::string host) {
    ProcessGroup group;
    group.id = group_id("", ProcessClass::Storage, number);
    group.process_class = ProcessClass::Storage;
    group.number = number;
    group.pod = Pod{};
    group.pod->node = std::move(host);
    group.pod->distribution_key = std::move(domain);
    cluster.groups.push_back(group);
  }

  [[nodiscard]] std::string text(const SpreadOptions& options) const {
    return spread_to_text(plan_spread(cluster, spec, options), cluster);
  }
};

}  // namespace

TEST_CASE("spread text: domains on several hosts, a shared host and the rounds") {
  Scene scene;
  scene.group(1, "storage-0", "node-1");
  scene.group(2, "storage-1", "node-3");
  scene.group(3, "storage-2", "node-3");
  scene.group(4, "storage-0", "node-2");
  scene.group(5, "storage-1", "node-3");
  scene.group(6, "storage-2", "node-4");
  const std::string text = scene.text({3, false, false});
  CHECK(text.find("storage: 6 groups over 3 domains, min 2, max 2, no replacement\n"
                  "  domain     groups                hosts\n"
                  "  storage-0  storage-1, storage-4  node-1, node-2  several hosts\n"
                  "  storage-1  storage-2, storage-5  node-3\n"
                  "  storage-2  storage-3, storage-6  node-3, node-4  several hosts; shares node-3 "
                  "with storage-1\n"
                  "  rounds to remove or recreate every pod of the class, one zone at a time: 4 by "
                  "host, 3 by domain\n") != std::string::npos);
  CHECK(text.find("storage 120 s instead of 180 s\n") != std::string::npos);
  CHECK(text.find("warning domain-shares-host: node-3 holds pods of storage-1 and storage-2: its "
                  "loss takes pods of two zones at "
                  "once; move storage-3\n") != std::string::npos);
}

TEST_CASE("spread text: who leaves, who comes, and why") {
  Scene scene;
  for (int i = 1; i <= 6; ++i) scene.group(i, domain_key(ProcessClass::Storage, (i - 1) % 3), "h");
  scene.cluster.given.pods = false;
  for (ProcessGroup& group : scene.cluster.groups) group.pod->is_assumed = true;
  const std::string text = scene.text({4, false, false});
  CHECK(text.find("storage: 6 groups over 4 domains, min 1, max 2, 1 replacement\n"
                  "  domain     before  after  groups                         hosts\n"
                  "  storage-0       2      2  storage-1, storage-4           unknown\n") !=
        std::string::npos);
  CHECK(text.find("  storage-2       2      1  storage-3, storage-6 (leaves)  unknown\n"
                  "  storage-3       0      1  storage-7 (new)                unknown\n"
                  "  replace storage-6 of storage-2: fault-domain-rebalance: another domain would "
                  "stay below the minimum of 1; a "
                  "fullest domain gives\n") != std::string::npos);
}

TEST_CASE("spread affinity: a required term is bare, and pods without a key repel nobody") {
  const Scene scene;
  const Spread spread = plan_spread(scene.cluster, scene.spec, {2, true, true});
  const std::string yaml = ballast::doc::emit_yaml(
      spread_affinity(spread, scene.cluster, ProcessClass::Storage, "storage-1"));
  CHECK(yaml == R"(podAffinity:
  preferredDuringSchedulingIgnoredDuringExecution:
  - weight: 1
    podAffinityTerm:
      topologyKey: kubernetes.io/hostname
      labelSelector:
        matchLabels:
          foundationdb.org/distribution-key: storage-1
          foundationdb.org/fdb-cluster-name: demo
podAntiAffinity:
  requiredDuringSchedulingIgnoredDuringExecution:
  - topologyKey: kubernetes.io/hostname
    labelSelector:
      matchExpressions:
      - key: foundationdb.org/distribution-key
        operator: Exists
      - key: foundationdb.org/distribution-key
        operator: NotIn
        values:
        - storage-1
      - key: foundationdb.org/fdb-cluster-name
        operator: In
        values:
        - demo
      - key: foundationdb.org/fdb-process-class
        operator: In
        values:
        - storage
)");
}

TEST_CASE("spread document holds every class, its domains and its victims") {
  Scene scene;
  for (int i = 1; i <= 6; ++i) scene.group(i, domain_key(ProcessClass::Storage, (i - 1) % 3), "h");
  const Spread spread = plan_spread(scene.cluster, scene.spec, {4, false, false});
  const ballast::report::Document document = spread_document(spread, scene.cluster);
  REQUIRE(document.summary.find("replacements") != nullptr);
  CHECK(*document.summary.find("replacements") == ballast::Value(1));
  const auto rows = [&](std::string_view name) {
    const auto table = std::ranges::find(document.tables, name, &ballast::report::DataTable::name);
    REQUIRE(table != document.tables.end());
    for (const auto& row : table->rows) CHECK(row.size() == table->columns.size());
    return table->rows;
  };
  CHECK(rows("classes").size() == 1);
  CHECK(rows("domains").size() == 4);
  REQUIRE(rows("replaced").size() == 1);
  CHECK(rows("replaced").front().at(3) == ballast::Value("fault-domain-rebalance"));
  CHECK(rows("added").size() == 1);
  CHECK(rows("pods").size() == 4);
}
