// SPDX-License-Identifier: BSD-2-Clause
#include "scan.hpp"

#include "ballast/core/strings.hpp"
#include "ballast/core/utf8.hpp"
#include "ballast/core/words.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <deque>

namespace ballast::cli {
namespace {

std::string short_cell(const Option& option) {
  if (option.letter == 0) return "";
  switch (option.takes) {
    case Takes::Nothing:
      return fmt::format("-{}", option.letter);
    case Takes::Value:
      return fmt::format("-{} {}", option.letter, option.value_name);
    case Takes::OptionalValue:
      return fmt::format("-{}[{}]", option.letter, option.value_name);
  }
  return "";
}

std::string long_cell(const Option& option) {
  if (option.name.empty()) return "";
  switch (option.takes) {
    case Takes::Nothing:
      return "--" + option.name;
    case Takes::Value:
      return fmt::format("--{}={}", option.name, option.value_name);
    case Takes::OptionalValue:
      return fmt::format("--{}[={}]", option.name, option.value_name);
  }
  return "";
}

class Scanner {
 public:
  Scanner(const std::vector<Option>& table, const std::vector<std::string>& words)
      : table_(table), words_(words.begin(), words.end()) {}

  Scan run() {
    while (!words_.empty()) {
      const std::string word = take();
      if (word == "--") {
        scan_.arguments.insert(scan_.arguments.end(), words_.begin(), words_.end());
        break;
      }
      if (word.starts_with("--")) {
        read_long(word.substr(2));
      } else if (word.size() > 1 && word.front() == '-') {
        read_short(word.substr(1));
      } else {
        scan_.arguments.push_back(word);
      }
    }
    return std::move(scan_);
  }

 private:
  std::string take() {
    std::string word = std::move(words_.front());
    words_.pop_front();
    return word;
  }

  /// Exact names first, then prefixes among the reference's options, then among ours.
  [[nodiscard]] std::vector<const Option*> candidates(std::string_view name) const {
    const auto all = [&](auto matches) {
      std::vector<const Option*> found;
      for (const Option& option : table_) {
        if (!option.name.empty() && matches(option)) found.push_back(&option);
      }
      return found;
    };
    auto found = all([&](const Option& option) { return option.name == name; });
    for (const bool is_reference : {true, false}) {
      if (!found.empty()) break;
      found = all([&](const Option& option) {
        return option.is_reference == is_reference && option.name.starts_with(name);
      });
    }
    return found;
  }

  void suggest_for(std::string_view name) {
    std::vector<std::string_view> known;
    for (const Option& option : table_) known.push_back(option.name);
    if (const auto meant = nearest(name, known))
      scan_.suggestions.push_back(fmt::format("did you mean `--{}'?", *meant));
  }

  void read_long(const std::string& word) {
    const std::size_t equals = word.find('=');
    const std::string name = word.substr(0, equals);
    const auto found = candidates(name);
    if (found.empty()) {
      scan_.unrecognized.push_back(fmt::format("unrecognized option `--{}'", word));
      suggest_for(name);
      return;
    }
    if (found.size() > 1) {
      std::string lines = option_lines(found);
      lines.pop_back();
      scan_.errors.push_back(
          fmt::format("option `--{}' is ambiguous; could be one of:\n{}", name, lines));
      return;
    }
    std::optional<std::string> value;
    if (equals != std::string::npos) value = word.substr(equals + 1);
    if (value && found.front()->takes == Takes::Nothing) {
      scan_.errors.push_back(fmt::format("option `--{}' doesn't allow an argument", name));
      return;
    }
    add(*found.front(), std::move(value), "--" + name);
  }

  /// A flag takes one letter and hands the rest back as a word of its own, so "-v-quiet" reads like
  /// "-v --quiet".
  void read_short(const std::string& letters) {
    const std::string letter =
        letters.substr(0, std::max<std::size_t>(1, utf8_sequence_length(letters)));
    const std::string rest = letters.substr(letter.size());
    const auto option = std::ranges::find_if(table_, [&](const Option& candidate) {
      return letter.size() == 1 && candidate.letter != 0 && candidate.letter == letter.front();
    });
    const bool is_known = option != table_.end();
    if (!rest.empty() && (!is_known || option->takes == Takes::Nothing))
      words_.push_front("-" + rest);
    if (!is_known) {
      scan_.unrecognized.push_back(fmt::format("unrecognized option `-{}'", letter));
    } else if (option->takes == Takes::Nothing || rest.empty()) {
      add(*option, std::nullopt, "-" + letter);
    } else {
      add(*option, rest, "-" + letter);
    }
  }

  void add(const Option& option, std::optional<std::string> value, const std::string& shown) {
    if (option.takes == Takes::Value && !value) {
      if (words_.empty()) {
        scan_.errors.push_back(
            fmt::format("option `{}' requires an argument {}", shown, option.value_name));
        return;
      }
      value = take();
    }
    scan_.found.push_back({&option, std::move(value)});
  }

  const std::vector<Option>& table_;
  std::deque<std::string> words_;
  Scan scan_;
};

Option config_option() {
  Option option;
  option.name = "config";
  option.takes = Takes::Value;
  option.value_name = "FILE";
  option.completion = "file";
  option.help = "take the usual options of the site from FILE";
  return option;
}

}  // namespace

std::vector<Option> complete_table(const std::vector<Option>& options) {
  const bool has_reference = std::ranges::any_of(options, &Option::is_reference);
  const auto generic = [&](char letter, const char* name, const char* help) {
    Option option;
    option.letter = letter;
    option.name = name;
    option.completion = "none";
    option.help = help;
    option.is_reference = has_reference;
    return option;
  };
  std::vector<Option> table;
  const auto append = [&](bool is_reference) {
    std::ranges::copy_if(options, std::back_inserter(table),
                         [&](const Option& option) { return option.is_reference == is_reference; });
  };
  append(has_reference);
  table.push_back(generic('V', "version", "print the version and end"));
  table.push_back(generic('h', "help", "print this text and end"));
  table.push_back(generic(0, "help-completion", "print the options for shell completion and end"));
  table.push_back(config_option());
  if (has_reference) append(false);
  return table;
}

bool is_generic(std::string_view name) {
  return name == "version" || name == "help" || name == "help-completion" || name == "config";
}

Scan scan_words(const std::vector<Option>& table, const std::vector<std::string>& words) {
  return Scanner(table, words).run();
}

std::string option_lines(const std::vector<const Option*>& options, Headings headings) {
  std::size_t short_width = 0;
  std::size_t long_width = 0;
  for (const Option* option : options) {
    short_width = std::max(short_width, utf8_length(short_cell(*option)));
    long_width = std::max(long_width, utf8_length(long_cell(*option)));
  }
  std::string text;
  std::string_view group;
  for (const Option* option : options) {
    if (headings == Headings::Shown && option->group != group)
      text += fmt::format("{}:\n", group = option->group);
    text += fmt::format("  {}  {}  {}\n", pad_right(short_cell(*option), short_width),
                        pad_right(long_cell(*option), long_width), option->help);
  }
  return text;
}

}  // namespace ballast::cli
