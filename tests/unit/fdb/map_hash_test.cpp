// SPDX-License-Identifier: BSD-2-Clause
// The config map as the operator writes it, and the hash of what a pod copies from it.
#include "ballast/fdb/model/map_hash.hpp"

#include <doctest/doctest.h>

#include "ballast/fdb/model/cluster.hpp"

namespace ballast::fdb {
namespace {

struct Wish {
  Wish() {
    spec.version = {7, 3, 63};
    spec.explicit_listen_address = false;
    spec.routing.dns_localities = false;
    status.connection_string = "a:b@1.1.1.1:4501";
    status.running_version = {7, 3, 63};
    status.required = {false, true};
    status.image_types = {ImageType::Split};
    spec.counts[index(ProcessClass::Log)] = 3;
    parameters() = {"knob_x=$Y", "locality_z=<a>"};
  }
  std::vector<std::string>& parameters() {
    return spec.processes[index(ProcessClass::Log)].custom_parameters;
  }
  [[nodiscard]] CommandInputs inputs() const { return {&spec, &status, &name, &name_space}; }
  ClusterSpec spec;
  ClusterStatus status;
  std::string name = "demo";
  std::string name_space = "ns";
};

}  // namespace

TEST_CASE("the monitor of the split image reads a section for each server") {
  Wish wish;
  wish.spec.image_type = ImageType::Split;
  wish.parameters() = {"knob_x=1"};
  CHECK(monitor_text(wish.inputs(), ProcessClass::Log, ImageType::Split, 1) ==
        "[general]\nkill_on_configuration_change = false\nrestart_delay = 60\n"
        "[fdbserver.1]\ncommand = $BINARY_DIR/fdbserver\n"
        "cluster_file = /var/fdb/data/fdb.cluster\n"
        "seed_cluster_file = /var/dynamic-conf/fdb.cluster\n"
        "public_address = $FDB_PUBLIC_IP:4501\nclass = log\nlogdir = /var/log/fdb-trace-logs\n"
        "loggroup = demo\ndatadir = /var/fdb/data\nlocality_instance_id = $FDB_INSTANCE_ID\n"
        "locality_machineid = $FDB_MACHINE_ID\nlocality_zoneid = $FDB_ZONE_ID\nknob_x = 1");
  const std::string two = monitor_text(wish.inputs(), ProcessClass::Log, ImageType::Split, 2);
  CHECK(two.find("\n[fdbserver.2]\ncommand") != std::string::npos);
  CHECK(two.find("\npublic_address = $FDB_PUBLIC_IP:4503\n") != std::string::npos);
  CHECK(two.find("\nlocality_process_id = $FDB_INSTANCE_ID-2\n") != std::string::npos);
}

TEST_CASE("the monitor of the unified image reads an object with typed values") {
  Wish wish;
  wish.spec.image_type = ImageType::Unified;
  wish.status.required = {true, true};
  CHECK(
      monitor_text(wish.inputs(), ProcessClass::Log, ImageType::Unified, 1) ==
      R"({"version":"7.3.63","arguments":[{"value":"--cluster_file=/var/fdb/data/fdb.cluster"},)"
      R"({"value":"--seed_cluster_file=/var/dynamic-conf/fdb.cluster"},)"
      R"({"type":"Concatenate","values":[{"value":"--public_address=["},)"
      R"({"type":"Environment","source":"FDB_PUBLIC_IP"},{"value":"]:"},)"
      R"({"type":"ProcessNumber","multiplier":2,"offset":4498},{"value":":tls"},{"value":",["},)"
      R"({"type":"Environment","source":"FDB_PUBLIC_IP"},{"value":"]:"},)"
      R"({"type":"ProcessNumber","multiplier":2,"offset":4499}]},{"value":"--class=log"},)"
      R"({"value":"--logdir=/var/log/fdb-trace-logs"},{"value":"--loggroup=demo"},)"
      R"({"type":"Concatenate","values":[{"value":"--datadir=/var/fdb/data/"},)"
      R"({"type":"ProcessNumber"}]},)"
      R"({"type":"Concatenate","values":[{"value":"--locality_process_id="},)"
      R"({"type":"Environment","source":"FDB_INSTANCE_ID"},{"value":"-"},{"type":"ProcessNumber"}]},)"
      R"({"type":"Concatenate","values":[{"value":"--locality_instance_id="},)"
      R"({"type":"Environment","source":"FDB_INSTANCE_ID"}]},)"
      R"({"type":"Concatenate","values":[{"value":"--locality_machineid="},)"
      R"({"type":"Environment","source":"FDB_MACHINE_ID"}]},)"
      R"({"type":"Concatenate","values":[{"value":"--locality_zoneid="},)"
      R"({"type":"Environment","source":"FDB_ZONE_ID"}]},)"
      R"({"type":"Concatenate","values":[{"type":"Literal","value":"--knob_x="},)"
      R"({"type":"Environment","source":"Y"}]},)"
      R"({"type":"Concatenate","values":[{"type":"Literal","value":"--locality_z="},)"
      R"({"type":"Literal","value":"\u003ca\u003e"}]}]})");
}

TEST_CASE("what the spec writes into the map itself counts as it is") {
  Wish wish;
  const std::string key = monitor_key(ProcessClass::Log, ImageType::Split, 1);
  wish.spec.trusted_cas = {"one", "two"};
  wish.spec.config_map_overlay[key] = "own";
  CHECK(wished_map_hash(wish.inputs(), ProcessClass::Log, ImageType::Split, 1) ==
        config_map_hash({{"ca-file", "one\ntwo"},
                         {"cluster-file", "a:b@1.1.1.1:4501"},
                         {key, "own"},
                         {"running-version", "7.3.63"}},
                        ProcessClass::Log, ImageType::Split, 1));
}

}  // namespace ballast::fdb
