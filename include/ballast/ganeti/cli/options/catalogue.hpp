// SPDX-License-Identifier: BSD-2-Clause
// The rows of the option catalogue, in three tables: input, output, search.
#pragma once

#include "ballast/cli/options.hpp"
#include "ballast/ganeti/cli/options/settings.hpp"

#include <optional>
#include <span>
#include <string_view>

namespace ballast::ganeti::cli {

/// A name "option@tool" is a row of its own for a tool in which the option takes something else.
struct CatalogueRow {
  char letter;
  std::string_view name;
  ballast::cli::Takes takes;
  std::string_view value_name;
  std::string_view completion;
  std::string_view help;
  bool is_reference;
  Status (*effect)(Settings& settings, std::optional<std::string_view> value);
  std::optional<ballast::cli::Range> range = {};
};

std::span<const CatalogueRow> input_rows();
std::span<const CatalogueRow> output_rows();
std::span<const CatalogueRow> search_rows();

/// nullptr: no such option.
const CatalogueRow* find_row(std::string_view name);

}  // namespace ballast::ganeti::cli
