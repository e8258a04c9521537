// SPDX-License-Identifier: BSD-2-Clause
#include "ballast/fdb/backend/canonical.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <optional>
#include <vector>

#include "ballast/core/sha256.hpp"
#include "ballast/kube/quantity.hpp"

namespace ballast::fdb {
namespace {

__extension__ using Wide = __int128;

constexpr std::string_view kDefaultSize = "128G";
constexpr std::array<std::string_view, 6> kBinary = {"Ki", "Mi", "Gi", "Ti", "Pi", "Ei"};
constexpr std::array<std::string_view, 10> kDecimal = {"n", "u", "m", "",  "k",
                                                       "M", "G", "T", "P", "E"};

std::string digits(Wide value) {
  if (value == 0) return "0";
  std::string text;
  for (const bool negative = value < 0; value != 0 || (negative && text.empty()); value /= 10) {
    const auto digit = static_cast<int>(value % 10);
    text += static_cast<char>('0' + (digit < 0 ? -digit : digit));
  }
  std::reverse(text.begin(), text.end());
  return text;
}

std::string with_suffix(Wide value, Wide factor, std::size_t first, std::size_t last,
                        const std::string_view* names) {
  std::size_t i = first;
  while (i < last && value % factor == 0) {
    value /= factor;
    ++i;
  }
  return digits(value) + std::string(names[i]);
}

/// Value in 10^-9; nothing where the number is too long for that.
std::optional<Wide> nano(std::string_view number) {
  Wide value = 0;
  int scale = 9;
  bool behind = false;
  for (const char c : number) {
    if (c == '.') {
      behind = true;
      continue;
    }
    if (c < '0' || c > '9') return std::nullopt;
    if (behind && scale == 0) return std::nullopt;
    value = value * 10 + (c - '0');
    if (behind) --scale;
    if (value > (Wide{1} << 90)) return std::nullopt;
  }
  for (; scale > 0; --scale) value *= 10;
  return value;
}

/// Keys sorted, nulls gone, quantities in one form.
doc::Tree canonical_tree(const doc::Tree& node, bool is_quantity) {
  if (node.is_list()) {
    doc::Tree list = doc::Tree::list();
    for (const doc::Tree& item : node.items())
      list.items().push_back(canonical_tree(item, is_quantity));
    return list;
  }
  if (node.is_map()) {
    doc::Tree map = doc::Tree::map();
    for (const auto& [key, value] : node.entries()) {
      if (value.is_null()) continue;
      map.entries().emplace_back(key, canonical_tree(value, is_quantity || key == "resources"));
    }
    std::ranges::sort(map.entries(), {}, &doc::Tree::Entry::first);
    return map;
  }
  if (node.is_null() || !is_quantity) return node;
  return doc::Tree::string(canonical_quantity(node.text()));
}

/// Takes over a key that is there.
void take(doc::Tree& into, std::string_view key, const doc::Tree& from, bool is_quantity) {
  const doc::Tree* value = from.find(key);
  if (value != nullptr && !value->is_null()) into.set(key, canonical_tree(*value, is_quantity));
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

std::string canonical_quantity(std::string_view text) {
  if (!kube::parse_quantity(text)) return std::string(text);
  const bool negative = !text.empty() && text.front() == '-';
  std::string_view rest = text;
  if (!rest.empty() && (rest.front() == '-' || rest.front() == '+')) rest.remove_prefix(1);
  const auto end = std::min(rest.find_first_not_of("0123456789."), rest.size());
  const std::string_view suffix = rest.substr(end);
  auto value = nano(rest.substr(0, end));
  if (!value || (!suffix.empty() && (suffix.front() == 'e' ||
                                     (suffix.front() == 'E' && suffix != "E" && suffix != "Ei")))) {
    return std::string(text);
  }
  std::string result;
  const auto binary = std::find(kBinary.begin(), kBinary.end(), suffix);
  if (binary != kBinary.end()) {
    for (auto i = kBinary.begin(); i <= binary; ++i) *value *= 1024;
    const Wide whole = *value / 1'000'000'000 + (*value % 1'000'000'000 != 0 ? 1 : 0);
    if (whole >= 1024 && whole % 1024 == 0) {
      result = with_suffix(whole / 1024, 1024, 0, kBinary.size() - 1, kBinary.data());
    } else {
      result = digits(whole);
    }
  } else {
    const auto decimal = std::find(kDecimal.begin(), kDecimal.end(), suffix);
    const auto power = decimal - (kDecimal.begin() + 3);
    for (auto i = power; i > 0; --i) *value *= 1000;
    for (auto i = power; i < 0; ++i) *value /= 1000;
    result = *value == 0 ? "0" : with_suffix(*value, 1000, 0, kDecimal.size() - 1, kDecimal.data());
  }
  return negative ? "-" + result : result;
}

std::string canonical_json(const doc::Tree& node) {
  return doc::emit_json(canonical_tree(node, false));
}

namespace {

std::string element_key(const doc::Tree& item, std::size_t i) {
  const doc::Tree* name = item.is_map() ? item.find("name") : nullptr;
  return name != nullptr && name->is_scalar() ? "[" + name->text() + "]"
                                              : "[" + std::to_string(i) + "]";
}

void add_leaves(std::map<std::string, std::string>& leaves, const doc::Tree& node,
                const std::string& path, bool is_quantity) {
  if (node.is_map() && !node.entries().empty()) {
    for (const auto& [key, value] : node.entries())
      add_leaves(leaves, value, path.empty() ? key : path + "." + key,
                 is_quantity || key == "resources");
  } else if (node.is_list() && !node.items().empty()) {
    for (std::size_t i = 0; i < node.items().size(); ++i)
      add_leaves(leaves, node.items()[i], path + element_key(node.items()[i], i), is_quantity);
  } else if (!node.is_null() && !path.empty()) {
    leaves[path] = node.is_map()    ? "{}"
                   : node.is_list() ? "[]"
                   : is_quantity    ? canonical_quantity(node.text())
                                    : node.text();
  }
}

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
  add_leaves(leaves, node, "", false);
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
  for (const std::string_view key : {"limits", "requests"}) take(amounts, key, resources, true);
  doc::Tree told = doc::Tree::map();
  for (const std::string_view key : {"accessModes", "selector"}) take(told, key, spec, false);
  told.set("resources", std::move(amounts));
  for (const std::string_view key : {"volumeName", "storageClassName", "volumeMode", "dataSource",
                                     "dataSourceRef", "volumeAttributesClassName"})
    take(told, key, spec, false);
  return sha256_hex(doc::emit_json(told) + "\n");
}

std::int64_t volume_bytes(const doc::Tree* claim_spec) {
  const doc::Tree* size = requested(claim_spec);
  const auto quantity = kube::parse_quantity(
      is_zero_or_missing(size) ? kDefaultSize : std::string_view(size->text()));
  return quantity ? quantity->value() : 0;
}

}  // namespace ballast::fdb
