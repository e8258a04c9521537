// SPDX-License-Identifier: BSD-2-Clause
#include "site.hpp"

#include "ballast/core/file.hpp"

#include "scan.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <cstdlib>
#include <filesystem>

namespace ballast::cli {
namespace {

constexpr const char* kSiteFile = "/etc/ballast/ballast.toml";

/// "BALLAST_MAX_CPU" for "max-cpu".
std::string variable_of(std::string_view name) {
  std::string variable = "BALLAST_";
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

}  // namespace

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
