// SPDX-License-Identifier: BSD-2-Clause
// Errors as values, with the place in the input where they were found.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace ballast {

/// A place in an input. Line and column count from 1; 0 means "not known" (and what follows is not
/// known either). Columns count bytes.
struct Place {
  std::string file;
  std::size_t line = 0;
  std::size_t column = 0;

  friend bool operator==(const Place&, const Place&) = default;
};

/// "file:line:column", without the parts that are not known; empty where nothing is.
std::string to_string(const Place& place);

/// Whose fault it is decides the exit status (cli/run_main.hpp).
enum class Fault {
  Usage,     ///< wrong command line
  Input,     ///< unreadable or contradictory input, or an environment that does not play along
  Internal,  ///< a bug of ours
};

/// One error: what, where, whose fault. `message` is one line without the place and without the
/// program's name.
struct Error {
  std::string message;
  Place place;
  Fault fault = Fault::Input;

  friend bool operator==(const Error&, const Error&) = default;
};

/// "file:line:column: message", or the message alone where no place is known.
std::string to_string(const Error& error);

/// `text` in double quotes, cut after 60 characters with "...", control characters and invalid
/// UTF-8 as \xNN: fit for one line.
std::string quoted(std::string_view text);

}  // namespace ballast
