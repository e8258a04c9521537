// SPDX-License-Identifier: BSD-2-Clause
#include "ballast/ganeti/backend/transport/system_error.hpp"

#include <fmt/format.h>

#include <cerrno>
#include <cstring>

namespace ballast::ganeti {
namespace {

/// The classes into which the reference's language sorts operating system errors.
std::string_view class_of(int error_number) {
  switch (error_number) {
    case ENOENT:
    case ENXIO:
    case ENODEV:
    case ECONNREFUSED:
      return "does not exist";
    case EACCES:
    case EPERM:
    case EROFS:
      return "permission denied";
    case EISDIR:
    case ENOTDIR:
      return "inappropriate type";
    case ENAMETOOLONG:
    case ELOOP:
    case EINVAL:
      return "invalid argument";
    case EMFILE:
    case ENFILE:
    case ENOSPC:
    case EDQUOT:
    case EFBIG:
      return "resource exhausted";
    case EBUSY:
    case ETXTBSY:
      return "resource busy";
    case EPIPE:
    case ECONNRESET:
      return "resource vanished";
    case EIO:
      return "hardware fault";
    default:
      return "failed";
  }
}

}  // namespace

std::string system_error_text(int error_number) {
  return fmt::format("{} ({})", class_of(error_number), std::strerror(error_number));
}

std::string file_error_text(const std::string& path, const FileError& error) {
  if (error.is_input)
    return fmt::format("{}: was read in this run: an input is not written over", path);
  if (!error.is_directory)
    return fmt::format("{}: openFile: {}", path, system_error_text(error.error_number));
  return fmt::format("{}: openFile: {} (is a directory)", path, class_of(error.error_number));
}

}  // namespace ballast::ganeti
