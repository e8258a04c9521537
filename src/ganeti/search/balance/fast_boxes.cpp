// SPDX-License-Identifier: BSD-2-Clause
#include "fast_boxes.hpp"

#include <algorithm>

namespace ballast::ganeti::fast {

namespace {

constexpr std::size_t kMostBoxes = 64;

using Members = std::vector<std::int32_t>;

template <class Amount, class Visit>
void visit_fields(Amount& amounts, Visit visit) {
  visit(amounts.memory);
  visit(amounts.forth_memory);
  visit(amounts.reserved);
  visit(amounts.cpus);
  visit(amounts.spindles);
  visit(amounts.disk);
  for (auto& amount : amounts.primary) visit(amount);
  for (auto& amount : amounts.secondary) visit(amount);
  for (auto& amount : amounts.units) visit(amount);
}

// The field in which the members differ most, measured by the largest value of all classes, and
// that spread.
struct Widest {
  std::size_t field = 0;
  double spread = 0;
};

Widest widest_field(const std::vector<std::vector<double>>& rows,
                    const std::vector<double>& largest, const Members& members) {
  Widest widest;
  for (std::size_t f = 0; f < largest.size(); ++f) {
    double low = rows[static_cast<std::size_t>(members.front())][f];
    double high = low;
    for (const std::int32_t member : members) {
      low = std::min(low, rows[static_cast<std::size_t>(member)][f]);
      high = std::max(high, rows[static_cast<std::size_t>(member)][f]);
    }
    const double spread =
        largest[f] > 0 ? (std::max(high, 0.0) - std::max(low, 0.0)) / largest[f] : 0;
    // A class that asks for something and one that does not never share a box.
    const double gap = low < 0 && high >= 0 ? 2 : spread;
    if (gap > widest.spread) widest = {f, gap};
  }
  return widest;
}

Layout::Box box_around(const std::vector<Amounts>& classes, const Members& members) {
  Layout::Box box{classes[static_cast<std::size_t>(members.front())],
                  classes[static_cast<std::size_t>(members.front())], members.size() == 1};
  for (const std::int32_t member : members) {
    std::vector<double> row = flat(classes[static_cast<std::size_t>(member)]);
    std::size_t f = 0;
    visit_fields(box.low, [&](double& low) { low = std::min(low, row[f++]); });
    f = 0;
    visit_fields(box.high, [&](double& high) { high = std::max(high, row[f++]); });
  }
  return box;
}

}  // namespace

std::vector<double> flat(const Amounts& amounts) {
  std::vector<double> row;
  visit_fields(amounts, [&](double amount) { row.push_back(amount); });
  row.push_back(amounts.is_mirrored ? 1 : 0);
  row.push_back(amounts.own_spindles);
  row.push_back(amounts.forth_own_spindles);
  row.push_back(amounts.knows_spindles ? 1 : 0);
  return row;
}

void make_boxes(Layout& layout) {
  layout.box_of.assign(layout.classes.size(), 0);
  if (layout.classes.empty()) return;
  std::vector<std::vector<double>> rows;
  for (const Amounts& amounts : layout.classes) rows.push_back(flat(amounts));
  std::vector<double> largest(rows.front().size(), 0);
  for (const auto& row : rows) {
    for (std::size_t f = 0; f < row.size(); ++f) largest[f] = std::max(largest[f], row[f]);
  }
  std::vector<Members> boxes(2);
  for (std::size_t i = 0; i < rows.size(); ++i) {
    boxes[layout.classes[i].is_mirrored ? 0 : 1].push_back(static_cast<std::int32_t>(i));
  }
  std::erase_if(boxes, [](const Members& members) { return members.empty(); });
  const auto spread_of = [&](const Members& members) {
    return members.size() < 2 ? Widest{} : widest_field(rows, largest, members);
  };
  std::vector<Widest> spreads;
  for (const Members& members : boxes) spreads.push_back(spread_of(members));
  while (boxes.size() < kMostBoxes) {
    const auto worst =
        std::max_element(spreads.begin(), spreads.end(),
                         [](const Widest& a, const Widest& b) { return a.spread < b.spread; });
    if (worst->spread <= 0) break;
    const auto index = static_cast<std::size_t>(worst - spreads.begin());
    const std::size_t field = worst->field;
    Members& members = boxes[index];
    const auto value = [&](std::int32_t member) {
      return rows[static_cast<std::size_t>(member)][field];
    };
    const auto [low, high] =
        std::minmax_element(members.begin(), members.end(),
                            [&](std::int32_t a, std::int32_t b) { return value(a) < value(b); });
    const double middle = value(*low) < 0 ? 0 : (value(*low) + value(*high)) / 2;
    const auto split =
        std::stable_partition(members.begin(), members.end(),
                              [&](std::int32_t member) { return value(member) < middle; });
    Members upper(split, members.end());
    members.erase(split, members.end());
    if (upper.empty() || members.empty()) break;
    spreads[index] = spread_of(members);
    spreads.push_back(spread_of(upper));
    boxes.push_back(std::move(upper));
  }
  for (std::size_t b = 0; b < boxes.size(); ++b) {
    for (const std::int32_t member : boxes[b])
      layout.box_of[static_cast<std::size_t>(member)] = static_cast<std::int32_t>(b);
    layout.boxes.push_back(box_around(layout.classes, boxes[b]));
  }
}

}  // namespace ballast::ganeti::fast
