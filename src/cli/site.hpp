// SPDX-License-Identifier: BSD-2-Clause
// What a site says about its usual options: variables BALLAST_NAME and a file.
#pragma once

#include "option_set.hpp"

#include <optional>

namespace ballast::cli {

/// The settings of the environment, then those of the file. `config_file` is what --config gives.
/// Options that every tool has (--help, --version, --config, ...) are read from neither. An error
/// where a named file cannot be read.
Result<std::vector<Setting>> site_settings(std::string_view tool, const std::vector<Option>& table,
                                           const std::optional<std::string>& config_file);

/// Variables BALLAST_NAME that this tool does not read and whose name is near to one that it does,
/// a line each. What is near to none may be meant for another tool.
std::vector<std::string> misspelt_variables(const std::vector<Option>& table);

}  // namespace ballast::cli
