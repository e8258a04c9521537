// SPDX-License-Identifier: BSD-2-Clause
#include "ballast/cli/planner_words.hpp"

#include "ballast/core/decimal.hpp"

#include <algorithm>

namespace ballast::cli {
namespace {

std::string text_of(const Value& value) {
  if (const auto* flag = value.get<bool>()) return *flag ? "true" : "false";
  if (const auto* integer = value.get<std::int64_t>()) return std::to_string(*integer);
  if (const auto* number = value.get<double>()) return plain(*number);
  const auto* text = value.get<std::string>();
  return text == nullptr ? "" : *text;
}

void add_option(std::vector<std::string>& words, std::string name, const Value& value) {
  std::ranges::replace(name, '_', '-');
  if (const auto* list = value.get<ValueList>()) {
    for (const Value& item : *list) add_option(words, name, item);
    return;
  }
  const bool is_flag = value == Value(true);
  words.push_back("--" + name + (is_flag ? "" : "=" + text_of(value)));
}

bool says_the_wish(const std::string& word) {
  return word.starts_with("--set=") || word.starts_with("--desired=");
}

}  // namespace

std::vector<std::string> planner_words(const plan::Plan& plan,
                                       const std::vector<std::string>& given) {
  std::vector<std::string> words;
  if (!plan.profile.empty()) words.push_back("--profile=" + plan.profile);
  const bool has_wish = std::ranges::any_of(given, says_the_wish);
  if (const auto* options = plan.options.get<ValueMap>()) {
    for (const auto& [name, value] : *options) {
      if (name != "set" || !has_wish) add_option(words, name, value);
    }
  }
  words.insert(words.end(), given.begin(), given.end());
  return words;
}

}  // namespace ballast::cli
