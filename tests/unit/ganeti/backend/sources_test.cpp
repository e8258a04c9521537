// SPDX-License-Identifier: BSD-2-Clause
#include <doctest/doctest.h>

#include "ballast/ganeti/backend/json/json.hpp"
#include "ballast/ganeti/backend/mond/mond.hpp"
#include "ballast/ganeti/backend/rapi/rapi.hpp"
#include "ballast/ganeti/backend/simulate/simulate.hpp"
#include "ballast/ganeti/backend/storage/query.hpp"
#include "ballast/ganeti/backend/transport/http.hpp"

using namespace ballast;
using namespace ballast::ganeti;

namespace {

const std::string kPolicy =
    R"({"minmax": [], "std": {"memory-size": 1, "cpu-count": 1, "disk-size": 1, "disk-count": 1,
    "nic-count": 1, "spindle-use": 1}, "disk-templates": ["drbd"], "vcpu-ratio": 4, "spindle-ratio": 32})";
const std::string kGroups =
    R"([{"name": "g", "uuid": "u", "alloc_policy": "preferred", "tags": [], "ipolicy": )" +
    kPolicy + "}]";
const std::string kInfo =
    R"({"master": "n1", "tags": [], "default_hypervisor": "kvm", "ipolicy": )" + kPolicy + "}";

std::string node(const std::string& name, const std::string& more) {
  return R"({"name": ")" + name +
         R"(", "offline": false, "drained": false, "group.uuid": "u", "tags": [],
    "ndparams": {"exclusive_storage": false, "spindle_count": 1}, "mtotal": 100, "mnode": 1,
    "mfree": 50, "dtotal": 1000, "dfree": 500, "ctotal": 4, "cnos": 1)" +
         more + "}";
}

std::string instance(const std::string& more) {
  return R"([{"name": "i", "disk_usage": 138, "disk.sizes": [10], "disk.spindles": [null],
    "beparams": {"vcpus": 1, "auto_balance": true, "spindle_use": 1, "maxmem": 8}, "oper_ram": "-",
    "pnode": "n1", "snodes": ["n2"], "status": "ADMIN_down", "tags": [], "disk_template": "drbd")" +
         more + "}]";
}

Result<Snapshot> read(const std::string& nodes, const std::string& instances,
                      bool ignore_storage = false) {
  return read_rapi({kGroups, "[" + nodes + "]", instances, kInfo}, ignore_storage);
}

std::string internal_of(const std::string& text) {
  const auto document = json::Document::parse("[" + text + "]");
  REQUIRE(document);
  return json::internal((*document)->root().first());
}

}  // namespace

TEST_CASE("numbers in the reference's internal notation are reduced fractions") {
  CHECK(internal_of("1.50") == "JSRational False (3 % 2)");
  CHECK(internal_of("-0.125") == "JSRational False ((-1) % 8)");
  CHECK(internal_of("0.3") == "JSRational False (3 % 10)");
  CHECK(internal_of("12e2") == "JSRational False (1200 % 1)");
  CHECK(internal_of("0.0") == "JSRational False (0 % 1)");
  CHECK(internal_of("100e-4") == "JSRational False (1 % 100)");
}

TEST_CASE("containers in the reference's internal notation") {
  CHECK(internal_of(R"([null,{"a":[],"b":{"c":true}},"x"])") ==
        "JSArray [JSNull,JSObject (JSONObject {fromJSObject = [(\"a\",JSArray []),(\"b\",JSObject "
        "(JSONObject {fromJSObject = [(\"c\",JSBool True)]}))]}),JSString (JSONString "
        "{fromJSString = \"x\"})]");
}

TEST_CASE("a password never reaches a message") {
  CHECK(without_password("https://me:secret@host:5080/2/info") ==
        "https://me:***@host:5080/2/info");
  CHECK(without_password("me:secret@host/2/info") == "me:***@host/2/info");
  CHECK(without_password("https://me:se@cret@host") == "https://me:***@host");
  // The slash may be one of the password: rather too much is hidden.
  CHECK(without_password("https://host:5080/a:b@c") == "https://host:***@c");
  CHECK(without_password("https://me@host:5080") == "https://me@host:5080");
}

TEST_CASE("addresses of the remote API") {
  CHECK(rapi_url("master") == "https://master:5080");
  CHECK(rapi_url("master:81") == "master:81");
  CHECK(is_rapi_folder("file://x"));
  CHECK(url_part("a b/c") == "a%20b%2Fc");
}

TEST_CASE("a node of the remote API may tell its units, an instance those of its disks") {
  const std::string units =
      R"(, "storage": [{"sunit": ["drbd", "ssd", []], "free": 5, "total": 9}])";
  const auto told = read(node("n1", units) + "," + node("n2", ""),
                         instance(R"(, "disks": [{"size": 10, "sunit": ["drbd8", "ssd"]}])"));
  REQUIRE(told);
  REQUIRE(told->cluster.nodes[0].units.size() == 1);
  CHECK(to_string(told->cluster[told->cluster.nodes[0].units[0].key]) == "drbd8/ssd");
  CHECK_FALSE(told->cluster.nodes[1].storage_told);
  CHECK(told->cluster.instances[0].disks_told);
  CHECK(told->cluster.instances[0].disks[0].taken_mib == 138);
  CHECK(told->cluster.instances[0].memory_mib == 8);
  const auto ignored = read(node("n1", units) + "," + node("n2", ""), instance(""), true);
  REQUIRE(ignored);
  CHECK_FALSE(ignored->cluster.nodes[0].storage_told);
}

