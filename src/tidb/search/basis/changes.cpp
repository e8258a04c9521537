// SPDX-License-Identifier: BSD-2-Clause
#include "ballast/tidb/search/basis/changes.hpp"

#include "ballast/core/strings.hpp"
#include "ballast/kube/quantity.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <string>

namespace ballast::tidb {

namespace {

/// Texts with more lines are told as changed, not how.
constexpr std::size_t kMostLines = 2000;

using Lines = std::vector<std::string>;

Lines lines_of(const std::string& text) {
  Lines lines;
  for (const std::string_view line : split(text, '\n')) lines.emplace_back(line);
  while (!lines.empty() && lines.back().empty()) lines.pop_back();
  return lines;
}

/// Lengths of the longest common part of the lines from each pair of places on.
std::vector<std::vector<std::uint16_t>> common_lengths(const Lines& now, const Lines& then) {
  std::vector<std::vector<std::uint16_t>> common(now.size() + 1,
                                                 std::vector<std::uint16_t>(then.size() + 1, 0));
  for (std::size_t i = now.size(); i-- > 0;) {
    for (std::size_t j = then.size(); j-- > 0;) {
      common[i][j] = now[i] == then[j] ? static_cast<std::uint16_t>(common[i + 1][j + 1] + 1)
                                       : std::max(common[i + 1][j], common[i][j + 1]);
    }
  }
  return common;
}

/// Lines that go and come at one place are paired, and named by the line of the old text.
void diff_lines(const std::string& path, const Lines& now, const Lines& then,
                std::vector<plan::Change>& into) {
  if (now.size() > kMostLines || then.size() > kMostLines) {
    into.push_back(
        {path, fmt::format("{} lines", now.size()), fmt::format("{} lines", then.size())});
    return;
  }
  const auto common = common_lengths(now, then);
  std::size_t i = 0;
  std::size_t j = 0;
  while (i < now.size() || j < then.size()) {
    if (i < now.size() && j < then.size() && now[i] == then[j]) {
      ++i;
      ++j;
      continue;
    }
    Lines gone;
    Lines come;
    const std::size_t place = i + 1;
    while ((i < now.size() || j < then.size()) &&
           !(i < now.size() && j < then.size() && now[i] == then[j])) {
      const bool takes_old =
          i < now.size() && (j == then.size() || common[i + 1][j] >= common[i][j + 1]);
      if (takes_old) {
        gone.push_back(now[i++]);
      } else {
        come.push_back(then[j++]);
      }
    }
    for (std::size_t k = 0; k < std::max(gone.size(), come.size()); ++k) {
      plan::Change change{
          fmt::format("{} line {}", path, place + std::min(k, gone.size())), {}, {}};
      if (k < gone.size()) change.from = gone[k];
      if (k < come.size()) change.to = come[k];
      into.push_back(std::move(change));
    }
  }
}

std::string top_of(const std::string& path) { return path.substr(0, path.find_first_of(".[")); }

/// How the document of the form spells a field of a set.
std::string spelled(const SetSpec& set, const std::string& field, Form form) {
  const std::string top = top_of(field);
  const bool amounts = top == "requests" || top == "limits";
  if (form == Form::Groups) {
    const std::string rest = top == "requests" ? "resources" + field.substr(top.size()) : field;
    return fmt::format("{}.spec.template.spec.{}", set.path, rest);
  }
  if (form == Form::Values && amounts) return fmt::format("{}.resources.{}", set.path, field);
  return set.path.empty() ? field : fmt::format("{}.{}", set.path, field);
}

bool is_same_amount(const std::string& top, const std::string& a, const std::string& b) {
  if (top != "requests" && top != "limits") return false;
  const auto left = kube::parse_quantity(a, {});
  const auto right = kube::parse_quantity(b, {});
  return left && right && left->milli == right->milli;
}

std::vector<plan::Change> changes_of(const SetSpec& now, const SetSpec& wished, Form form,
                                     const std::vector<std::string>& fields) {
  std::set<std::string> tops;
  for (const std::string& field : fields) tops.insert(top_of(field));
  std::set<std::string> paths;
  for (const Fields* shown : {&now.shown, &wished.shown}) {
    for (const auto& [path, value] : *shown) {
      if (tops.contains(top_of(path))) paths.insert(path);
    }
  }
  std::vector<plan::Change> changes;
  const auto add = [&](const std::string& field, std::optional<std::string> from,
                       std::optional<std::string> to) {
    if (from == to) return;
    if (from && to && is_same_amount(top_of(field), *from, *to)) return;
    const std::string path = spelled(wished, field, form);
    const bool is_text = (from && from->find('\n') != std::string::npos) ||
                         (to && to->find('\n') != std::string::npos);
    if (is_text) {
      diff_lines(path, lines_of(from.value_or("")), lines_of(to.value_or("")), changes);
    } else {
      const auto side = [](const std::optional<std::string>& shown) {
        return shown ? Value(*shown) : Value();
      };
      changes.push_back({path, side(from), side(to)});
    }
  };
  const auto at = [](const Fields& shown, const std::string& path) -> std::optional<std::string> {
    const auto found = shown.find(path);
    return found == shown.end() ? std::nullopt : std::optional(found->second);
  };
  for (const std::string& path : paths) add(path, at(now.shown, path), at(wished.shown, path));
  const auto text = [](const std::string& value) {
    return value.empty() ? std::nullopt : std::optional(value);
  };
  if (tops.contains("dataSubDir"))
    add("dataSubDir", text(now.data_sub_dir), text(wished.data_sub_dir));
  if (tops.contains("configUpdateStrategy")) {
    const auto strategy = [](const SetSpec& set) {
      return std::optional<std::string>(set.config_rollout ? "RollingUpdate" : "InPlace");
    };
    add("configUpdateStrategy", strategy(now), strategy(wished));
  }
  return changes;
}

}  // namespace

std::vector<plan::Change> template_changes(const SetSpec& now, const SetSpec& wished, Form form) {
  return changes_of(now, wished, form, restart_fields(now, wished));
}

std::vector<plan::Change> config_changes(const SetSpec& now, const SetSpec& wished, Form form) {
  return changes_of(now, wished, form, differing(now.config, wished.config));
}

}  // namespace ballast::tidb
