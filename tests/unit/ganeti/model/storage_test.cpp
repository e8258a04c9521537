// SPDX-License-Identifier: BSD-2-Clause
// The limits of one free figure per node are gone: each test is a cluster where the old rule is
// wrong.
#include <doctest/doctest.h>

#include <string>

#include "ballast/ganeti/loading/pipeline.hpp"
#include "ballast/ganeti/model/unit_resolver.hpp"
#include "ballast/ganeti/moves/move.hpp"
#include "support/ganeti_text.hpp"

using namespace ballast;
using namespace ballast::ganeti;
using ballast::ganeti::test::ClusterText;

namespace {

std::string node_line(const std::string& name, const std::string& storage,
                      const std::string& disk = "20480|20480", const std::string& exclusive = "N") {
  return name + "|65536|4096|61440|" + disk + "|16|N|uuid-g|12||" + exclusive + "|12|1|1.0|" +
         storage + "\n";
}

std::string instance_line(const std::string& name, const std::string& disk,
                          const std::string& nodes, const std::string& disk_template,
                          const std::string& disks = "") {
  const std::string told = disks.empty() ? "" : "|" + disks;
  return name + "|512|" + disk + "|1|running|Y|" + nodes + "|" + disk_template + "||1|-|N" + told +
         "\n";
}

using Evaluated = tl::expected<MoveEffect, Refusal>;

Evaluated try_move(const Snapshot& snapshot, const std::string& name, MoveKind kind,
                   const std::string& target, bool force = false) {
  const NodeId node = target.empty() ? NodeId() : test::node(snapshot, target);
  return evaluate(snapshot.cluster, snapshot.state, test::instance(snapshot, name), {kind, node},
                  force);
}

void check_refused(const Snapshot& snapshot, const Evaluated& effect, Rule rule,
                   const std::string& unit, double wanted, double available) {
  REQUIRE_FALSE(effect);
  CHECK(effect.error().reason == FailReason::Disk);
  CHECK(static_cast<int>(effect.error().rule) == static_cast<int>(rule));
  REQUIRE_FALSE(effect.error().unit.is_none());
  CHECK(to_string(snapshot.cluster[effect.error().unit]) == unit);
  CHECK(effect.error().wanted == wanted);
  CHECK(effect.error().available == available);
}

const Capacity& capacity(const Snapshot& snapshot, const State& state, const std::string& node,
                         const std::string& unit) {
  const NodeId id = test::node(snapshot, node);
  for (const StorageUnit& held : snapshot.cluster[id].units) {
    if (to_string(snapshot.cluster[held.key]) == unit) {
      return state[id].capacities[static_cast<std::size_t>(held.capacity)];
    }
  }
  throw std::runtime_error("no unit " + unit);
}

}  // namespace

TEST_CASE("ten drbd and ten plain do not make room for fifteen drbd") {
  ClusterText text;
  text.nodes = node_line("a", "20480,20480,drbd8,hdd") + node_line("b", "20480,20480,drbd8,hdd") +
               node_line("c", "10240,10240,drbd8,hdd;10240,10240,lvm-vg,ssd");
  text.instances = instance_line("db", "15360", "a|b", "drbd");
  const Snapshot snapshot = test::load(text);
  check_refused(snapshot, try_move(snapshot, "db", MoveKind::ReplaceSecondary, "c"), Rule::UnitFull,
                "drbd8/hdd", 15360, 10240);
  PipelineOptions old;
  old.ignore_storage = true;
  CHECK(try_move(test::load(text, old), "db", MoveKind::ReplaceSecondary, "c"));
}

TEST_CASE("a move that the node's total forbids but the unit allows is legal, an exact fit too") {
  ClusterText text;
  text.nodes = node_line("a", "0,9000,drbd8,x", "9000|0") +
               node_line("b", "9000,9000,drbd8,x", "9000|9000") +
               node_line("c", "5000,9000,drbd8,x", "9000|5000");
  text.instances = instance_line("db", "5000", "a|b", "drbd");
  const Snapshot snapshot = test::load(text);
  CHECK(try_move(snapshot, "db", MoveKind::ReplaceSecondary, "c"));
  PipelineOptions old;
  old.ignore_storage = true;
  CHECK_FALSE(try_move(test::load(text, old), "db", MoveKind::ReplaceSecondary, "c"));
}

