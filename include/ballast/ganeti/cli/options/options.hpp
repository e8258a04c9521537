// SPDX-License-Identifier: BSD-2-Clause
// The option catalogue of the Ganeti tools: letter, name, value, completion, help and effect of
// each option stand in one place.
#pragma once

#include "ballast/cli/options.hpp"
#include "ballast/ganeti/cli/options/settings.hpp"

#include <span>
#include <string_view>
#include <vector>

namespace ballast::ganeti::cli {

/// The named options of the catalogue, in the given order (a tool lists the reference's order, its
/// own additions last). `settings` must outlive the parsing. Precondition: every name is in the
/// catalogue.
std::vector<ballast::cli::Option> options_of(std::span<const std::string_view> names,
                                             Settings& settings);

}  // namespace ballast::ganeti::cli
