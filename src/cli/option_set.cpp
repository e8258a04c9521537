// SPDX-License-Identifier: BSD-2-Clause
// The one place that knows CLI11: it reads the site's file and checks which options go together.
#include "option_set.hpp"
#include "site_text.hpp"

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
  CLI::Option* declared = app.add_option(forms)->type_name(
      option.range ? fmt::format("INT in [{} - {}]", option.range->least, option.range->most)
                   : option.value_name);
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

}  // namespace

std::string key_of(const Option& option) {
  return option.name.empty() ? std::string(1, option.letter) : option.name;
}

Result<std::vector<Setting>> read_site_settings(std::string_view text, const std::string& file,
                                                std::string_view tool,
                                                const std::vector<Option>& table) {
  const SiteText lines(text, file);
  if (const Status fine = lines.check(); !fine) return fail(fine.error());
  std::istringstream stream{lines.text()};
  std::vector<Setting> settings;
  for (const CLI::ConfigItem& item : CLI::ConfigTOML().from_config(stream)) {
    const bool is_mark = item.name == "++" || item.name == "--";  // a section begins, or ends
    if (is_mark && item.inputs.empty()) continue;
    std::string section = fmt::format("{}", fmt::join(item.parents, "."));
    // The parser takes [default] for no section at all.
    if (section.empty() && lines.place_of("", item.name).line == 0) section = "default";
    const auto wrong = [&](std::string message, std::string_view key) {
      return fail(Error{std::move(message), lines.place_of(section, key), Fault::Input});
    };
    if (section.empty()) {
      return wrong(fmt::format("{}: expected a section such as [{}] before it",
                               ballast::quoted(item.name), tool),
                   item.name);
    }
    if (std::ranges::find(kSections, section) == kSections.end()) {
      return wrong(fmt::format("[{}]: expected the name of a tool{}", section,
                               did_you_mean(section, kSections)),
                   lines.place_of(section, "").line > 0 ? "" : item.name);
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
    settings.push_back({item.name, item.inputs, to_string(lines.place_of(section, item.name))});
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
