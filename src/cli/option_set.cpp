// SPDX-License-Identifier: BSD-2-Clause
// The one place that knows CLI11: it reads the site's file and checks which options go together.
#include "option_set.hpp"

#include "ballast/core/words.hpp"

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <memory>
#include <sstream>

namespace ballast::cli {
namespace {

constexpr std::array<std::string_view, 11> kSections{"hail",   "hbal",     "hcheck",  "hfdb",
                                                     "hinfo",  "hplan",    "hroller", "hscan",
                                                     "hspace", "hsqueeze", "htidb"};

/// Hands settings to CLI11 as if they stood in a file: values stay what they are, whatever they
/// begin with, and the first setting of an option counts.
class GivenSettings : public CLI::Config {
 public:
  explicit GivenSettings(const std::vector<Setting>& settings) {
    for (const Setting& setting : settings) {
      CLI::ConfigItem item;
      item.name = setting.name;
      item.inputs = setting.values;
      items_.push_back(std::move(item));
    }
  }
  std::vector<CLI::ConfigItem> from_config(std::istream& /*unused*/) const override {
    return items_;
  }
  std::string to_config(const CLI::App* /*app*/, bool /*defaults*/, bool /*descriptions*/,
                        std::string /*prefix*/) const override {
    return {};
  }

 private:
  std::vector<CLI::ConfigItem> items_;
};

void declare(CLI::App& app, const Option& option) {
  const std::string forms =
      option.name.empty() ? fmt::format("-{}", option.letter) : "--" + option.name;
  CLI::Option* declared = app.add_option(forms)->type_name(option.value_name);
  switch (option.takes) {
    case Takes::Nothing:
      declared->expected(0);
      break;
    case Takes::Value:
      declared->expected(1, CLI::detail::expected_max_vector_size);
      break;
    case Takes::OptionalValue:
      declared->expected(0, 1);
      break;
  }
}

/// A tool that lacks the other option cannot be given both.
void relate(CLI::App& app, const Option& option) {
  for (const std::string& other : option.needs) {
    app.get_option("--" + option.name)->needs(app.get_option("--" + other));
  }
  for (const std::string& other : option.excludes) {
    if (CLI::Option* excluded = app.get_option_no_throw("--" + other))
      app.get_option("--" + option.name)->excludes(excluded);
  }
}

bool contradict(const std::vector<Option>& table, std::string_view one, std::string_view other) {
  const auto excludes = [&](std::string_view a, std::string_view b) {
    return std::ranges::any_of(table, [&](const Option& option) {
      return key_of(option) == a && std::ranges::find(option.excludes, b) != option.excludes.end();
    });
  };
  return excludes(one, other) || excludes(other, one);
}

/// Where a key stands in the text; the section alone where the key is empty.
Place place_of(std::string_view text, const std::string& file, std::string_view section,
               std::string_view key) {
  std::string_view current;
  for (std::size_t line = 1; !text.empty(); ++line) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    const std::string_view row = text.substr(0, end);
    text.remove_prefix(std::min(end + 1, text.size()));
    const std::size_t first = std::min(row.find_first_not_of(" \t"), row.size());
    const std::string_view words = row.substr(first);
    if (words.starts_with('[')) {
      current = words.substr(1, words.find(']') - 1);
      if (key.empty() && current == section) return {file, line, first + 1};
    } else if (current == section && !key.empty() && words.starts_with(key) &&
               words.substr(key.size()).find_first_not_of(" \t=") != 0) {
      return {file, line, first + 1};
    }
  }
  return {file, 0, 0};
}

}  // namespace

std::string key_of(const Option& option) {
  return option.name.empty() ? std::string(1, option.letter) : option.name;
}

Result<std::vector<Setting>> read_site_settings(std::string_view text, const std::string& file,
                                                std::string_view tool,
                                                const std::vector<Option>& table) {
  std::istringstream stream{std::string(text)};
  std::vector<Setting> settings;
  for (const CLI::ConfigItem& item : CLI::ConfigTOML().from_config(stream)) {
    if (item.name == "++" || item.name == "--") continue;
    const std::string section = item.parents.empty() ? "" : item.parents.front();
    const auto wrong = [&](std::string message, std::string_view key) {
      return fail(Error{std::move(message), place_of(text, file, section, key), Fault::Input});
    };
    if (item.parents.empty()) {
      return wrong(fmt::format("{}: expected a section such as [{}] before it",
                               ballast::quoted(item.name), tool),
                   item.name);
    }
    if (item.parents.size() > 1 || std::ranges::find(kSections, section) == kSections.end()) {
      return wrong(fmt::format("[{}]: expected the name of a tool{}", section,
                               did_you_mean(section, kSections)),
                   "");
    }
    if (section != tool) continue;
    const bool is_known = std::ranges::any_of(
        table, [&](const Option& option) { return key_of(option) == item.name; });
    if (!is_known) {
      std::vector<std::string_view> known;
      for (const Option& option : table) known.push_back(option.name);
      return wrong(fmt::format("{}: {} has no such option{}", ballast::quoted(item.name), tool,
                               did_you_mean(item.name, known)),
                   item.name);
    }
    settings.push_back(
        {item.name, item.inputs, to_string(place_of(text, file, section, item.name))});
  }
  return settings;
}

Result<std::vector<Setting>> chosen_settings(const std::vector<Option>& table,
                                             const std::vector<Setting>& settings) {
  std::vector<Setting> chosen;
  for (const Setting& setting : settings) {
    const bool is_taken = std::ranges::any_of(chosen, [&](const Setting& earlier) {
      return earlier.name == setting.name ||
             (!setting.origin.empty() && contradict(table, earlier.name, setting.name));
    });
    if (!is_taken) chosen.push_back(setting);
  }
  CLI::App app;
  app.set_help_flag();
  for (const Option& option : table) declare(app, option);
  for (const Option& option : table) relate(app, option);
  app.config_formatter(std::make_shared<GivenSettings>(chosen));
  try {
    std::istringstream nothing;
    app.parse_from_stream(nothing);
  } catch (const CLI::RequiresError& error) {
    return fail(Error{error.what(), {}, Fault::Usage});
  } catch (const CLI::ExcludesError& error) {
    return fail(Error{error.what(), {}, Fault::Usage});
  } catch (const CLI::ParseError& error) {
    return fail(Error{error.what(), {}, Fault::Input});
  }
  return chosen;
}

}  // namespace ballast::cli