TEST_CASE("disks on two units need both of them") {
  ClusterText text;
  text.nodes = node_line("a", "1000,5000,drbd8,s;1000,5000,drbd8,h") +
               node_line("b", "1000,5000,drbd8,s;1000,5000,drbd8,h") +
               node_line("c", "100,5000,drbd8,s;1000,5000,drbd8,h") +
               node_line("d", "100,5000,drbd8,s;900,5000,drbd8,h");
  text.instances = instance_line("db", "1100", "a|b", "drbd", "100,drbd8,s;1000,drbd8,h");
  const Snapshot snapshot = test::load(text);
  const Evaluated effect = try_move(snapshot, "db", MoveKind::ReplaceSecondary, "c");
  REQUIRE(effect);
  State after = snapshot.state;
  apply(after, InstanceId(std::size_t{0}), MoveEffect(*effect));
  CHECK(capacity(snapshot, after, "c", "drbd8/s").free_mib == 0);
  CHECK(capacity(snapshot, after, "c", "drbd8/h").free_mib == 0);
  CHECK(capacity(snapshot, after, "b", "drbd8/s").free_mib == 1100);
  CHECK(capacity(snapshot, after, "b", "drbd8/h").free_mib == 2000);
  CHECK(capacity(snapshot, after, "a", "drbd8/h") ==
        capacity(snapshot, snapshot.state, "a", "drbd8/h"));
  const Evaluated refused = try_move(snapshot, "db", MoveKind::ReplaceSecondary, "d");
  check_refused(snapshot, refused, Rule::UnitFull, "drbd8/h", 1000, 900);
  CHECK(refused.error().disk == 1);
}

TEST_CASE("two disks on one unit that fit singly do not fit together") {
  ClusterText text;
  text.nodes = node_line("a", "1000,5000,drbd8,x") + node_line("b", "1000,5000,drbd8,x") +
               node_line("c", "1000,5000,drbd8,x");
  text.instances = instance_line("db", "1200", "a|b", "drbd", "600,drbd8,x;600,drbd8,x");
  const Snapshot snapshot = test::load(text);
  check_refused(snapshot, try_move(snapshot, "db", MoveKind::ReplaceSecondary, "c"), Rule::UnitFull,
                "drbd8/x", 600, 400);
}

TEST_CASE("a unit that only some nodes have limits where an instance goes") {
  ClusterText text;
  text.nodes = node_line("a", "1000,5000,drbd8,x") + node_line("b", "1000,5000,drbd8,x") +
               node_line("c", "9000,9000,drbd8,y");
  text.instances = instance_line("db", "10", "a|b", "drbd", "10,drbd8,x");
  const Snapshot snapshot = test::load(text);
  check_refused(snapshot, try_move(snapshot, "db", MoveKind::ReplaceSecondary, "c", true),
                Rule::UnitMissing, "drbd8/x", 10, 0);
}

TEST_CASE("shared storage must be there, and moving takes nothing from it") {
  ClusterText text;
  text.nodes = node_line("a", "0,5000,rados,pool") + node_line("b", "0,5000,rados,pool") +
               node_line("c", "9,9,file,/x");
  text.instances = instance_line("db", "1000", "a|", "rbd");
  const Snapshot snapshot = test::load(text);
  const Evaluated effect = try_move(snapshot, "db", MoveKind::FailoverToAny, "b");
  REQUIRE(effect);
  for (int i = 0; i < effect->count; ++i)
    CHECK(effect->nodes[static_cast<std::size_t>(i)].state.capacities[0].free_mib == 0);
  check_refused(snapshot, try_move(snapshot, "db", MoveKind::FailoverToAny, "c"), Rule::UnitMissing,
                "rados/pool", 1000, 0);
}

TEST_CASE("a new instance takes its shared space once, from every node's view") {
  ClusterText text;
  text.nodes = node_line("a", "5000,5000,rados,pool") + node_line("b", "5000,5000,rados,pool");
  text.instances = instance_line("db", "1000", "a|", "rbd");
  const Snapshot snapshot = test::load(text);
  State state = snapshot.state;
  const InstanceRef fresh{InstanceId(std::size_t{0}), &snapshot.cluster.instances[0], {}, true};
  const NodeId b = test::node(snapshot, "b");
  REQUIRE_FALSE(add_primary(snapshot.cluster, b, state[b], fresh, false));
  take_shared_storage(snapshot.cluster, state, fresh, b);
  CHECK(capacity(snapshot, state, "a", "rados/pool").free_mib == 4000);
  CHECK(capacity(snapshot, state, "b", "rados/pool").free_mib == 4000);
  CHECK(capacity(snapshot, state, "b", "rados/pool").forth_free_mib == 4000);
}

