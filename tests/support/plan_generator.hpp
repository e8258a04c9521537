// SPDX-License-Identifier: BSD-2-Clause
// Random plans, valid in shape, that use every field: for properties and for large plans.
#pragma once

#include "ballast/core/random.hpp"
#include "ballast/plan/plan.hpp"

#include <string>
#include <vector>

namespace ballast::test {

class PlanGenerator {
 public:
  explicit PlanGenerator(std::uint64_t seed) : random_(seed) {}

  plan::Plan plan(int most_steps) {
    plan::Plan plan;
    plan.system = static_cast<plan::System>(random_.below(4));
    plan.tool = word();
    plan.tool_version = word();
    plan.options = maybe_map();
    plan.cluster = maybe_map();
    plan.profile = maybe_word();
    plan.now = maybe_word();
    plan.fingerprint = word();
    plan.headline = maybe_word();
    plan.assumptions = texts();
    plan.notes = texts();
    const auto count = static_cast<int>(random_.between(0, most_steps));
    int phase = 1;
    for (int n = 1; n <= count; ++n) {
      if (random_.chance(30)) ++phase;
      plan.steps.push_back(step(n, phase, count));
    }
    plan.result = count == 0 ? plan::Outcome::NoChange : plan::Outcome::Changes;
    if (random_.chance(20)) plan.result = plan::Outcome::Blocked;
    some([&] { plan.blocked.push_back(blocked(count)); });
    plan.deferred = texts();
    plan.later = texts();
    some([&] {
      plan.warnings.push_back(
          {word(), static_cast<plan::Severity>(random_.below(3)), word(), {}, maybe_subject()});
      if (count > 0)
        plan.warnings.back().steps.push_back(static_cast<int>(random_.between(1, count)));
    });
    if (random_.chance(50)) {
      plan.score.emplace();
      plan.score->before = number();
      plan.score->after = number();
      if (random_.chance(50)) plan.score->lowest_possible = number();
      some([&] { plan.score->metrics.push_back(metric(1)); });
    }
    plan.before = maybe_map();
    plan.after = maybe_map();
    if (random_.chance(50)) {
      Value some_pods = Value::map();
      // A text that is a number beyond 2^53 is read back as that number.
      some([&] { some_pods.set(word(), Value::map().set("node", "on " + word())); });
      plan.objects = Value::map().set("pod", some_pods);
    }
    plan.totals.steps = count;
    plan.totals.phases = count == 0 ? 0 : phase;
    for (auto* field : {&plan.totals.bytes, &plan.totals.seconds_at_least, &plan.totals.added,
                        &plan.totals.removed, &plan.totals.replaced, &plan.totals.restarted,
                        &plan.totals.recreated, &plan.totals.moved}) {
      *field = maybe_integer();
    }
    if (random_.chance(30)) {
      plan.totals.peak =
          plan::Peak{maybe_integer(), maybe_integer(), maybe_integer(),  maybe_integer(),
                     maybe_integer(), maybe_integer(), maybe_step(count)};
    }
    some([&] { plan.totals.per_node.push_back({word(), integer(), integer()}); });
    some([&] { plan.queues.push_back({word(), maybe_integer(), integer(), words()}); });
    some([&] {
      plan.weakest.push_back({maybe_step(count), word(), word(), maybe_value(), maybe_value()});
    });
    return plan;
  }

 private:
  template <class Action>
  void some(Action action) {
    for (std::uint64_t left = random_.below(3); left > 0; --left) action();
  }