TEST_CASE("the first error of groups, nodes, instances, info counts") {
  const std::string nodes = "[" + node("n1", "") + "," + node("n2", "") + "]";
  const auto problem = [](RapiAnswers answers) {
    const auto snapshot = read_rapi(std::move(answers), false);
    return snapshot ? "none" : snapshot.error().message;
  };
  CHECK(problem({fail("a"), fail("b"), fail("c"), fail("d")}) == "a");
  CHECK(problem({kGroups, "{}", fail("c"), fail("d")}) == "Parsing node data: Unable to read list");
  CHECK(problem({kGroups, nodes, "[1]", fail("d")}) ==
        "Parsing instance data: Unable to read JSObject");
  CHECK(problem({kGroups, nodes, instance(""), fail("d")}) == "d");
  CHECK(problem({kGroups, nodes, "[]", "[]"}) == "Parsing cluster info: Unable to read JSObject");
  CHECK(problem({kGroups, "[]", "[]", kInfo}) == "Master node n1 unknown");
}

TEST_CASE("simulated nodes have the units of their specification") {
  const auto snapshot =
      simulate({"p,2,2t,64g,8;1t,drbd8,ssd;512g,file,/srv,x", "p,1,1t,1g,1"}, false);
  REQUIRE(snapshot);
  const Cluster& cluster = snapshot->cluster;
  REQUIRE(cluster.nodes.size() == 3);
  CHECK_FALSE(cluster.nodes[0].storage_told);  // the last specification is the first group
  REQUIRE(cluster.nodes[2].units.size() == 2);
  CHECK(cluster.nodes[2].units[0].total_mib == 1024 * 1024);
  CHECK(cluster.nodes[2].units[0].free_mib == 1024 * 1024);
  CHECK(to_string(cluster[cluster.nodes[2].units[1].key]) == "file//srv");
  CHECK(cluster.nodes[2].units[1].parameters == std::vector<std::string>{"x"});
  const auto ignored = simulate({"p,2,2t,64g,8;nonsense"}, true);
  REQUIRE(ignored);
  CHECK_FALSE(ignored->cluster.nodes[0].storage_told);
}

TEST_CASE("a wrong unit of a specification is named") {
  const auto problem = [](const std::string& units) {
    const auto snapshot = simulate({"p,1,1t,1g,1;" + units}, false);
    return snapshot ? "none" : snapshot.error().message;
  };
  CHECK(problem("1t,drbd8") == "storage unit \"1t,drbd8\": expected SIZE,TYPE,KEY[,parameter...]");
  CHECK(problem("x,file,k") == "storage unit \"x,file,k\": Can't parse string 'x'");
  CHECK(problem("-1,file,k") == "storage unit \"-1,file,k\": the size is negative");
  CHECK(problem("1,,k") == "storage unit \"1,,k\": the type is empty");
  CHECK(problem("1,file,k;2,file,k") ==
        "storage unit \"2,file,k\": there is a unit file/k already");
}

TEST_CASE("a daemon's answer counts only if its data have the right form") {
  const auto answer = [](const std::string& data) {
    return R"({"name": "n", "version": "B", "format_version": 1, "timestamp": 1, "kind": 0, "data": )" +
           data + "}";
  };
  const auto good = read_monitoring_answer(
      answer(R"({"cpu_number": 2, "cpus": [0.5], "cpu_total": 1.5})"), Collector::CpuAverage);
  REQUIRE(good);
  CHECK(good->cpu_total == 1.5);
  CHECK_FALSE(read_monitoring_answer(answer(R"({"cpu_number": 2, "cpus": [], "cpu_total": "x"})"),
                                     Collector::CpuAverage));
  CHECK_FALSE(
      read_monitoring_answer(answer(R"({"cpu_number": 2, "cpus": [], "cpu_total": 1, "more": 1})"),
                             Collector::CpuAverage));
  CHECK_FALSE(read_monitoring_answer("{", Collector::CpuAverage));
  const auto xen =
      read_monitoring_answer(answer(R"({"i1": 0.5, "i2": 2})"), Collector::XenCpuAverage);
  REQUIRE(xen);
  CHECK(xen->cpu_by_instance.at("i2") == 2);
}

TEST_CASE("file disks belong to the innermost folder that holds them") {
  auto snapshot = read(node("n1", "") + "," + node("n2", ""), instance(""));
  REQUIRE(snapshot);
  Instance& one = snapshot->cluster.instances[0];
  one.disk_template = DiskTemplate::File;
  StorageFacts facts;
  facts.templates = {DiskTemplate::File};
  facts.places["n1"]["file"] = {{"/srv", 100, 50}, {"/srv/fast", 100, 50}};
  facts.disks["i"] = {{"/srv/fast/i/disk0", {}}};
  CHECK(apply_storage(*snapshot, facts).empty());
  CHECK(to_string(snapshot->cluster[one.disks[0].unit]) == "file//srv/fast");
  facts.disks["i"] = {{"/srv2/i/disk0", {}}};
  CHECK(apply_storage(*snapshot, facts) == std::vector<std::string>{"i"});
  facts.disks["i"] = {};
  CHECK(apply_storage(*snapshot, facts) == std::vector<std::string>{"i"});
}
