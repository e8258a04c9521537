// SPDX-License-Identifier: BSD-2-Clause
#include "map.hpp"

#include "page.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>
#include <optional>
#include <utility>
#include <vector>

namespace ballast::report {
namespace {

/// Cells beyond these numbers get smaller and lose their names.
constexpr std::size_t kMostNamed = 60;
constexpr std::size_t kMostMiddle = 400;

/// 0 to 9: the tenth of the share; 10: more than there is; none: not there.
std::optional<int> level_of(const Value& value) {
  const auto gauge = gauge_of(value);
  if (!gauge) return std::nullopt;
  const double share = share_of(*gauge);
  return share > 100 ? 10 : std::min(9, static_cast<int>(share / 10));
}

std::string level_word(const Value& value) {
  const auto level = level_of(value);
  return level ? std::to_string(*level) : "-";
}

std::string percent_text(const Value& value) {
  const auto gauge = gauge_of(value);
  return gauge ? fmt::format("{:.0f} %", share_of(*gauge)) : std::string("not there");
}

/// Group and location of a node; empty where the plan does not tell.
std::string frame_of(const plan::Plan& plan, const std::string& node) {
  const Value* nodes = plan.objects.find("node");
  const Value* found = nodes == nullptr ? nullptr : nodes->find(node);
  if (found == nullptr) return "";
  std::string frame;
  for (const std::string_view key : {"group", "location"}) {
    const Value* value = found->find(key);
    const auto* text = value == nullptr ? nullptr : value->get<std::string>();
    if (text != nullptr && !text->empty()) frame += (frame.empty() ? "" : ", ") + *text;
  }
  return frame;
}

using Frames = std::vector<std::pair<std::string, std::vector<const FigureRow*>>>;

Frames frames_of(const plan::Plan& plan, const FigureSection& section) {
  Frames frames;
  std::map<std::string, std::size_t> index;
  for (const FigureRow& row : section.rows) {
    const std::string frame = frame_of(plan, row.name);
    const auto [at, is_new] = index.try_emplace(frame, frames.size());
    if (is_new) frames.push_back({frame, {}});
    frames[at->second].second.push_back(&row);
  }
  return frames;
}

std::string cell(const FigureRow& row, const ShortNames& names, bool is_named) {
  const std::string before = percent_text(row.before);
  const std::string after = percent_text(row.after);
  const std::string name = html_text(names.shown(row.name));
  const std::string change = before == after ? before : before + " → " + after;
  const std::string classes = fmt::format("b{} a{}", level_word(row.before), level_word(row.after));
  if (is_named) {
    return fmt::format("<li class=\"{}\"><b>{}</b> <span>{}</span></li>", classes, name, change);
  }
  return fmt::format("<li class=\"{}\" title=\"{} {}\"></li>", classes, name, change);
}

std::string map_of(const PageView& page, const FigureSection& section, std::size_t number) {
  const std::size_t count = section.rows.size();
  const std::string_view size = count <= kMostNamed    ? "named"
                                : count <= kMostMiddle ? "middle"
                                                       : "small";
  std::string text = fmt::format("<div class=\"map map{}\">\n", number);
  for (const auto& [frame, rows] : frames_of(page.plan, section)) {
    text += frame.empty() ? std::string("<div class=\"frame\">")
                          : fmt::format("<div class=\"frame\"><h4>{}</h4>", html_text(frame));
    text += fmt::format("<ul class=\"{}\">", size);
    for (const FigureRow* row : rows) text += cell(*row, page.names, count <= kMostNamed);
    text += "</ul></div>\n";
  }
  return text + "</div>\n";
}

std::string radio(std::string_view group, const std::string& id, std::string_view word,
                  bool is_checked) {
  return fmt::format(
      "<input type=\"radio\" name=\"{0}\" id=\"{1}\"{2}><label for=\"{1}\">{3}</label>", group, id,
      is_checked ? " checked" : "", html_text(word));
}

std::vector<const FigureSection*> gauges_of(const PageView& page) {
  // The switch knows that many (style.cpp).
  constexpr std::size_t kMostGauges = 12;
  std::vector<const FigureSection*> gauges;
  for (const FigureSection& section : page.sections) {
    if (section.is_gauge && gauges.size() < kMostGauges) gauges.push_back(&section);
  }
  return gauges;
}

std::string colour_key() {
  std::string text = "<p class=\"scale\" aria-hidden=\"true\">empty<span>";
  for (int level = 0; level <= 9; ++level)
    text += fmt::format("<i class=\"b{0} a{0}\"></i>", level);
  return text + "</span>full <i class=\"b10 a10\"></i>more than there is</p>\n";
}

struct Histogram {
  std::array<std::int64_t, 11> before{};
  std::array<std::int64_t, 11> after{};
};

Histogram histogram_of(const FigureSection& section) {
  Histogram histogram;
  const auto count = [](std::array<std::int64_t, 11>& into, const Value& value) {
    if (const auto level = level_of(value)) ++into[static_cast<std::size_t>(*level)];
  };
  for (const FigureRow& row : section.rows) {
    count(histogram.before, row.before);
    count(histogram.after, row.after);
  }
  return histogram;
}

std::string histogram_svg(const FigureSection& section) {
  constexpr int kHeight = 60;
  const Histogram histogram = histogram_of(section);
  const auto most = std::max<std::int64_t>(
      1, std::max(std::ranges::max(histogram.before), std::ranges::max(histogram.after)));
  std::string bars;
  std::string told;
  for (std::size_t i = 0; i < histogram.before.size(); ++i) {
    const std::size_t x = i * 20;
    const auto bar = [&](std::int64_t count, std::size_t shift, std::string_view look) {
      if (count == 0) return;
      const double height =
          std::max(1.0, kHeight * static_cast<double>(count) / static_cast<double>(most));
      bars +=
          fmt::format("<rect class=\"{}\" x=\"{}\" y=\"{:.1f}\" width=\"8\" height=\"{:.1f}\"/>",
                      look, x + shift, kHeight - height, height);
    };
    bar(histogram.before[i], 2, "was");
    bar(histogram.after[i], 10, "is");
    const std::string tenth =
        i == 10 ? std::string("above 100 %") : fmt::format("{} to {} %", i * 10, i * 10 + 10);
    if (histogram.before[i] + histogram.after[i] > 0) {
      told += fmt::format("{}{}: {} before, {} after", told.empty() ? "" : "; ", tenth,
                          histogram.before[i], histogram.after[i]);
    }
  }
  return fmt::format(
      "<figure><figcaption>{} <span>most: {}</span></figcaption><svg viewBox=\"0 0 220 76\" "
      "role=\"img\" "
      "aria-label=\"{}\"><title>{}</title>{}<path class=\"axis\" d=\"M0 {}.5h220\"/><text x=\"0\" "
      "y=\"73\">0 %</text><text x=\"100\" y=\"73\" text-anchor=\"middle\">50</text><text x=\"200\" "
      "y=\"73\" text-anchor=\"middle\">100</text></svg></figure>\n",
      html_text(section.title), grouped(most), told, told, bars, kHeight);
}

}  // namespace

std::string html_map(const PageView& page) {
  const std::vector<const FigureSection*> gauges = gauges_of(page);
  if (gauges.empty()) return "";
  std::string text = "<h2 id=\"map\">Nodes at a glance</h2>\n<div class=\"maps\">\n";
  for (std::size_t i = 0; i < gauges.size(); ++i) {
    text += radio("gauge", fmt::format("gauge{}", i), gauges[i]->title, i == 0);
  }
  text += "<span class=\"gap\"></span>";
  text += radio("side", "side-both", "before | after", true);
  text += radio("side", "side-before", "before", false);
  text += radio("side", "side-after", "after", false);
  text += colour_key();
  for (std::size_t i = 0; i < gauges.size(); ++i) text += map_of(page, *gauges[i], i);
  text += "</div>\n";
  return text;
}

std::string html_histograms(const PageView& page) {
  const std::vector<const FigureSection*> gauges = gauges_of(page);
  if (gauges.empty()) return "";
  std::string text = "<h3>How many nodes are how full</h3>\n<div class=\"figures\">\n";
  for (const FigureSection* section : gauges) text += histogram_svg(*section);
  return text + "</div>\n";
}

}  // namespace ballast::report
