// SPDX-License-Identifier: BSD-2-Clause
#include "ballast/fdb/search/spread/choose.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>
#include <numeric>

namespace ballast::fdb {
namespace {

struct Field {
  std::string Candidate::*value;
  int limit;
  int hard;
  std::map<std::string, int> taken;
};

std::vector<Field> fields_of(const ChooseRules& rules, int count) {
  std::vector<Field> fields = {
      {&Candidate::zone, 1, rules.limits.zone.value_or(count), {}},
      {&Candidate::data_center, 1, rules.limits.data_center.value_or(count), {}}};
  if (rules.uses_data_hall) {
    fields.push_back({&Candidate::data_hall, 1, rules.limits.data_hall.value_or(count), {}});
  }
  return fields;
}

bool fits(const std::vector<Field>& fields, const Candidate& candidate) {
  return std::all_of(fields.begin(), fields.end(), [&](const Field& field) {
    const auto found = field.taken.find(candidate.*field.value);
    return found == field.taken.end() || found->second < field.limit;
  });
}

bool raise_a_limit(std::vector<Field>& fields) {
  for (auto field = fields.rbegin(); field != fields.rend(); ++field) {
    if (field->limit < field->hard) {
      ++field->limit;
      return true;
    }
  }
  return false;
}

}  // namespace

Result<std::vector<std::size_t>> choose(const std::vector<Candidate>& candidates, int count,
                                        const ChooseRules& rules) {
  std::vector<std::size_t> order(candidates.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(), [&](std::size_t x, std::size_t y) {
    const Candidate& a = candidates[x];
    const Candidate& b = candidates[y];
    if (!rules.primary_data_center.empty()) {
      const bool in_a = a.data_center == rules.primary_data_center;
      const bool in_b = b.data_center == rules.primary_data_center;
      if (in_a != in_b) return in_a;
    }
    if (a.priority != b.priority) return a.priority > b.priority;
    return a.id < b.id;
  });
  std::vector<Field> fields = fields_of(rules, count);
  std::vector<std::size_t> chosen;
  const auto wanted = static_cast<std::size_t>(std::max(0, count));
  std::vector<bool> used(candidates.size(), false);
  while (chosen.size() < wanted) {
    const std::size_t before = chosen.size();
    for (const std::size_t i : order) {
      if (chosen.size() == wanted) break;
      if (used[i] || !fits(fields, candidates[i])) continue;
      used[i] = true;
      for (Field& field : fields) ++field.taken[candidates[i].*field.value];
      chosen.push_back(i);
    }
    if (chosen.size() == before && !raise_a_limit(fields)) {
      return fail(
          fmt::format("Could only select {} processes, but {} are required", chosen.size(), count));
    }
  }
  return chosen;
}

}  // namespace ballast::fdb
