// SPDX-License-Identifier: BSD-2-Clause
#include "ballast/ganeti/cli/options.hpp"

#include "ballast/ganeti/cli/catalogue.hpp"

#include <cstdlib>

namespace ballast::ganeti::cli {

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
    option.apply = [effect = row->effect, &settings](std::optional<std::string_view> value) {
      return effect(settings, value);
    };
    options.push_back(std::move(option));
  }
  return options;
}

}  // namespace ballast::ganeti::cli
