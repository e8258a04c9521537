// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include "ballast/plan/plan.hpp"

#include <string>
#include <string_view>

namespace ballast::report {

/// The steps, each a line that unfolds; many of them in folds of neighbouring phases.
std::string html_steps(const plan::Plan& plan);

/// What narrows the steps down: by kind and by any word. Shown by the page's script only.
std::string html_filter(const plan::Plan& plan);

/// "a -> b" as people write it where there is more than ASCII.
std::string with_arrows(std::string text);

}  // namespace ballast::report
