// SPDX-License-Identifier: BSD-2-Clause
#include "ballast/core/words.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <vector>

namespace ballast {

std::string counted(std::int64_t count, std::string_view noun) {
  return fmt::format("{} {}{}", count, noun, count == 1 ? "" : "s");
}

std::string key_in_words(std::string_view key) {
  std::string words(key);
  std::ranges::replace(words, '_', ' ');
  return words;
}

std::size_t edit_distance(std::string_view a, std::string_view b) {
  std::vector<std::size_t> row(b.size() + 1);
  std::iota(row.begin(), row.end(), std::size_t{0});
  for (std::size_t i = 1; i <= a.size(); ++i) {
    std::size_t diagonal = row[0];
    row[0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const std::size_t replaced = diagonal + (a[i - 1] == b[j - 1] ? 0 : 1);
      diagonal = row[j];
      row[j] = std::min({row[j] + 1, row[j - 1] + 1, replaced});
    }
  }
  return row[b.size()];
}

std::optional<std::string_view> nearest(std::string_view word,
                                        std::span<const std::string_view> known,
                                        std::size_t most_changes) {
  std::optional<std::string_view> best;
  std::size_t fewest = most_changes + 1;
  for (const std::string_view candidate : known) {
    const std::size_t changes = edit_distance(word, candidate);
    if (changes >= fewest || changes >= candidate.size()) continue;
    fewest = changes;
    best = candidate;
  }
  return best;
}

std::string did_you_mean(std::string_view word, std::span<const std::string_view> known) {
  const auto meant = nearest(word, known);
  return meant ? fmt::format("; did you mean \"{}\"?", *meant) : "";
}

}  // namespace ballast
