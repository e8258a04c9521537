// SPDX-License-Identifier: BSD-2-Clause
// The reference's words for errors of the operating system.
#pragma once

#include <string>

#include "ballast/core/file.hpp"

namespace ballast::ganeti {

/// "does not exist (No such file or directory)"
std::string system_error_text(int error_number);

/// "PATH: openFile: does not exist (No such file or directory)"
std::string file_error_text(const std::string& path, const FileError& error);

}  // namespace ballast::ganeti
