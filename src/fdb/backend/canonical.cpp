// SPDX-License-Identifier: BSD-2-Clause
#include "ballast/fdb/backend/canonical.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <optional>
#include <vector>

#include "ballast/core/sha256.hpp"
#include "ballast/doc/canonical.hpp"
#include "ballast/kube/quantity.hpp"

namespace ballast::fdb {
namespace {

constexpr std::string_view kDefaultSize = "128G";
constexpr doc::Canonical kSame{.amounts_below = "resources", .amount = &kube::canonical_quantity};

/// Takes over the keys that are there.
void take(doc::Tree& into, std::initializer_list<std::string_view> keys, const doc::Tree& from) {
  for (const std::string_view key : keys) {
    const doc::Tree* value = from.find(key);
    if (value != nullptr && !value->is_null()) into.set(key, *value);
  }
}

const doc::Tree* requested(const doc::Tree* claim_spec) {
  return claim_spec == nullptr ? nullptr : claim_spec->at({"resources", "requests", "storage"});
}

bool is_zero_or_missing(const doc::Tree* size) {
  if (size == nullptr || !size->is_scalar() || size->text().empty()) return true;
  const auto quantity = kube::parse_quantity(size->text());
  return quantity && quantity->milli == 0;
}

}  // namespace

std::string canonical_json(const doc::Tree& node) {
  return doc::emit_json(doc::canonical(node, kSame));
}

namespace {

bool is_one_of(std::string_view key, std::initializer_list<std::string_view> keys) {
  return std::find(keys.begin(), keys.end(), key) != keys.end();
}

/// Pointers are written whatever they hold; these are none. To affinities the operator adds rules
/// of its own, so that nothing and an empty one come to the same.
bool is_left_out(std::string_view key, const doc::Tree& value) {
  if (value.is_null()) return true;
  if (value.is_list()) return value.items().empty();
  if (value.is_map()) {
    return value.entries().empty() &&
           is_one_of(key, {"nodeSelector", "labels", "annotations", "matchLabels", "limits",
                           "requests", "overhead", "affinity", "podAntiAffinity"});
  }
  if (value.kind() == doc::Tree::Kind::String)
    return value.text().empty() && !is_one_of(key, {"storageClassName", "runtimeClassName"});
  if (value.as_bool() == false) {
    return is_one_of(
        key, {"hostNetwork", "hostPID", "hostIPC", "stdin", "stdinOnce", "tty", "readOnly"});
  }
  return value.as_int() == 0 &&
         is_one_of(key, {"initialDelaySeconds", "timeoutSeconds", "periodSeconds",
                         "successThreshold", "failureThreshold", "hostPort"});
}

}  // namespace

std::map<std::string, std::string> leaves_of(const doc::Tree& node) {
  std::map<std::string, std::string> leaves;
  doc::each_leaf(doc::canonical(node, kSame), "", true,
                 [&](const std::string& path, const doc::Tree& leaf) {
                   if (!path.empty())
                     leaves[path] = leaf.is_map() ? "{}" : leaf.is_list() ? "[]" : leaf.text();
                 });
  return leaves;
}

doc::Tree without_empty_fields(const doc::Tree& node) {
  if (node.is_list()) {
    doc::Tree list = doc::Tree::list();
    for (const doc::Tree& item : node.items()) list.items().push_back(without_empty_fields(item));
    return list;
  }
  if (!node.is_map()) return node;
  doc::Tree map = doc::Tree::map({}, node.place());
  for (const auto& [key, value] : node.entries()) {
    doc::Tree kept = without_empty_fields(value);
    if (!is_left_out(key, kept)) map.set(key, std::move(kept));
  }
  return map;
}

std::string volume_hash(const doc::Tree* claim_spec) {
  doc::Tree spec = claim_spec != nullptr && claim_spec->is_map() ? *claim_spec : doc::Tree::map();
  const doc::Tree* modes = spec.find("accessModes");
  if (modes == nullptr || !modes->is_list() || modes->items().empty()) {
    spec.set("accessModes", doc::Tree::list({doc::Tree::string("ReadWriteOnce")}));
  }
  const doc::Tree* given = spec.find("resources");
  doc::Tree resources = given != nullptr && given->is_map() ? *given : doc::Tree::map();
  if (is_zero_or_missing(requested(&spec))) {
    const doc::Tree* old = resources.find("requests");
    doc::Tree requests = old != nullptr && old->is_map() ? *old : doc::Tree::map();
    requests.set("storage", doc::Tree::string(std::string(kDefaultSize)));
    resources.set("requests", std::move(requests));
  }
  doc::Tree amounts = doc::Tree::map();
  take(amounts, {"limits", "requests"}, resources);
  spec.set("resources", std::move(amounts));
  doc::Tree told = doc::Tree::map();
  take(told,
       {"accessModes", "selector", "resources", "volumeName", "storageClassName", "volumeMode",
        "dataSource", "dataSourceRef", "volumeAttributesClassName"},
       doc::canonical(spec, kSame));
  return sha256_hex(doc::emit_json(told) + "\n");
}

std::int64_t volume_bytes(const doc::Tree* claim_spec) {
  const doc::Tree* size = requested(claim_spec);
  const auto quantity = kube::parse_quantity(
      is_zero_or_missing(size) ? kDefaultSize : std::string_view(size->text()));
  return quantity ? quantity->value() : 0;
}

}  // namespace ballast::fdb
