// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "ballast/core/remark.hpp"
#include "ballast/doc/tree.hpp"
#include "ballast/operators/cli/common_settings.hpp"
#include "ballast/operators/input/diagnostics.hpp"
#include "ballast/plan/plan.hpp"

namespace ballast::operators {

/// The tool's codes of what is wrong with files and their objects.
struct SideCodes {
  std::string_view file;    ///< cannot be read or parsed
  std::string_view object;  ///< not the object that is planned
  std::string_view edit;    ///< --set
};

/// One object before and after, and what kubectl says besides.
struct Sides {
  doc::Tree current;               ///< --current: the object of the kind
  doc::Tree desired;               ///< --desired, whole or a patch below spec, and --set on top
  std::vector<doc::Tree> objects;  ///< --kube, --nodes, --pvs, lists flattened
};

/// Reads the files of the common options; --name and --namespace select. Nothing of the answer
/// counts where `errors` is not empty afterwards.
Sides load_sides(const CommonSettings& settings, std::string_view kind, const SideCodes& codes,
                 Diagnostics& errors);

/// Of the two objects and of what kubectl says, whatever of it a planner looks at.
std::string fingerprint(const Sides& sides);

/// The head of a plan of such sides: cluster, options, clock, fingerprint, notes.
void fill_head(plan::Plan& plan, const Sides& sides, const CommonSettings& settings,
               const std::vector<Remark>& notes);

}  // namespace ballast::operators
