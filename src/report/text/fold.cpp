// SPDX-License-Identifier: BSD-2-Clause
#include "fold.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace ballast::report {
namespace {

bool is_word(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '-' ||
         c == '_';
}

/// Whether what follows a word is the rest of an address, ".default" or ":2379".
bool goes_on(const std::string& line, std::size_t end) {
  return end + 1 < line.size() && (line[end] == ':' || line[end] == '.') && is_word(line[end + 1]);
}

/// Each whole word `from` becomes `to`.
std::string with_word(const std::string& line, const std::string& from, const std::string& to) {
  if (from.empty()) return line;
  std::string result;
  std::size_t at = 0;
  for (;;) {
    const std::size_t found = line.find(from, at);
    if (found == std::string::npos) return result + line.substr(at);
    const std::size_t end = found + from.size();
    // Not a part of an address, either.
    const bool begins = found == 0 || (!is_word(line[found - 1]) && line[found - 1] != '/');
    const bool ends = end == line.size() || (!is_word(line[end]) && !goes_on(line, end));
    const bool whole = begins && ends;
    result += line.substr(at, found - at) + (whole ? to : from);
    at = end;
  }
}

bool has_word(const std::string& line, const std::string& word) {
  return with_word(line, word, "\1") != line;
}

std::string in_capitals(std::string text) {
  for (char& c : text) c = c >= 'a' && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c;
  return text;
}

}  // namespace

std::vector<Chunk> chunks_of(const plan::Plan& plan) {
  const auto& steps = plan.steps;
  const auto phase_size = [&](int phase) {
    return std::ranges::count(steps, phase, &plan::Step::phase);
  };
  std::vector<Chunk> chunks;
  for (std::size_t i = 0; i < steps.size();) {
    Chunk chunk{i, i + 1, phase_size(steps[i].phase) > 1};
    for (; chunk.last < steps.size(); ++chunk.last) {
      const plan::Step& next = steps[chunk.last];
      const bool alike =
          next.action == steps[i].action && next.subject.group == steps[i].subject.group;
      const bool fits =
          chunk.one_phase ? next.phase == steps[i].phase : phase_size(next.phase) == 1;
      if (!alike || !fits) break;
    }
    i = chunk.last;
    chunks.push_back(chunk);
  }
  return chunks;
}

std::string with_open_names(const std::string& line, const plan::Step& step) {
  std::string open = with_word(line, step.subject.name, "NAME");
  open = with_word(open, fmt::format("until step {} is done", step.n), "until it is done");
  const auto* facts = step.system.get<ValueMap>();
  for (std::size_t i = 0; facts != nullptr && i < facts->size(); ++i) {
    const auto& [name, value] = (*facts)[i];
    if (name == "component" || name == "set") continue;
    if (const auto* text = value.get<std::string>())
      open = with_word(open, *text, in_capitals(name));
    const auto* number = value.get<std::int64_t>();
    if (number != nullptr && has_word(open, name))
      open = with_word(open, fmt::format("{}", *number), in_capitals(name));
  }
  return open;
}

}  // namespace ballast::report
