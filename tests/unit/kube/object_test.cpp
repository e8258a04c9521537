// SPDX-License-Identifier: BSD-2-Clause
#include "ballast/kube/object.hpp"

#include <doctest/doctest.h>

using namespace ballast;

namespace {

Result<kube::ObjectMeta> metadata_of(std::string_view text) {
  const auto documents = doc::parse_yaml(text, "f");
  REQUIRE(documents.has_value());
  return kube::read_metadata(documents->front());
}

}  // namespace

TEST_CASE("metadata is read, missing parts are empty") {
  const auto metadata = metadata_of(
      "apiVersion: v1\nkind: Pod\nmetadata:\n  name: a\n  namespace: n\n  uid: u\n  generation: "
      "3\n  creationTimestamp: null\n"
      "  deletionTimestamp: 2026-03-01T12:00:00Z\n  labels: {x: y}\n  annotations: {p: \"1\"}\n");
  REQUIRE(metadata.has_value());
  CHECK(metadata->api_version == "v1");
  CHECK(metadata->kind == "Pod");
  CHECK(metadata->name == "a");
  CHECK(metadata->name_space == "n");
  CHECK(metadata->uid == "u");
  CHECK(metadata->generation == 3);
  CHECK(metadata->creation_timestamp.empty());
  CHECK(metadata->deletion_timestamp == "2026-03-01T12:00:00Z");
  CHECK(metadata->labels.at("x") == "y");
  CHECK(metadata->annotations.at("p") == "1");
  CHECK(metadata_of("{a: 1}")->name.empty());
}

TEST_CASE("metadata of the wrong kind is refused with its place") {
  CHECK(to_string(metadata_of("[]").error()) == "f:1:1: object: list: expected a mapping");
  CHECK(to_string(metadata_of("metadata: 1\n").error()) ==
        "f:1:11: metadata: \"1\": expected a mapping");
  CHECK(to_string(metadata_of("metadata:\n  name: 12\n").error()) ==
        "f:2:9: metadata.name: \"12\": expected text");
  CHECK(to_string(metadata_of("metadata:\n  labels: {a: yes, b: true}\n").error()) ==
        "f:2:23: metadata.labels.b: \"true\": expected text");
  CHECK(to_string(metadata_of("metadata: {annotations: []}\n").error()) ==
        "f:1:25: metadata.annotations: list: expected a mapping");
  CHECK(to_string(metadata_of("metadata: {generation: x}\n").error()) ==
        "f:1:24: metadata.generation: \"x\": expected a whole number");
}

TEST_CASE("times of RFC 3339") {
  CHECK(kube::parse_time("1970-01-01T00:00:00Z") == 0);
  CHECK(kube::parse_time("2026-03-01T12:00:00Z") == 1772366400);
  CHECK(kube::parse_time("2026-03-01T14:00:00.999+02:00") == 1772366400);
  CHECK(kube::parse_time("2026-03-01t07:30:00-04:30") == 1772366400);
  CHECK(kube::parse_time("2024-02-29T00:00:00Z").has_value());
  CHECK(kube::parse_time("1969-12-31T23:59:59Z") == -1);
  for (const char* text :
       {"", "2026-03-01", "2026-03-01T12:00:00", "2026-13-01T12:00:00Z", "2026-02-29T12:00:00Z",
        "2026-03-01T24:00:00Z", "2026-03-01T12:60:00Z", "2026-03-01T12:00:00.Z",
        "2026-03-01T12:00:00Zx", "2026-03-01T12:00:00+2:00", "x026-03-01T12:00:00Z",
        "+026-03-01T12:00:00Z"}) {
    CAPTURE(text);
    CHECK_FALSE(kube::parse_time(text).has_value());
  }
}

TEST_CASE("format_time is what parse_time reads") {
  for (const std::int64_t seconds :
       {0LL, -1LL, 1772366400LL, 951782400LL, -62135596800LL, 253402300799LL}) {
    CHECK(kube::parse_time(kube::format_time(seconds)) == seconds);
  }
  CHECK(kube::format_time(1772366400) == "2026-03-01T12:00:00Z");
}
