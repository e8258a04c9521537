// SPDX-License-Identifier: BSD-2-Clause
#include "timeline.hpp"

#include "ballast/report/words.hpp"
#include "page.hpp"
#include "schedule.hpp"

#include "ballast/core/words.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>

namespace ballast::report {
namespace {

constexpr double kWidth = 1000;  ///< of the drawing; the page stretches it
constexpr int kLane = 14;        ///< height of one
/// Beyond this many spans they are drawn without links and words of their own.
constexpr std::size_t kMostLinked = 400;

/// As many as the style has.
constexpr std::size_t kColours = 12;

/// Kinds of steps in the order of their first appearance; each has a colour.
class Kinds {
 public:
  explicit Kinds(const plan::Plan& plan) {
    for (const plan::Step& step : plan.steps) {
      if (step.action != "wait") number_of_.try_emplace(step.action, number_of_.size());
    }
  }
  /// From 0 to kColours - 1.
  [[nodiscard]] std::size_t colour(const std::string& action) const {
    return number_of_.at(action) % kColours;
  }
  [[nodiscard]] std::string key() const {
    std::vector<std::pair<std::size_t, std::string>> all;
    for (const auto& [action, number] : number_of_) all.emplace_back(number, action);
    std::ranges::sort(all);
    std::string text = "<p class=\"key-line\">";
    for (const auto& [number, action] : all) {
      text += fmt::format("<span><i class=\"k{}\"></i>{}</span> ", number % kColours,
                          html_text(key_in_words(action)));
    }
    return text + "<span><i class=\"bare-key\"></i>without redundancy meanwhile</span></p>\n";
  }

 private:
  std::map<std::string, std::size_t> number_of_;
};

class Drawing {
 public:
  Drawing(const plan::Plan& plan, const Timeline& timeline, const Kinds& kinds)
      : plan_(plan),
        timeline_(timeline),
        kinds_(kinds),
        scale_(timeline.length > 0 ? kWidth / timeline.length : 1) {
    std::size_t spans = 0;
    for (const Lane& lane : timeline.lanes) spans += lane.spans.size();
    is_linked_ = spans <= kMostLinked;
  }

  [[nodiscard]] std::string lane(const Lane& lane) const {
    return is_linked_ ? linked(lane) : merged(lane);
  }

 private:
  [[nodiscard]] std::string box(const Span& span) const {
    return fmt::format("x=\"{:.1f}\" width=\"{:.1f}\"", span.begin * scale_,
                       std::max(1.0, (span.end - span.begin) * scale_ - 0.6));
  }

  [[nodiscard]] std::string linked(const Lane& lane) const {
    std::string text;
    for (const Span& span : lane.spans) {
      const plan::Step& step = plan_.steps[span.step];
      const std::string cost = cost_text(step.cost);
      text += fmt::format(
          "<a href=\"#s{0}\"><title>step {0}: {1} {2}{3}{4}</title><rect class=\"k{5}\" {6} "
          "y=\"2\" "
          "height=\"10\"/>",
          step.n, html_text(key_in_words(step.action)), html_text(subject_text(step.subject)),
          cost.empty() ? "" : ": ", html_text(cost), kinds_.colour(step.action), box(span));
      if (span.is_unprotected)
        text += fmt::format("<rect class=\"bare\" {} y=\"12\" height=\"2\"/>", box(span));
      text += "</a>";
    }
    return text;
  }

  [[nodiscard]] std::string merged(const Lane& lane) const {
    std::map<std::size_t, std::string> paths;
    std::string bare;
    for (const Span& span : lane.spans) {
      const double width = std::max(1.0, (span.end - span.begin) * scale_ - 0.6);
      paths[kinds_.colour(plan_.steps[span.step].action)] +=
          fmt::format("M{0:.1f} 2h{1:.1f}v10h-{1:.1f}z", span.begin * scale_, width);
      if (span.is_unprotected)
        bare += fmt::format("M{0:.1f} 12h{1:.1f}v2h-{1:.1f}z", span.begin * scale_, width);
    }
    std::string text;
    for (const auto& [colour, path] : paths)
      text += fmt::format("<path class=\"k{}\" d=\"{}\"/>", colour, path);
    if (!bare.empty()) text += fmt::format("<path class=\"bare\" d=\"{}\"/>", bare);
    return text;
  }

  const plan::Plan& plan_;
  const Timeline& timeline_;
  const Kinds& kinds_;
  double scale_;
  bool is_linked_ = true;
};

/// What the drawing ends with, as the plan's totals tell it; short steps are drawn wider than they
/// are, so its own length says less.
std::string end_text(const plan::Plan& plan, const Timeline& timeline) {
  if (!timeline.is_seconds) {
    const std::int64_t bytes = plan.totals.bytes.value_or(0);
    return bytes > 0 ? big_size_text(bytes) + " copied" : "end";
  }
  const auto seconds = plan.totals.seconds_at_least;
  return seconds ? "at least " + duration_text(*seconds) : std::string("end");
}

}  // namespace

std::string html_timeline(const PageView& page) {
  const plan::Plan& plan = page.plan;
  if (plan.steps.size() < 2) return "";
  const Timeline timeline = timeline_of(plan);
  if (timeline.lanes.empty()) return "";
  const Kinds kinds(plan);
  const Drawing drawing(plan, timeline, kinds);
  std::string text = fmt::format(
      "<h2 id=\"timeline\">When what happens</h2>\n<p class=\"faint\">{}; a lane for each {} that "
      "takes part.</p>\n",
      timeline.is_seconds
          ? "Left to right as long as each step takes at least, short ones wide enough to be seen"
          : "Left to right in the order of the plan, as wide as what is copied",
      plan::has_operator(plan.system) ? "kind of thing" : "node");
  text += kinds.key() + "<ol class=\"lanes\">\n";
  for (const Lane& lane : timeline.lanes) {
    text += fmt::format(
        "<li><span title=\"{0}\">{0}</span><svg viewBox=\"0 0 {1} {2}\" "
        "preserveAspectRatio=\"none\" role=\"img\" "
        "aria-label=\"{3}\">{4}</svg></li>\n",
        html_text(page.names.shown(lane.name)), kWidth, kLane, counted(lane.spans.size(), "step"),
        drawing.lane(lane));
  }
  text += fmt::format(
      "<li class=\"axis-line\"><span></span><p><span>start</span><span>{}</span></p></li>\n</ol>\n",
      html_text(end_text(plan, timeline)));
  if (timeline.hidden_lanes > 0) {
    text += fmt::format("<p class=\"faint\">{} more take part in less.</p>\n",
                        grouped(static_cast<std::int64_t>(timeline.hidden_lanes)));
  }
  return text;
}

}  // namespace ballast::report
