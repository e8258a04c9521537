// SPDX-License-Identifier: BSD-2-Clause
#include "ballast/fdb/search/spread/spread.hpp"

#include <doctest/doctest.h>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include "ballast/fdb/model/identity.hpp"

using namespace ballast::fdb;

namespace {

/// A cluster of storage groups, its pods on hosts.
class Builder {
 public:
  Builder() {
    spec.counts.fill(-1);
    cluster.given.pods = true;
  }

  Builder& group(int number, std::string domain, std::string host,
                 ProcessClass c = ProcessClass::Storage) {
    ProcessGroup group;
    group.id = group_id("", c, number);
    group.process_class = c;
    group.number = number;
    group.fault_domain = domain;
    Pod pod;
    pod.node = std::move(host);
    pod.distribution_key = std::move(domain);
    group.pod = pod;
    cluster.groups.push_back(group);
    spec.counts[index(c)] = std::max(0, spec.counts[index(c)]) + 1;
    return *this;
  }

  [[nodiscard]] Spread spread(int domains) const {
    return plan_spread(cluster, spec, {domains, false, false});
  }

  Cluster cluster;
  ClusterSpec spec;
};

std::string victims(const SpreadClass& row) {
  std::string text;
  for (const SpreadVictim& victim : row.victims)
    text += fmt::format("{}<{}:{} ", victim.id, victim.from, code(victim.reason));
  return text;
}

std::string newcomers(const SpreadClass& row) {
  std::string text;
  for (const SpreadNewcomer& newcomer : row.newcomers)
    text += fmt::format("{}>{} ", newcomer.id, newcomer.to);
  return text;
}

std::string after(const SpreadClass& row) {
  std::vector<int> counts;
  for (const SpreadDomain& domain : row.domains) counts.push_back(domain.after);
  return fmt::format("{}", fmt::join(counts, ","));
}

std::string shares(const SpreadClass& row) {
  std::string text;
  for (const SpreadDomain& domain : row.domains) {
    for (const SharedHost& share : domain.shares) {
      text += fmt::format("{}:{}+{}({}) ", domain.key, share.host, share.with,
                          fmt::join(share.groups, ","));
    }
  }
  return text;
}

Builder six_over_three() {
  Builder builder;
  for (int i = 1; i <= 6; ++i)
    builder.group(i, fmt::format("storage-{}", (i - 1) % 3), fmt::format("host-{}", i));
  return builder;
}

}  // namespace

TEST_CASE("spread: fewer domains replace those of the dropped one") {
  const Spread spread = six_over_three().spread(2);
  REQUIRE(spread.classes.size() == 1);
  const SpreadClass& row = spread.classes[0];
  CHECK(victims(row) ==
        "storage-3<storage-2:fault-domain-dropped storage-6<storage-2:fault-domain-dropped ");
  CHECK(newcomers(row) == "storage-7>storage-0 storage-8>storage-1 ");
  CHECK(after(row) == "3,3,0");
  CHECK(spread.replacements() == 2);
}

TEST_CASE("spread: a further domain takes one group from a fullest one") {
  const SpreadClass row = six_over_three().spread(4).classes[0];
  CHECK(victims(row) == "storage-6<storage-2:fault-domain-rebalance ");
  CHECK(newcomers(row) == "storage-7>storage-3 ");
  CHECK(after(row) == "2,2,1,1");
  CHECK(row.minimum == 1);
  CHECK(row.maximum == 2);
}

TEST_CASE("spread: groups without a logical domain are all replaced") {
  Builder builder;
  builder.group(1, "host-1", "host-1").group(2, "zone-2", "host-2").group(3, "log-1", "host-3");
  const SpreadClass row = builder.spread(3).classes[0];
  CHECK(row.unbound.size() == 3);
  CHECK(newcomers(row) == "storage-4>storage-0 storage-5>storage-1 storage-6>storage-2 ");
  CHECK(after(row) == "1,1,1");
}

TEST_CASE("spread: fewer groups than domains is no fault") {
  Builder builder;
  builder.group(1, "storage-0", "a").group(2, "storage-1", "b").group(3, "storage-2", "c");
  const SpreadClass row = builder.spread(5).classes[0];
  CHECK(row.victims.empty());
  CHECK(row.minimum == 0);
  CHECK(after(row) == "1,1,1,0,0");
}