  plan::Step step(int n, int phase, int count) {
    plan::Step step;
    step.n = n;
    step.phase = phase;
    step.action = word();
    step.subject = subject();
    some([&] { step.targets.push_back(subject()); });
    step.from = maybe_value();
    step.to = maybe_value();
    some([&] { step.changes.push_back({word(), maybe_value(), maybe_value()}); });
    step.reason = {word(), word(), maybe_word(), maybe_word(), maybe_number()};
    some([&] {
      plan::Wait wait{std::nullopt,  maybe_word(), word(),         maybe_value(),
                      maybe_value(), std::nullopt, maybe_integer()};
      if (n > 1 && random_.chance(50)) wait.step = static_cast<int>(random_.between(1, n - 1));
      if (random_.chance(50)) wait.ok = random_.chance(50);
      step.waits_for.push_back(wait);
    });
    some([&] {
      step.commands.push_back({static_cast<plan::CommandUse>(random_.below(4)), word()});
    });
    some([&] { step.done_when.push_back({word(), word()}); });
    step.cost.bytes = maybe_integer();
    some([&] { step.cost.links.push_back({word(), word(), integer()}); });
    step.cost.seconds_at_least = maybe_integer();
    some([&] {
      step.unprotected.push_back({word(), word(), std::nullopt});
      if (random_.chance(50))
        step.unprotected.back().until_step = static_cast<int>(random_.between(n, count));
    });
    step.before = maybe_value();
    step.after = maybe_value();
    some([&] { step.substeps.push_back(value(2)); });
    step.risks = texts();
    step.detail = maybe_word();
    step.system = maybe_value();
    return step;
  }

  plan::Blocked blocked(int count) {
    plan::Blocked blocked{maybe_step(count), word(),       word(),
                          maybe_subject(),   maybe_word(), maybe_value(),
                          maybe_value(),     words(),      {}};
    some([&] { blocked.remedies.push_back({word(), words(), words()}); });
    return blocked;
  }

  plan::MetricRow metric(int depth) {
    plan::MetricRow row{word(), number(), number(), number(), {}};
    if (depth > 0) some([&] { row.units.push_back(metric(depth - 1)); });
    return row;
  }

  std::string word() {
    static const char* const kWords[] = {"node1.example.com",
                                         "web",
                                         "a \"quoted\" word",
                                         "back\\slash",
                                         "tab\there",
                                         "line\nbreak",
                                         "\xC3\xA9t\xC3\xA9",
                                         "\xF0\x9F\x98\x80",
                                         "<b>&amp;</b>",
                                         "$(reboot)",
                                         "it's",
                                         "`x`",
                                         "12345678901234567890",
                                         "9007199254740993",
                                         "NaN",
                                         "\x01\x7f"};
    return kWords[random_.below(std::size(kWords))];
  }
  std::string maybe_word() { return random_.chance(50) ? word() : ""; }
  std::vector<std::string> words() {
    std::vector<std::string> all;
    some([&] { all.push_back(word()); });
    return all;
  }
  plan::Subject subject() { return {word(), word(), maybe_word()}; }
  plan::Subject maybe_subject() { return random_.chance(50) ? subject() : plan::Subject{}; }
  std::vector<plan::CodedText> texts() {
    std::vector<plan::CodedText> all;
    some([&] { all.push_back({word(), word()}); });
    return all;
  }
  std::int64_t integer() {
    const std::int64_t small = random_.between(-1000, 1000);
    if (random_.chance(70)) return small;
    return static_cast<std::int64_t>(random_.next());
  }
  std::optional<std::int64_t> maybe_integer() {
    return random_.chance(50) ? std::optional(integer()) : std::nullopt;
  }
  std::optional<int> maybe_step(int count) {
    if (count == 0 || random_.chance(50)) return std::nullopt;
    return static_cast<int>(random_.between(1, count));
  }
  double number() {
    return random_.chance(30) ? static_cast<double>(random_.between(-9, 9)) : random_.unit() * 1e6;
  }
  std::optional<double> maybe_number() {
    return random_.chance(50) ? std::optional(number()) : std::nullopt;
  }
  Value maybe_map() {
    if (random_.chance(50)) return {};
    Value map = Value::map();
    some([&] { map.set(word(), value(3)); });
    return map;
  }
  Value maybe_value() { return random_.chance(50) ? value(3) : Value(); }

  /// Strings that look like integers beyond 2^53 are left to typed fields: in a value they come
  /// back as integers.
  Value value(int depth) {
    switch (random_.below(depth > 0 ? 7 : 5)) {
      case 0:
        return random_.chance(50);
      case 1:
        return integer();
      case 2:
        return number();
      case 3:
        return "text " + word();
      case 4:
        return "";
      case 5: {
        Value list = Value::list();
        some([&] { list.push(value(depth - 1)); });
        return list;
      }
      default: {
        Value map = Value::map();
        some([&] { map.set(word(), value(depth - 1)); });
        return map;
      }
    }
  }

  Random random_;
};

}  // namespace ballast::test