TEST_CASE("drbd8 and lvm-vg on one volume group share their space, the smaller figure counts") {
  ClusterText text;
  text.nodes = node_line("a", "3000,5000,drbd8,x;2000,5000,lvm-vg,x") +
               node_line("b", "5000,5000,drbd8,x;5000,5000,lvm-vg,x") +
               node_line("c", "5000,5000,drbd8,x");
  text.instances = instance_line("db", "1500", "b|c", "drbd");
  const Snapshot snapshot = test::load(text);
  const Evaluated effect = try_move(snapshot, "db", MoveKind::ReplaceSecondary, "a");
  REQUIRE(effect);
  State after = snapshot.state;
  apply(after, InstanceId(std::size_t{0}), MoveEffect(*effect));
  CHECK(capacity(snapshot, after, "a", "lvm-vg/x").free_mib == 500);
  CHECK(capacity(snapshot, after, "a", "drbd8/x").free_mib == 500);
  REQUIRE(!snapshot.warnings.empty());
  CHECK(snapshot.warnings.front() ==
        "drbd8 and lvm-vg tell different figures for one volume group, the smaller count: x on a");
}

TEST_CASE("DRBD metadata counts, from a volume group of its own where there is one") {
  ClusterText text;
  text.nodes = node_line("a", "9000,9000,drbd8,x;200,200,drbd8,meta") +
               node_line("b", "9000,9000,drbd8,x;200,200,drbd8,meta") +
               node_line("c", "1000,9000,drbd8,x;100,200,drbd8,meta") +
               node_line("d", "1000,9000,drbd8,x;128,200,drbd8,meta");
  text.instances = instance_line("db", "1000", "a|b", "drbd");
  PipelineOptions options;
  options.default_storage = {{"drbd8", "x"}};
  Snapshot snapshot = test::load(text, options);
  Disk& disk = snapshot.cluster.instances[0].disks[0];
  disk.taken_mib = disk.size_mib + 128;
  check_refused(snapshot, try_move(snapshot, "db", MoveKind::ReplaceSecondary, "d"), Rule::UnitFull,
                "drbd8/x", 1128, 1000);
  disk.taken_mib = disk.size_mib;
  disk.meta_unit = intern_storage_key(snapshot.cluster, "drbd8", "meta");
  disk.meta_mib = 128;
  check_refused(snapshot, try_move(snapshot, "db", MoveKind::ReplaceSecondary, "c"), Rule::UnitFull,
                "drbd8/meta", 128, 100);
  CHECK(try_move(snapshot, "db", MoveKind::ReplaceSecondary, "d"));
}

TEST_CASE("instances whose unit is unknown stay put, with one warning") {
  ClusterText text;
  const std::string two = "4000,5000,drbd8,x;4000,5000,drbd8,y";
  text.nodes = node_line("a", two) + node_line("b", two) + node_line("c", two);
  text.instances =
      instance_line("db", "10", "a|b", "drbd") + instance_line("web", "10", "a|b", "drbd");
  const Snapshot snapshot = test::load(text);
  const Evaluated effect = try_move(snapshot, "db", MoveKind::Failover, "");
  REQUIRE_FALSE(effect);
  CHECK(effect.error().rule == Rule::UnitUnknown);
  CHECK(effect.error().disk == 0);
  REQUIRE(snapshot.warnings.size() == 1);
  CHECK(snapshot.warnings[0] ==
        "storage unit unknown, so not moved (--default-storage TYPE=KEY tells it): db, web");
  PipelineOptions options;
  options.default_storage = {{"drbd", "y"}};
  const Snapshot told = test::load(text, options);
  CHECK(told.warnings.empty());
  CHECK(to_string(told.cluster[told.cluster.instances[0].disks[0].unit]) == "drbd8/y");
  CHECK(try_move(told, "db", MoveKind::ReplaceSecondary, "c"));
}

TEST_CASE("a disk's unit: the group's only key, else the primary's only unit") {
  ClusterText text;
  text.nodes = node_line("a", "50,50,lvm-vg,x;50,50,file,/f") + node_line("b", "50,50,lvm-vg,y");
  text.instances = instance_line("p", "10", "a|", "plain") +
                   instance_line("f", "10", "b|", "file") +
                   instance_line("none", "10", "a|", "diskless");
  const Snapshot snapshot = test::load(text);
  CHECK(to_string(snapshot.cluster[snapshot.cluster.instances[0].disks[0].unit]) == "lvm-vg/x");
  CHECK(to_string(snapshot.cluster[snapshot.cluster.instances[1].disks[0].unit]) == "file//f");
  CHECK(snapshot.cluster.instances[2].disks[0].unit.is_none());
  CHECK_FALSE(snapshot.cluster.instances[2].is_unit_unknown);
}

