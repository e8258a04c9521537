// SPDX-License-Identifier: BSD-2-Clause
// Rules of YAML that the parser below does not hold its input to, and the wording of those it does.
#pragma once

#include <string>
#include <string_view>

#include "reader.hpp"

namespace ballast::doc {

/// A document behind another one starts with `---`, or stands behind `...`.
Status check_document_start(const Source& source, std::size_t offset, bool is_first);

/// No tab in the indentation of a scalar in block style; quotes are closed.
Status check_scalar(const Source& source, std::size_t offset, bool is_plain, bool is_block);

/// The text of a scalar from a source that is UTF-8: yaml-cpp gives the escapes \N and \_ as the
/// one byte that they are in Latin-1.
std::string with_whole_escapes(std::string_view text);

/// A scalar with the tag as yaml-cpp gives it: "?" without quotes, "!" in quotes or a block, else
/// the full tag. The error has no place.
Result<Tree> resolve_tagged(const std::string& tag, const std::string& text);

/// An error of the parser in our words.
Error foreign_error(const Source& source, std::size_t offset, std::string_view message);

}  // namespace ballast::doc
