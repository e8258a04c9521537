// SPDX-License-Identifier: BSD-2-Clause
#include "ballast/fdb/model/identity.hpp"

#include <algorithm>
#include <charconv>

namespace ballast::fdb {
namespace {

std::optional<int> whole_number(std::string_view text) {
  int value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (text.empty() || error != std::errc() || end != text.data() + text.size() || value < 0) {
    return std::nullopt;
  }
  return value;
}

bool is_word(std::string_view text) {
  return !text.empty() && std::all_of(text.begin(), text.end(), [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' ||
           c == '-';
  });
}

}  // namespace

std::optional<GroupId> parse_group_id(std::string_view text) {
  const auto last = text.rfind('-');
  if (last == std::string_view::npos) return std::nullopt;
  const auto number = whole_number(text.substr(last + 1));
  const auto front = text.substr(0, last);
  if (!number || !is_word(front)) return std::nullopt;
  GroupId id;
  id.number = *number;
  const auto hyphen = front.rfind('-');
  if (hyphen == std::string_view::npos) {
    id.class_name = std::string(front);
    return id;
  }
  id.prefix = std::string(front.substr(0, hyphen));
  id.class_name = std::string(front.substr(hyphen + 1));
  return id;
}

std::string group_id(std::string_view prefix, ProcessClass c, int number) {
  std::string id(prefix);
  if (!id.empty()) id += '-';
  id += name(c);
  id += '-';
  id += std::to_string(number);
  return id;
}

std::string group_of_process_id(std::string_view process_id) {
  const auto last = process_id.rfind('-');
  if (last == std::string_view::npos) return std::string(process_id);
  const auto front = process_id.substr(0, last);
  const auto number = whole_number(process_id.substr(last + 1));
  if (number && parse_group_id(front)) return std::string(front);
  return std::string(process_id);
}

std::string pod_name(std::string_view cluster, ProcessClass c, int number) {
  std::string text(name(c));
  std::replace(text.begin(), text.end(), '_', '-');
  return std::string(cluster) + "-" + text + "-" + std::to_string(number);
}

}  // namespace ballast::fdb