TEST_CASE("a requested disk without unit is an error that lists the candidates") {
  ClusterText text;
  text.nodes = node_line("a", "50,50,lvm-vg,x;50,50,lvm-vg,y;5,5,ext,e");
  Snapshot snapshot = test::load(text);
  UnitResolver resolver(snapshot.cluster, {});
  Instance wish;
  wish.name = "new";
  wish.disks.resize(2);
  const auto failed = resolver.resolve_request(wish, GroupId(std::size_t{0}));
  REQUIRE_FALSE(failed);
  CHECK(failed.error().message ==
        "disk 0 of instance new: several lvm-vg storage units are possible: x, y; "
        "--default-storage lvm-vg=KEY tells which to use");
  wish.disk_template = DiskTemplate::Ext;
  REQUIRE(resolver.resolve_request(wish, GroupId(std::size_t{0})));
  CHECK(to_string(snapshot.cluster[wish.disks[1].unit]) == "ext/e");
}

TEST_CASE("the low-water mark of --min-disk applies to each unit, and force lifts it") {
  ClusterText text;
  text.nodes = node_line("a", "9000,9000,drbd8,x") + node_line("b", "9000,9000,drbd8,x") +
               node_line("c", "1000,1000,drbd8,x");
  text.instances = instance_line("db", "901", "a|b", "drbd");
  Snapshot snapshot = test::load(text);
  set_min_disk(snapshot, 0.1);
  check_refused(snapshot, try_move(snapshot, "db", MoveKind::ReplaceSecondary, "c"),
                Rule::UnitLowWater, "drbd8/x", 100, 99);
  CHECK(try_move(snapshot, "db", MoveKind::ReplaceSecondary, "c", true));
}

TEST_CASE("forthcoming instances take from a shadow figure of the unit") {
  ClusterText text;
  text.nodes = node_line("a", "9000,9000,drbd8,x") + node_line("b", "9000,9000,drbd8,x") +
               node_line("c", "1000,1000,drbd8,x");
  text.instances =
      instance_line("db", "500", "a|b", "drbd") + "soon|1|600|1|running|Y|c|a|drbd||1|-|Y\n";
  const Snapshot snapshot = test::load(text);
  CHECK(capacity(snapshot, snapshot.state, "c", "drbd8/x").free_mib == 1000);
  CHECK(capacity(snapshot, snapshot.state, "c", "drbd8/x").forth_free_mib == 400);
  check_refused(snapshot, try_move(snapshot, "db", MoveKind::ReplaceSecondary, "c"),
                Rule::ForthcomingUnitFull, "drbd8/x", 500, 400);
  CHECK(try_move(snapshot, "db", MoveKind::ReplaceSecondary, "c", true));
}

TEST_CASE("a reserve is kept, exchanging roles is exempt, and force does not lift it") {
  ClusterText text;
  text.nodes = node_line("a", "100,9000,drbd8,x") + node_line("b", "100,9000,drbd8,x") +
               node_line("c", "1000,2000,drbd8,x");
  text.instances =
      instance_line("db", "700", "a|b", "drbd") + instance_line("web", "300", "a|b", "drbd");
  Snapshot snapshot = test::load(text);
  REQUIRE(set_reserves(snapshot, {{std::nullopt, std::nullopt}}));
  CHECK(capacity(snapshot, snapshot.state, "c", "drbd8/x").reserve_mib == 700);
  check_refused(snapshot, try_move(snapshot, "db", MoveKind::ReplaceSecondary, "c", true),
                Rule::UnitReserve, "drbd8/x", 700, 300);
  CHECK(try_move(snapshot, "web", MoveKind::ReplaceSecondary, "c"));
  CHECK(try_move(snapshot, "db", MoveKind::Failover, ""));
  REQUIRE(set_reserves(snapshot, {{std::nullopt, 5}, {StorageKey{"drbd", "x"}, 800}}));
  CHECK(capacity(snapshot, snapshot.state, "c", "drbd8/x").reserve_mib == 800);
  const auto failed = set_reserves(snapshot, {{StorageKey{"file", "/no"}, 1}});
  REQUIRE_FALSE(failed);
  CHECK(failed.error().message == "--reserve: no node has a storage unit file//no");
}