TEST_CASE("spread: marked groups are not counted, a shrink takes from the fullest") {
  Builder builder = six_over_three();
  builder.cluster.groups[0].marked = 0;
  builder.spec.counts[index(ProcessClass::Storage)] = 4;
  const SpreadClass row = builder.spread(3).classes[0];
  CHECK(row.marked == std::vector<std::string>{"storage-1"});
  CHECK(row.present() == 5);
  CHECK(row.victims.empty());
  CHECK(row.shrink == 1);
  CHECK(after(row) == "1,2,1");
}

TEST_CASE("spread: new numbers pass over taken, excluded and listed ones") {
  Builder builder = six_over_three();
  builder.cluster.database.exclusions.insert("locality_instance_id:storage-7");
  builder.spec.groups_to_remove.push_back("storage-8");
  CHECK(newcomers(builder.spread(4).classes[0]) == "storage-9>storage-3 ");
}

TEST_CASE(
    "spread: a host of two domains is laid to the one with fewer pods there, of equals to the "
    "higher index") {
  Builder builder;
  builder.group(1, "storage-0", "node-1")
      .group(4, "storage-0", "node-2")
      .group(2, "storage-1", "node-3");
  builder.group(5, "storage-1", "node-3")
      .group(3, "storage-2", "node-3")
      .group(6, "storage-2", "node-4");
  const Spread spread = builder.spread(3);
  const SpreadClass& row = spread.classes[0];
  CHECK(row.victims.empty());
  CHECK(shares(row) == "storage-2:node-3+storage-1(storage-3) ");
  CHECK(row.removal.before == 4);
  CHECK(row.removal.after == 3);
  CHECK(row.domains[0].hosts == std::vector<std::string>{"node-1", "node-2"});
  CHECK(spread.warnings.back().code == "domain-shares-host");
  CHECK_FALSE(spread.warnings.back().is_danger);

  Builder equal;
  equal.group(1, "storage-0", "x").group(2, "storage-1", "x");
  CHECK(shares(equal.spread(2).classes[0]) == "storage-1:x+storage-0(storage-2) ");
}

TEST_CASE("spread: hosts are compared across classes unless the scope is the class") {
  Builder builder;
  builder.group(1, "storage-0", "x").group(2, "storage-1", "y");
  builder.group(1, "log-0", "x", ProcessClass::Log).group(2, "log-1", "z", ProcessClass::Log);
  const Spread wide = plan_spread(builder.cluster, builder.spec, {2, true, false});
  REQUIRE(wide.classes.size() == 2);
  CHECK(shares(wide.classes[1]) == "log-0:x+storage-0(log-1) ");
  CHECK(wide.warnings.back().is_danger);
  const Spread narrow = plan_spread(builder.cluster, builder.spec, {2, true, true});
  CHECK(shares(narrow.classes[0]).empty());
  CHECK(shares(narrow.classes[1]).empty());
}

TEST_CASE("spread: rounds follow the mode of each operation") {
  Builder builder = six_over_three();
  builder.spec.automation.removal_mode = Mode::ProcessGroup;
  builder.spec.automation.deletion_mode = Mode::All;
  SpreadClass row = builder.spread(3).classes[0];
  CHECK(row.removal.before == 6);
  CHECK(row.removal.after == 6);
  CHECK(row.recreation.after == 1);
  builder.spec.automation.removal_mode = Mode::None;
  CHECK_FALSE(builder.spread(3).classes[0].removal.after.has_value());
}

TEST_CASE("spread: without pods the rounds before count observed fault domains") {
  Builder builder = six_over_three();
  builder.cluster.given.pods = false;
  for (ProcessGroup& group : builder.cluster.groups) group.pod->is_assumed = true;
  const SpreadClass row = builder.spread(3).classes[0];
  CHECK_FALSE(row.counts_hosts);
  CHECK(row.removal.before == 3);
  CHECK(row.domains[0].hosts.empty());
}

TEST_CASE("spread: domains that cannot be had") {
  ClusterSpec spec;
  CHECK(spread_refusal(spec, 2).empty());
  CHECK(spread_refusal(spec, 1) ==
        "1 fault domains: expected at least 2, the redundancy mode is double");
  CHECK(spread_refusal(spec, 0) == "0 fault domains: expected at least 1");
  spec.fault_domain.key = "foundationdb.org/none";
  CHECK_FALSE(spread_refusal(spec, 3).empty());
}

TEST_CASE("spread: too few domains are warned of") {
  const Spread spread = six_over_three().spread(2);
  REQUIRE(spread.warnings.size() >= 1);
  CHECK(spread.warnings[0].code == "zone-shortage");
  CHECK(spread.warnings[0].text.starts_with("2 domains are less than minimum 2 + F 1"));
}
