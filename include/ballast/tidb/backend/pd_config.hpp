// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include "ballast/doc/tree.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace ballast::tidb {

/// What the planner needs of PD's [replication] section.
struct Replication {
  std::optional<std::int64_t> max_replicas;
  std::vector<std::string> location_labels;
};

/// From PD's configuration: TOML text (its lines are searched; it is not parsed as a whole) or a
/// mapping.
Replication read_replication(const doc::Tree& config);

/// "zone,host" or a list.
std::vector<std::string> label_list(const doc::Tree& node);

/// "[1,3]" as text or a list, ascending; nothing where it is something else.
std::optional<std::vector<std::int64_t>> read_slots(const doc::Tree& value);

}  // namespace ballast::tidb
