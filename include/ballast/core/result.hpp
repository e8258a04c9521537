// SPDX-License-Identifier: BSD-2-Clause
// The one header that names the expected type, so that a later std::expected is a change of one
// file.
#pragma once

#include <string>
#include <tl/expected.hpp>
#include <utility>

#include "ballast/core/error.hpp"

namespace ballast {

template <class T>
using Result = tl::expected<T, Error>;

/// For functions that only succeed or fail.
using Status = Result<void>;

/// Use: `return fail("...");` in a function that returns Result<T>.
inline tl::unexpected<Error> fail(std::string message, Place place = {}) {
  return tl::unexpected<Error>(Error{std::move(message), std::move(place), Fault::Input});
}
inline tl::unexpected<Error> fail(Error error) { return tl::unexpected<Error>(std::move(error)); }

}  // namespace ballast