TEST_CASE("exclusive storage asks for spindles beside the unit's space") {
  ClusterText text;
  text.nodes = node_line("n1", "9000,10240,drbd8,vg") + node_line("n2", "9000,10240,drbd8,vg") +
               "n3|65536|4096|61440|20480|20480|16|N|uuid-g|12||Y|1|1|1.0|10240,10240,drbd8,vg\n";
  text.instances = "i1|512|1024|1|running|Y|n1|n2|drbd||1|2|N|1024,drbd8,vg\n";
  const Snapshot snapshot = test::load(text);
  const Evaluated effect = try_move(snapshot, "i1", MoveKind::ReplaceSecondary, "n3");
  REQUIRE_FALSE(effect);
  CHECK(effect.error().reason == FailReason::Spindles);
}

TEST_CASE("without storage the reserve is kept on the node's free disk") {
  ClusterText text;
  text.nodes =
      "a|65536|4096|61440|9000|100|16|N|uuid-g\nb|65536|4096|61440|9000|100|16|N|uuid-g\nc|65536|"
      "4096|61440|9000|1000|16|N|uuid-g\n";
  text.instances =
      instance_line("db", "700", "a|b", "drbd") + instance_line("web", "300", "a|b", "drbd");
  Snapshot snapshot = test::load(text);
  REQUIRE(set_reserves(snapshot, {{std::nullopt, std::nullopt}}));
  const Evaluated refused = try_move(snapshot, "db", MoveKind::ReplaceSecondary, "c");
  REQUIRE_FALSE(refused);
  CHECK(refused.error().rule == Rule::NodeReserve);
  CHECK(refused.error().wanted == 700);
  CHECK(refused.error().available == 300);
  CHECK(try_move(snapshot, "web", MoveKind::ReplaceSecondary, "c"));
}

TEST_CASE("space that comes back never lifts a unit above its total, and the way back stays open") {
  ClusterText text;
  text.nodes = node_line("a", "900,1000,drbd8,x") + node_line("b", "1000,1000,drbd8,x") +
               node_line("c", "1000,1000,drbd8,x");
  text.instances = instance_line("db", "500", "a|b", "drbd");
  const Snapshot snapshot = test::load(text);
  CHECK(snapshot.warnings.front() ==
        "free space and disks are more than the storage unit's total: drbd8/x on a by 400 MiB, "
        "drbd8/x on b by 500 MiB");
  State state = snapshot.state;
  auto effect = try_move(snapshot, "db", MoveKind::ReplaceSecondary, "c");
  REQUIRE(effect);
  apply(state, InstanceId(std::size_t{0}), std::move(*effect));
  CHECK(capacity(snapshot, state, "b", "drbd8/x").free_mib == 1000);
  CHECK(capacity(snapshot, state, "a", "drbd8/x").free_mib == 900);
}

TEST_CASE("a disk of negative size takes nothing") {
  ClusterText text;
  text.nodes = node_line("a", "900,1000,drbd8,x") + node_line("b", "900,1000,drbd8,x") +
               node_line("c", "900,1000,drbd8,x");
  text.instances = instance_line("db", "-500", "a|b", "drbd");
  const Snapshot snapshot = test::load(text);
  State state = snapshot.state;
  auto effect = try_move(snapshot, "db", MoveKind::ReplaceSecondary, "c");
  REQUIRE(effect);
  apply(state, InstanceId(std::size_t{0}), std::move(*effect));
  CHECK(capacity(snapshot, state, "b", "drbd8/x").free_mib == 900);
  CHECK(capacity(snapshot, state, "c", "drbd8/x").free_mib == 900);
}

TEST_CASE("oddities are told once each") {
  ClusterText text;
  text.nodes =
      node_line("a", "1,9,drbd8,x,Y;1,9,tape,t") + node_line("b", "1,9,drbd8,x,N") +
      "c|65536|4096|61440|9000|9000|16|N|uuid-g\nd|65536|4096|61440|9000|9000|16|Y|uuid-g\n";
  text.instances = instance_line("db", "7", "a|b", "drbd", "8,drbd8,x");
  const Snapshot snapshot = test::load(text);
  CHECK(snapshot.warnings ==
        std::vector<std::string>{
            R"(storage type "tape" is not known; it is kept as it is)",
            "nodes without storage units, where no disk fits: c",
            "storage units with different parameters on different nodes: drbd8/x",
            "the node's exclusive storage flag counts, not the different one of its unit: drbd8/x "
            "on a",
            "disks do not add up to the instance's disk: db (8 instead of 7)"});
}
