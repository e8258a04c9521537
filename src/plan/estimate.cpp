// SPDX-License-Identifier: BSD-2-Clause
#include "ballast/plan/estimate.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>

namespace ballast::plan {
namespace {

constexpr double kMib = 1024.0 * 1024.0;
constexpr const char* kCode = "TIME";
/// Beyond this (32 million years) seconds mean nothing, and sums must not overflow.
constexpr double kLongest = 1e15;

double copy_seconds(std::optional<std::int64_t> bytes, const Transfer& transfer) {
  if (!transfer.rate_mib || !bytes) return 0;
  return std::min(kLongest, std::max(0.0, static_cast<double>(*bytes)) / kMib / *transfer.rate_mib);
}

/// The databases move shards and regions, of which many make up a step; a disk is one transfer.
std::int64_t transfers_of_step(const Plan& plan, const Transfer& transfer) {
  return plan.system == System::Ganeti ? 1 : transfer.parallel;
}

double wait_seconds(const Step& step) {
  double seconds = 0;
  for (const Wait& wait : step.waits_for)
    seconds += static_cast<double>(wait.seconds_at_least.value_or(0));
  return std::min(kLongest, seconds);
}

std::int64_t whole(double seconds) {
  return static_cast<std::int64_t>(std::ceil(std::min(kLongest, seconds)));
}

/// What is copied while an instance has to be down.
void tell_downtime(Step& step, const Transfer& transfer) {
  const Value* told = step.system.find("stopped_bytes");
  const auto* bytes = told == nullptr ? nullptr : told->get<std::int64_t>();
  if (!transfer.rate_mib || bytes == nullptr) return;
  const std::int64_t seconds = whole(copy_seconds(*bytes, transfer));
  step.system.set("stopped_seconds_at_least", seconds);
  step.detail = fmt::format("down for at least {} s", seconds);
}

std::string assumption(const Transfer& transfer) {
  if (!transfer.rate_mib)
    return "times are only the waits that rules impose: without --rate, copies are not counted";
  return fmt::format(
      "times count {} MiB/s for one transfer, {} at a time, and the waits that rules impose; other "
      "load comes on top",
      *transfer.rate_mib, transfer.parallel);
}

/// From when the operator comes to the phase of step `i` until it comes to the next one, without
/// copies.
double pause_after(const Plan& plan, std::size_t first, std::size_t next, double end) {
  const auto begin = static_cast<double>(earliest_seconds(plan.steps[first]));
  const double until =
      next < plan.steps.size() ? static_cast<double>(earliest_seconds(plan.steps[next])) : end;
  return std::min(kLongest, std::max(0.0, until - begin));
}

/// When a plan whose steps tell their time ends.
double told_end(const Plan& plan) {
  const bool is_told =
      std::ranges::any_of(plan.steps, [](const Step& step) { return earliest_seconds(step) > 0; });
  return is_told ? static_cast<double>(plan.totals.seconds_at_least.value_or(0)) : 0;
}

}  // namespace

std::int64_t earliest_seconds(const Step& step) {
  const Value* told = step.system.find("after_seconds");
  const auto* seconds = told == nullptr ? nullptr : told->get<std::int64_t>();
  return seconds == nullptr ? 0 : std::max<std::int64_t>(0, *seconds);
}

void estimate_time(Plan& plan, const Transfer& transfer) {
  const auto parallel = static_cast<double>(transfer.parallel);
  const auto of_step = static_cast<double>(transfers_of_step(plan, transfer));
  const double end = told_end(plan);
  double total = 0;
  for (std::size_t first = 0; first < plan.steps.size();) {
    double longest = 0;
    double copies = 0;
    std::size_t i = first;
    for (; i < plan.steps.size() && plan.steps[i].phase == plan.steps[first].phase; ++i) {
      Step& step = plan.steps[i];
      const double copy = copy_seconds(step.cost.bytes, transfer);
      if (transfer.rate_mib && step.cost.bytes) step.cost.seconds_at_least = whole(copy / of_step);
      tell_downtime(step, transfer);
      longest = std::max(longest, wait_seconds(step) + copy / of_step);
      copies += copy;
    }
    total += std::max({longest, copies / parallel, pause_after(plan, first, i, end)});
    first = i;
  }
  // Some copies belong to no step: a rebalance after the last.
  total = std::max(total, copy_seconds(plan.totals.bytes, transfer) / parallel);
  if (transfer.rate_mib || total > 0) plan.totals.seconds_at_least = whole(total);
  std::erase_if(plan.assumptions, [](const CodedText& text) { return text.code == kCode; });
  if (!plan.steps.empty()) plan.assumptions.push_back({kCode, assumption(transfer)});
}

void count_traffic(Plan& plan) {
  if (plan.system != System::Ganeti) return;
  std::map<std::string, NodeTraffic> nodes;
  for (const Step& step : plan.steps) {
    for (const Link& link : step.cost.links) {
      nodes[link.from].out += link.bytes;
      nodes[link.to].in += link.bytes;
    }
  }
  plan.totals.per_node.clear();
  for (auto& [name, traffic] : nodes) {
    traffic.name = name;
    plan.totals.per_node.push_back(std::move(traffic));
  }
}

}  // namespace ballast::plan
