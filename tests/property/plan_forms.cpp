// SPDX-License-Identifier: BSD-2-Clause
// property_plan_forms [SEEDS] [FIRST_SEED]: text, Markdown, HTML, shell and JSON of one plan say
// the same. Each fact of a random plan gets a mark of its own, and every mark must be found in
// every form.
#include "ballast/report/plan_json.hpp"
#include "ballast/report/render.hpp"

#include "support/plan_generator.hpp"

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

using namespace ballast;

namespace {

/// Marks the facts of a plan.
class Marker {
 public:
  std::vector<std::string> mark(plan::Plan& plan) {
    for (plan::Step& step : plan.steps) mark(step);
    for (plan::Blocked& blocked : plan.blocked) mark(blocked);
    for (plan::Warning& warning : plan.warnings) {
      add(warning.text);
      add_name(warning.subject);
    }
    for (auto* texts : {&plan.assumptions, &plan.notes, &plan.deferred, &plan.later}) mark(*texts);
    for (plan::Queue& queue : plan.queues) {
      add(queue.name);
      for (std::string& name : queue.waiting) add(name);
    }
    for (plan::Weakest& weakest : plan.weakest) {
      add(weakest.what);
      add(weakest.where);
      add(weakest.left);
    }
    add_if(plan.headline);
    add_if(plan.profile);
    return std::move(marks_);
  }

 private:
  void add(std::string& text) {
    marks_.push_back("mark" + std::to_string(marks_.size() + 1) + "end");
    text += (text.empty() ? "" : " ") + marks_.back();
  }
  void add_if(std::string& text) {
    if (!text.empty()) add(text);
  }
  void add_name(plan::Subject& subject) {
    if (!subject.name.empty()) add(subject.name);
  }
  /// Texts within a value.
  void add(Value& value) {
    if (const auto* text = value.get<std::string>()) {
      std::string marked = *text;
      add(marked);
      value = marked;
    } else if (auto* list = value.get<ValueList>()) {
      for (Value& item : *list) add(item);
    } else if (auto* map = value.get<ValueMap>()) {
      for (auto& [key, item] : *map) add(item);
    }
  }
  void mark(std::vector<plan::CodedText>& texts) {
    for (plan::CodedText& text : texts) add(text.text);
  }
  void mark(plan::Step& step) {
    add(step.action);
    add(step.subject.name);
    add_if(step.subject.group);
    for (plan::Subject& target : step.targets) {
      add(target.name);
      add_if(target.group);
    }
    add(step.from);
    add(step.to);
    for (plan::Change& change : step.changes) {
      add(change.path);
      add(change.from);
      add(change.to);
    }
    add(step.reason.text);
    add_if(step.reason.rule);
    add_if(step.reason.metric);
    for (plan::Wait& wait : step.waits_for) {
      add(wait.text);
      add(wait.required);
      add(wait.observed);
    }
    for (plan::Command& command : step.commands) add(command.text);
    for (plan::Link& link : step.cost.links) {
      add(link.from);
      add(link.to);
    }
    for (plan::Unprotected& unprotected : step.unprotected) {
      add(unprotected.what);
      add(unprotected.name);
    }
    mark(step.risks);
    for (Value& substep : step.substeps) add(substep);
    add_if(step.detail);
  }
  void mark(plan::Blocked& blocked) {
    add(blocked.text);
    add_name(blocked.subject);
    add_if(blocked.gate);
    add(blocked.required);
    add(blocked.observed);
    for (std::string& name : blocked.cycle) add(name);
    for (plan::Remedy& remedy : blocked.remedies) {
      add(remedy.text);
      for (std::string& assignment : remedy.set) add(assignment);
      for (std::string& command : remedy.commands) add(command);
    }
  }

  std::vector<std::string> marks_;
};

bool says_the_same(std::uint64_t seed, int steps) {
  plan::Plan plan = test::PlanGenerator(seed).plan(steps);
  const std::vector<std::string> marks = Marker().mark(plan);
  const std::pair<const char*, std::string> forms[] = {{"text", report::plan_to_text(plan)},
                                                       {"Markdown", report::plan_to_markdown(plan)},
                                                       {"HTML", report::plan_to_html(plan)},
                                                       {"shell", report::plan_to_shell(plan)},
                                                       {"JSON", report::plan_to_json(plan)}};
  for (const auto& [name, text] : forms) {
    for (const std::string& mark : marks) {
      if (text.find(mark) != std::string::npos) continue;
      const std::string json = report::plan_to_json(plan);
      const std::size_t at = json.find(mark);
      const std::size_t begin = at < 60 ? 0 : at - 60;
      std::fprintf(stderr, "%s does not say %s: ...%s\n", name, mark.c_str(),
                   at == std::string::npos ? "" : json.substr(begin, 120).c_str());
      return false;
    }
  }
  return true;
}

}  // namespace

int main(int argc, char** argv) {
  const auto number = [&](int index, std::uint64_t otherwise) {
    return index < argc ? std::strtoull(argv[index], nullptr, 10) : otherwise;
  };
  const std::uint64_t first = number(2, 1000);
  for (std::uint64_t seed = first; seed < first + number(1, 500); ++seed) {
    for (const int steps : {0, 1, 2, 5}) {
      if (says_the_same(seed, steps)) continue;
      std::fprintf(stderr, "seed %llu with at most %d steps\n",
                   static_cast<unsigned long long>(seed), steps);
      return 1;
    }
  }
  return 0;
}
