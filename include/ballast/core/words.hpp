// SPDX-License-Identifier: BSD-2-Clause
// Small pieces of sentences, and how far apart two words are.
#pragma once

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace ballast {

/// "1 instance", "3 instances": for nouns whose plural ends in s.
std::string counted(std::int64_t count, std::string_view noun);
inline std::string counted(std::size_t count, std::string_view noun) {
  return counted(static_cast<std::int64_t>(count), noun);
}

/// The one word or the other: of_count(1, "is", "are") is "is".
template <std::integral Count>
constexpr std::string_view of_count(Count count, std::string_view one, std::string_view many) {
  return count == 1 ? one : many;
}

/// Words of a key: "replace_primary" is "replace primary".
std::string key_in_words(std::string_view key);

/// How many letters must be put in, taken out or exchanged to make `a` into `b`; for short words.
std::size_t edit_distance(std::string_view a, std::string_view b);

/// The known word that `word` may have been meant to be: the first with the fewest changes, at most
/// `most_changes` and fewer than it has letters.
std::optional<std::string_view> nearest(std::string_view word,
                                        std::span<const std::string_view> known,
                                        std::size_t most_changes = 2);

/// "; did you mean "KNOWN"?", or nothing where no known word is near.
std::string did_you_mean(std::string_view word, std::span<const std::string_view> known);

}  // namespace ballast
