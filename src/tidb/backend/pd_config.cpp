// SPDX-License-Identifier: BSD-2-Clause
#include "ballast/tidb/backend/pd_config.hpp"

#include "ballast/core/strings.hpp"

#include <algorithm>
#include <charconv>
#include <string_view>

namespace ballast::tidb {

namespace {

using doc::Tree;

std::string_view trimmed(std::string_view text) {
  const std::size_t first = text.find_first_not_of(" \t\r\"'");
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(" \t\r\"'") - first + 1);
}

std::optional<std::int64_t> whole(std::string_view text) {
  std::int64_t number = 0;
  const char* end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, number);
  if (text.empty() || error != std::errc{} || stop != end) return std::nullopt;
  return number;
}

std::vector<std::string> labels_of(std::string_view text) {
  text = trimmed(text);
  if (text.starts_with('[')) text.remove_prefix(1);
  if (text.ends_with(']')) text.remove_suffix(1);
  std::vector<std::string> result;
  for (const std::string_view part : split(text, ',')) {
    if (const std::string_view label = trimmed(part); !label.empty()) result.emplace_back(label);
  }
  return result;
}

void read_line(std::string_view line, Replication& result) {
  const std::size_t equals = line.find('=');
  if (equals == std::string_view::npos) return;
  const std::string_view key = trimmed(line.substr(0, equals));
  std::string_view value = line.substr(equals + 1);
  if (const std::size_t hash = value.find('#'); hash != std::string_view::npos)
    value = value.substr(0, hash);
  if (key == "max-replicas" || key == "replication.max-replicas")
    result.max_replicas = whole(trimmed(value));
  if (key == "location-labels" || key == "replication.location-labels") {
    result.location_labels = labels_of(value);
  }
}

}  // namespace

std::vector<std::string> label_list(const Tree& node) {
  if (!node.is_list()) return labels_of(node.text());
  std::vector<std::string> result;
  for (const Tree& item : node.items()) result.push_back(item.text());
  return result;
}

Replication read_replication(const Tree& config) {
  Replication result;
  if (config.is_map()) {
    const Tree* section = config.find("replication");
    const Tree& inner = section == nullptr ? config : *section;
    if (const Tree* number = inner.find("max-replicas")) result.max_replicas = number->as_int();
    if (const Tree* labels = inner.find("location-labels"))
      result.location_labels = label_list(*labels);
    return result;
  }
  for (const std::string_view line : split(config.text(), '\n')) read_line(line, result);
  if (result.max_replicas && *result.max_replicas < 1) result.max_replicas.reset();
  return result;
}

std::optional<std::vector<std::int64_t>> read_slots(const Tree& value) {
  std::vector<std::int64_t> slots;
  if (value.is_list()) {
    for (const Tree& item : value.items()) {
      const auto slot = item.as_int();
      if (!slot || *slot < 0) return std::nullopt;
      slots.push_back(*slot);
    }
  } else {
    std::string_view text = trimmed(value.text());
    if (!text.starts_with('[') || !text.ends_with(']')) return std::nullopt;
    text = trimmed(text.substr(1, text.size() - 2));
    for (const std::string_view part : split(text, ',')) {
      const auto slot = whole(trimmed(part));
      if (!slot || *slot < 0 || part.find('"') != std::string_view::npos) return std::nullopt;
      slots.push_back(*slot);
    }
  }
  std::ranges::sort(slots);
  slots.erase(std::unique(slots.begin(), slots.end()), slots.end());
  return slots;
}

}  // namespace ballast::tidb
