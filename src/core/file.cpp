// SPDX-License-Identifier: BSD-2-Clause
#include "ballast/core/file.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <climits>
#include <csignal>
#include <cstdlib>
#include <cstring>

namespace ballast {
namespace {

using RawStatus = tl::expected<void, FileError>;

class Descriptor {
 public:
  explicit Descriptor(int fd) : fd_(fd) {}
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;
  ~Descriptor() {
    if (fd_ > STDERR_FILENO) ::close(fd_);
  }
  [[nodiscard]] int get() const { return fd_; }

 private:
  int fd_;
};

tl::unexpected<FileError> failure(int error_number) {
  return tl::unexpected<FileError>(FileError{error_number, error_number == EISDIR});
}

tl::expected<std::string, FileError> read_all(int fd) {
  std::string content;
  struct stat status {};
  if (::fstat(fd, &status) == 0) {
    if (S_ISDIR(status.st_mode)) return failure(EISDIR);
    if (status.st_size > 0) content.reserve(static_cast<std::size_t>(status.st_size) + 1);
  }
  std::array<char, 1U << 16U>
      buffer;  // NOLINT(cppcoreguidelines-pro-type-member-init): filled by read
  for (;;) {
    const ssize_t count = ::read(fd, buffer.data(), buffer.size());
    if (count == 0) return content;
    if (count > 0) {
      content.append(buffer.data(), static_cast<std::size_t>(count));
    } else if (errno != EINTR) {
      return failure(errno);
    }
  }
}

RawStatus write_all(int fd, std::string_view content) {
  while (!content.empty()) {
    const ssize_t count = ::write(fd, content.data(), content.size());
    if (count >= 0) {
      content.remove_prefix(static_cast<std::size_t>(count));
    } else if (errno != EINTR) {
      return failure(errno);
    }
  }
  return {};
}

std::string resolved(const std::string& path) {
  std::array<char, PATH_MAX> buffer{};
  return ::realpath(path.c_str(), buffer.data()) == nullptr ? path : std::string(buffer.data());
}

/// Signals that would end the program are held back while a temporary file exists.
class HeldSignals {
 public:
  HeldSignals() {
    sigset_t held;
    ::sigemptyset(&held);
    for (const int signal : {SIGINT, SIGTERM, SIGHUP}) ::sigaddset(&held, signal);
    ::sigprocmask(SIG_BLOCK, &held, &before_);
  }
  HeldSignals(const HeldSignals&) = delete;
  HeldSignals& operator=(const HeldSignals&) = delete;
  ~HeldSignals() { ::sigprocmask(SIG_SETMASK, &before_, nullptr); }

 private:
  sigset_t before_{};
};

mode_t mode_for(const std::string& target) {
  struct stat status {};
  if (::stat(target.c_str(), &status) == 0) return status.st_mode & 07777U;
  const mode_t mask = ::umask(0);
  ::umask(mask);
  return 0666U & ~mask;
}

RawStatus replace_regular(const std::string& target, std::string_view content) {
  const HeldSignals held;
  const mode_t mode = mode_for(target);
  std::string temporary = target + ".XXXXXX";
  const Descriptor fd(::mkstemp(temporary.data()));
  if (fd.get() < 0) return failure(errno);
  RawStatus written = write_all(fd.get(), content);
  if (written &&
      (::fchmod(fd.get(), mode) != 0 || ::rename(temporary.c_str(), target.c_str()) != 0)) {
    written = failure(errno);
  }
  if (!written) ::unlink(temporary.c_str());
  return written;
}

RawStatus write_through(const std::string& path, std::string_view content) {
  const Descriptor fd(::open(path.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666));
  if (fd.get() < 0) return failure(errno);
  return write_all(fd.get(), content);
}

bool is_not_regular(const std::string& path) {
  struct stat status {};
  return ::stat(path.c_str(), &status) == 0 && !S_ISREG(status.st_mode);
}

bool is_writable_or_new(const std::string& path) {
  return ::access(path.c_str(), W_OK) == 0 || errno == ENOENT;
}

Error worded(const std::string& path, const FileError& error) {
  return Error{
      error.is_directory ? "is a directory, not a file" : std::strerror(error.error_number),
      Place{path == "-" ? "standard input" : path, 0, 0}, Fault::Input};
}

}  // namespace

tl::expected<std::string, FileError> read_file_raw(const std::string& path) {
  if (path == "-") return read_all(STDIN_FILENO);
  const Descriptor fd(::open(path.c_str(), O_RDONLY | O_CLOEXEC));
  if (fd.get() < 0) return failure(errno);
  return read_all(fd.get());
}

Result<std::string> read_file(const std::string& path) {
  auto content = read_file_raw(path);
  if (!content) return fail(worded(path, content.error()));
  return std::move(*content);
}

tl::expected<void, FileError> write_file_raw(const std::string& path, std::string_view content) {
  if (path == "-") return write_all(STDOUT_FILENO, content);
  if (is_not_regular(path)) return write_through(path, content);
  const std::string target = resolved(path);
  if (!is_writable_or_new(target)) return failure(errno);
  auto written = replace_regular(target, content);
  // A writable file in a directory that takes no new files is still written, only not in one
  // stroke.
  if (!written && ::access(target.c_str(), W_OK) == 0 && written.error().error_number == EACCES) {
    return write_through(path, content);
  }
  return written;
}

Status write_file(const std::string& path, std::string_view content) {
  const auto written = write_file_raw(path, content);
  if (!written) return fail(worded(path, written.error()));
  return {};
}

}  // namespace ballast
