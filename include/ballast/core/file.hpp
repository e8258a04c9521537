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
  bool is_input = false;  ///< refused: the file was read in this run (see guard_inputs)
};

/// From now on every regular file that is read is an input, and no input is written over, whatever
/// the name or link by which it is reached. For programs, at their start; tests that write what
/// they read do not call it.
void guard_inputs();

/// The whole file, whatever it holds; "-" is standard input. The error's place names the file.
Result<std::string> read_file(const std::string& path);

/// As read_file, for callers with words of their own.
tl::expected<std::string, FileError> read_file_raw(const std::string& path);

/// Replaces the file's content. A regular file (links followed, a dangling one's target is made;
/// owner and mode kept, set-uid and set-gid dropped) is written without a name or beside its final
/// name, brought to the disk and renamed, so that a reader never sees half of it; "-", /dev/stdout,
/// pipes and devices are written through. The new file is made by a process of its own, which no
/// signal to the program or its group reaches: SIGKILL, too, leaves no temporary file. What ends
/// that process itself (a kill of everything, the end of a container, of the machine) can leave
/// one, PATH.PID-N, between two calls, and only where a file was there before; on a file system
/// without files that have no name, PATH.XXXXXX while it is written. A file whose owner cannot be
/// kept is written in place.
Status write_file(const std::string& path, std::string_view content);
tl::expected<void, FileError> write_file_raw(const std::string& path, std::string_view content);

}  // namespace ballast
