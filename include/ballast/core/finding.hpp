// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <string>

#include "ballast/core/value.hpp"

namespace ballast {

enum class Severity { Note, Warning, Error };

/// One thing that a reader should know or mend. Empty texts and null figures are left out.
struct Finding {
  Severity severity = Severity::Note;
  std::string code;              ///< kebab-case, stable: what scripts look for
  std::string text;              ///< one sentence with the figures
  Value subject = Value::map();  ///< names by kind: "group", "node", "instance", "unit", "tag"
  Value figures = Value::map();  ///< numbers by name; sizes in bytes, names end in _bytes
  std::string action;            ///< what to do about it
};

}  // namespace ballast
