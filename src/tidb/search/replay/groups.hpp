// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include "ballast/tidb/search/basis/input.hpp"
#include "ballast/tidb/search/basis/outcome.hpp"

#include <optional>
#include <string>

namespace ballast::tidb {

/// The same for profile v2, whose instances have no ordinals: one instance of a group moves in a
/// phase, no more than the wished number and the surge exist, phases never go back, PD keeps a
/// healthy majority and TiKV more Up stores than copies (unless unsafe plans are allowed), and a
/// plan that is not blocked leaves the wished number of instances, all of them on the newest
/// template.
std::optional<std::string> replay_groups(const Input& input, const Outcome& outcome);

}  // namespace ballast::tidb
