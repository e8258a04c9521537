// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include "names.hpp"

#include <string>
#include <string_view>

namespace ballast::report {

/// The steps, each a line that unfolds; many of them in folds of neighbouring phases, very many
/// without the commands that only look.
std::string html_steps(const PageView& page);

/// What narrows the steps down: by kind and by any word. Shown by the page's script only;
/// empty for a plan of fewer than two steps.
std::string html_filter(const plan::Plan& plan);

/// "a -> b" as people write it where there is more than ASCII.
std::string with_arrows(std::string text);

}  // namespace ballast::report
