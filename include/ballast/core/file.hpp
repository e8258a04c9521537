// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <string>
#include <string_view>

#include "ballast/core/result.hpp"

namespace ballast {

/// Why a file could not be opened, read or written: the operating system's number and the
/// operation, so that callers can word it.
struct FileError {
  int error_number = 0;  ///< errno
  bool is_directory = false;
};

/// The whole file, whatever it holds; "-" is standard input. The error's place names the file.
Result<std::string> read_file(const std::string& path);

/// As read_file, for callers with words of their own.
tl::expected<std::string, FileError> read_file_raw(const std::string& path);

/// Replaces the file's content. A regular file (links followed, mode kept) is written beside its
/// final name and renamed, so that a reader never sees half of it; "-", /dev/stdout, pipes and
/// devices are written through. An interrupt leaves no temporary file.
Status write_file(const std::string& path, std::string_view content);
tl::expected<void, FileError> write_file_raw(const std::string& path, std::string_view content);

}  // namespace ballast
