// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include "ballast/core/result.hpp"
#include "ballast/core/value.hpp"
#include "ballast/plan/plan.hpp"

#include "parse.hpp"

#include <string>
#include <string_view>

namespace ballast::report {

/// The document of a plan, seal included.
Value plan_to_value(const plan::Plan& plan);

/// SHA-256 of the document's canonical text without the key "seal".
std::string seal_of(const Value& document);

struct FieldError {
  Path path;
  std::string message;
};

/// The plan of a document; unknown keys are errors.
tl::expected<plan::Plan, FieldError> plan_from_value(const Value& document);

}  // namespace ballast::report
