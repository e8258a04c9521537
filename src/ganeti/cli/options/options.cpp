// SPDX-License-Identifier: BSD-2-Clause
#include "ballast/ganeti/cli/options/options.hpp"

#include "ballast/ganeti/cli/options/catalogue.hpp"

#include <cstdlib>

namespace ballast::ganeti::cli {

namespace {

/// Ours stand below those of the reference, by what they are about.
std::string_view heading_of(const CatalogueRow& row) {
  const auto is_in = [&](std::span<const CatalogueRow> rows) {
    return &row >= rows.data() && &row < rows.data() + rows.size();
  };
  if (is_in(input_rows())) return "Input, beyond htools";
  return is_in(output_rows()) ? "Output, beyond htools" : "The search, beyond htools";
}

}  // namespace

const CatalogueRow* find_row(std::string_view name) {
  for (const auto rows : {input_rows(), output_rows(), search_rows()}) {
    for (const CatalogueRow& row : rows) {
      if (row.name == name) return &row;
    }
  }
  return nullptr;
}

std::vector<ballast::cli::Option> options_of(std::span<const std::string_view> names,
                                             Settings& settings) {
  std::vector<ballast::cli::Option> options;
  for (const std::string_view name : names) {
    const CatalogueRow* row = find_row(name);
    if (row == nullptr) std::abort();  // a misspelt name in a tool's own table
    ballast::cli::Option option;
    option.letter = row->letter;
    option.name = row->name.substr(0, row->name.find('@'));
    option.takes = row->takes;
    option.value_name = row->value_name;
    option.completion = row->completion;
    option.help = row->help;
    option.is_reference = row->is_reference;
    option.range = row->range;
    if (!row->is_reference) option.group = heading_of(*row);
    if (option.name == "json") option.excludes.emplace_back("format");
    option.apply = [effect = row->effect, &settings](std::optional<std::string_view> value) {
      return effect(settings, value);
    };
    options.push_back(std::move(option));
  }
  return options;
}

}  // namespace ballast::ganeti::cli
