// SPDX-License-Identifier: BSD-2-Clause
// Waves of replacements: how much of the Kubernetes cluster each of them needs at its height.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "ballast/core/decimal.hpp"
#include "ballast/core/units.hpp"
#include "ballast/core/words.hpp"
#include "ballast/fdb/search/simulate/waves.hpp"

namespace ballast::fdb {
namespace {

constexpr std::size_t kMostTold = 8;

bool begins_wave(const TraceStep& step) {
  return step.action == Action::MarkForRemoval && step.reason != "shrink";
}

std::string peak_text(const Footprint& peak) {
  std::vector<std::string> classes;
  for (std::size_t i = 0; i < kClassCount; ++i) {
    if (peak.pods_of_class[i] > 0)
      classes.push_back(fmt::format("{} {}", peak.pods_of_class[i], name(class_at(i))));
  }
  return fmt::format("at most {} pods ({}), {}", peak.pods, fmt::join(classes, ", "),
                     room_text(peak));
}

std::string unknown_text(std::string_view what, std::int64_t pods) {
  return fmt::format("{} of {} unknown", what, counted(pods, "pod"));
}

}  // namespace

void raise(Footprint& peak, const Footprint& other) {
  const auto raise_one = [&](std::int64_t Footprint::*figure) {
    peak.*figure = std::max(peak.*figure, other.*figure);
  };
  raise_one(&Footprint::pods);
  raise_one(&Footprint::cpu_milli);
  raise_one(&Footprint::cpu_unknown_pods);
  raise_one(&Footprint::memory_bytes);
  raise_one(&Footprint::memory_unknown_pods);
  raise_one(&Footprint::volume_bytes);
  for (std::size_t i = 0; i < kClassCount; ++i)
    peak.pods_of_class[i] = std::max(peak.pods_of_class[i], other.pods_of_class[i]);
}

std::string room_text(const Footprint& room) {
  std::vector<std::string> parts;
  if (room.cpu_unknown_pods == 0 || room.cpu_unknown_pods < room.pods)
    parts.push_back(plain(static_cast<double>(room.cpu_milli) / 1000) + " CPU");
  if (room.cpu_unknown_pods > 0) parts.push_back(unknown_text("CPU", room.cpu_unknown_pods));
  if (room.memory_unknown_pods == 0 || room.memory_unknown_pods < room.pods)
    parts.push_back(size_text(room.memory_bytes) + " memory");
  if (room.memory_unknown_pods > 0)
    parts.push_back(unknown_text("memory", room.memory_unknown_pods));
  parts.push_back(size_text(room.volume_bytes) + " volumes");
  return fmt::format("{}", fmt::join(parts, ", "));
}

std::vector<Wave> waves_of(const Simulation& simulation) {
  std::vector<Wave> waves;
  const auto& steps = simulation.steps;
  int marked_in = 0;  // pass of the latest marks
  for (std::size_t i = 0; i < steps.size(); ++i) {
    const bool is_next = begins_wave(steps[i]) && marked_in != 0 && steps[i].pass != marked_in;
    if (waves.empty() || is_next) waves.push_back({i, i, {}});
    if (begins_wave(steps[i])) marked_in = steps[i].pass;
    waves.back().last = i + 1;
    raise(waves.back().peak, steps[i].footprint);
  }
  return waves;
}

std::vector<plan::CodedText> wave_notes(const Simulation& simulation,
                                        const std::vector<Wave>& waves,
                                        const std::function<int(std::size_t)>& number) {
  std::vector<plan::CodedText> notes;
  const bool creates =
      std::any_of(simulation.steps.begin(), simulation.steps.end(),
                  [](const TraceStep& step) { return step.action == Action::CreatePod; });
  if (!creates) return notes;
  for (std::size_t i = 0; i < std::min(waves.size(), kMostTold); ++i) {
    notes.push_back(
        {"wave-peak", fmt::format("wave {} (steps {} to {}): {}", i + 1, number(waves[i].first + 1),
                                  number(waves[i].last), peak_text(waves[i].peak))});
  }
  if (waves.size() <= kMostTold) return notes;
  Footprint rest;
  for (std::size_t i = kMostTold; i < waves.size(); ++i) raise(rest, waves[i].peak);
  notes.push_back({"wave-peak", fmt::format("waves {} to {}: {}", kMostTold + 1, waves.size(),
                                            peak_text(rest))});
  return notes;
}

}  // namespace ballast::fdb
