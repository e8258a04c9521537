// SPDX-License-Identifier: BSD-2-Clause
#include "site.hpp"

#include "ballast/core/file.hpp"
#include "ballast/core/words.hpp"

#include "scan.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <cstdlib>
#include <filesystem>
#include <unistd.h>

namespace ballast::cli {
namespace {

constexpr std::string_view kHead = "BALLAST_";
constexpr const char* kSiteFile = "/etc/ballast/ballast.toml";

/// "BALLAST_MAX_CPU" for "max-cpu".
std::string variable_of(std::string_view name) {
  std::string variable(kHead);
  for (const char c : name) {
    variable += c == '-' ? '_' : static_cast<char>(std::toupper(static_cast<unsigned char>(c)));
  }
  return variable;
}

/// None where no file was named and the usual one is not there.
std::optional<std::string> site_file(const std::optional<std::string>& config_file) {
  if (config_file) return config_file;
  if (const char* named = std::getenv("BALLAST_CONFIG")) {
    return *named == '\0' ? std::nullopt : std::optional<std::string>(named);
  }
  std::error_code ignored;
  if (std::filesystem::exists(kSiteFile, ignored)) return kSiteFile;
  return std::nullopt;
}

/// Read elsewhere.
constexpr std::array<std::string_view, 3> kOtherVariables{"BALLAST_CONFIG", "BALLAST_RAPI_USER",
                                                          "BALLAST_RAPI_PASSWORD"};
/// Options of one tool that are near to one of another: no slips.
constexpr std::array<std::string_view, 4> kLookAlikes{
    "BALLAST_NODE", "BALLAST_PRINT_MOVES", "BALLAST_PRINT_NODES", "BALLAST_WRITE_STATUS"};

/// One change is a slip in a word of four letters and more, two are in one of seven; short words of
/// other meanings are that near by chance.
std::size_t most_slips(std::string_view name) {
  const std::size_t letters = name.size() - kHead.size();
  return letters < 4 ? 0 : letters < 7 ? 1 : 2;
}

}  // namespace

std::vector<std::string> misspelt_variables(const std::vector<Option>& table) {
  std::vector<std::string> names(kOtherVariables.begin(), kOtherVariables.end());
  for (const Option& option : table) {
    if (!option.name.empty() && !is_generic(option.name)) names.push_back(variable_of(option.name));
  }
  const std::vector<std::string_view> known(names.begin(), names.end());
  std::vector<std::string> notes;
  for (char** entry = environ; *entry != nullptr; ++entry) {
    const std::string_view text = *entry;
    const std::string_view name = text.substr(0, text.find('='));
    if (!name.starts_with(kHead) || std::ranges::find(known, name) != known.end() ||
        std::ranges::find(kLookAlikes, name) != kLookAlikes.end())
      continue;
    if (const auto meant = nearest(name, known, most_slips(name)))
      notes.push_back(fmt::format("{} is not read; did you mean {}?", name, *meant));
  }
  std::ranges::sort(notes);  // the order of the environment says nothing
  return notes;
}

Result<std::vector<Setting>> site_settings(std::string_view tool, const std::vector<Option>& table,
                                           const std::optional<std::string>& config_file) {
  std::vector<Option> own;
  std::ranges::remove_copy_if(table, std::back_inserter(own),
                              [](const Option& option) { return is_generic(option.name); });
  std::vector<Setting> settings;
  for (const Option& option : own) {
    const std::string variable = variable_of(option.name);
    const char* value = option.name.empty() ? nullptr : std::getenv(variable.c_str());
    if (value != nullptr) settings.push_back({option.name, {value}, variable});
  }
  const auto file = site_file(config_file);
  if (!file) return settings;
  const auto text = read_file(*file);
  if (!text) return fail(text.error());
  auto from_file = read_site_settings(*text, *file, tool, own);
  if (!from_file) return fail(from_file.error());
  std::ranges::move(*from_file, std::back_inserter(settings));
  return settings;
}

}  // namespace ballast::cli
