// SPDX-License-Identifier: BSD-2-Clause
#include "ballast/core/file.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <climits>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <set>
#include <utility>

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
  return tl::unexpected<FileError>(FileError{error_number, error_number == EISDIR, false});
}

/// Device and number of each regular file that was read, once inputs are guarded.
struct Inputs {
  bool is_guarded = false;
  std::set<std::pair<dev_t, ino_t>> files;
};

Inputs& inputs() {
  static Inputs all;
  return all;
}

void note_input(const struct stat& status) {
  if (inputs().is_guarded && S_ISREG(status.st_mode))
    inputs().files.emplace(status.st_dev, status.st_ino);
}

bool is_input(const std::string& path) {
  struct stat status {};
  return ::stat(path.c_str(), &status) == 0 &&
         inputs().files.contains({status.st_dev, status.st_ino});
}

tl::expected<std::string, FileError> read_all(int fd) {
  std::string content;
  struct stat status {};
  if (::fstat(fd, &status) == 0) {
    if (S_ISDIR(status.st_mode)) return failure(EISDIR);
    note_input(status);
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

/// Where a write by this name goes: links followed one by one, so that a dangling one's target is
/// known. A circle ends at some link of it, and opening that fails.
std::string resolved(std::string path) {
  constexpr int kMostLinks = 40;
  for (int links = 0; links < kMostLinks; ++links) {
    std::array<char, PATH_MAX> buffer{};
    const ssize_t length = ::readlink(path.c_str(), buffer.data(), buffer.size() - 1);
    if (length <= 0) break;
    const std::string target(buffer.data(), static_cast<std::size_t>(length));
    const std::size_t slash = path.rfind('/');
    const bool is_relative = target.front() != '/' && slash != std::string::npos;
    path.resize(is_relative ? slash + 1 : 0);
    path += target;
  }
  return path;
}

/// Signals wait, and an ended child is kept for who asks for it, whatever the program's parent
/// left.
class HeldSignals {
 public:
  HeldSignals() {
    sigset_t held;
    ::sigfillset(&held);
    ::sigprocmask(SIG_BLOCK, &held, &before_);
    struct sigaction usual {};
    usual.sa_handler = SIG_DFL;
    ::sigaction(SIGCHLD, &usual, &at_child_);
  }
  HeldSignals(const HeldSignals&) = delete;
  HeldSignals& operator=(const HeldSignals&) = delete;
  ~HeldSignals() {
    ::sigaction(SIGCHLD, &at_child_, nullptr);
    ::sigprocmask(SIG_SETMASK, &before_, nullptr);
  }

 private:
  sigset_t before_{};
  struct sigaction at_child_ {};
};

/// Runs the work in a process of a session of its own, which ends it though this one be killed:
/// SIGKILL cannot be held back. Where no process can be had, here.
template <typename Work>
RawStatus out_of_reach(const Work& work) {
  const pid_t child = ::fork();
  if (child < 0) return work();
  if (child == 0) {
    ::setsid();
    const RawStatus done = work();
    ::_exit(done ? 0 : done.error().error_number);
  }
  int status = 0;
  if (::waitpid(child, &status, 0) != child || !WIFEXITED(status)) return failure(EIO);
  if (WEXITSTATUS(status) != 0) return failure(WEXITSTATUS(status));
  return {};
}

std::string folder_of(const std::string& path) {
  const std::size_t slash = path.rfind('/');
  if (slash == std::string::npos) return ".";
  return slash == 0 ? "/" : path.substr(0, slash);
}

/// A new file in the target's folder: without a name where the file system can, so that nothing is
/// left whatever ends the program, else under a temporary one.
class NewFile {
 public:
  explicit NewFile(const std::string& target) : target_(target), name_(target + ".XXXXXX") {
    // Its name is given by way of /proc.
    if (::access("/proc/self/fd", X_OK) == 0)
      fd_ = ::open(folder_of(target).c_str(), O_TMPFILE | O_WRONLY | O_CLOEXEC, 0600);
    if (fd_ >= 0) return;
    fd_ = ::mkstemp(name_.data());
    has_name_ = fd_ >= 0;
  }
  NewFile(const NewFile&) = delete;
  NewFile& operator=(const NewFile&) = delete;
  ~NewFile() {
    if (fd_ >= 0) ::close(fd_);
    if (has_name_) ::unlink(name_.c_str());
  }

  [[nodiscard]] int get() const { return fd_; }

  /// Puts it in the target's place; where nothing is there, by its only name.
  RawStatus replace() {
    if (!has_name_ && link_as(target_)) return {};
    if (!has_name_ && !take_name()) return failure(errno);
    has_name_ = true;
    if (::rename(name_.c_str(), target_.c_str()) != 0) return failure(errno);
    has_name_ = false;
    return {};
  }

 private:
  [[nodiscard]] bool link_as(const std::string& name) const {
    const std::string own = "/proc/self/fd/" + std::to_string(fd_);
    return ::linkat(AT_FDCWD, own.c_str(), AT_FDCWD, name.c_str(), AT_SYMLINK_FOLLOW) == 0;
  }

  bool take_name() {
    constexpr int kTries = 100;
    for (int i = 0; i < kTries; ++i) {
      name_ = target_ + "." + std::to_string(::getpid()) + "-" + std::to_string(i);
      if (link_as(name_)) return true;
      if (errno != EEXIST) return false;
    }
    return false;
  }

  const std::string& target_;
  std::string name_;
  int fd_ = -1;
  bool has_name_ = false;
};

/// Mode and owner as a careful editor leaves them; false where the owner cannot be kept.
bool take_over(int fd, const std::string& target) {
  constexpr mode_t kPermissions = 0777U;
  struct stat old {};
  if (::stat(target.c_str(), &old) != 0) {
    const mode_t mask = ::umask(0);
    ::umask(mask);
    return ::fchmod(fd, 0666U & ~mask) == 0;
  }
  struct stat now {};
  if (::fstat(fd, &now) != 0) return false;
  const bool is_same = now.st_uid == old.st_uid && now.st_gid == old.st_gid;
  if (!is_same && ::fchown(fd, old.st_uid, old.st_gid) != 0) return false;
  return ::fchmod(fd, old.st_mode & kPermissions) == 0;
}

void bring_to_disk(const std::string& folder) {
  const Descriptor fd(::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (fd.get() >= 0) ::fsync(fd.get());
}

RawStatus write_through(const std::string& path, std::string_view content) {
  const Descriptor fd(::open(path.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666));
  if (fd.get() < 0) return failure(errno);
  return write_all(fd.get(), content);
}

RawStatus put_in_place(const std::string& target, std::string_view content) {
  NewFile file(target);
  if (file.get() < 0) return failure(errno);
  if (!take_over(file.get(), target)) return write_through(target, content);
  if (auto written = write_all(file.get(), content); !written) return written;
  if (::fsync(file.get()) != 0) return failure(errno);
  return file.replace();
}

RawStatus replace_regular(const std::string& target, std::string_view content) {
  const HeldSignals held;
  auto replaced = out_of_reach([&] { return put_in_place(target, content); });
  if (replaced) bring_to_disk(folder_of(target));
  return replaced;
}

bool is_not_regular(const std::string& path) {
  struct stat status {};
  return ::stat(path.c_str(), &status) == 0 && !S_ISREG(status.st_mode);
}

bool is_writable_or_new(const std::string& path) {
  return ::access(path.c_str(), W_OK) == 0 || errno == ENOENT;
}

Error worded(const std::string& path, const FileError& error) {
  return Error{error.is_input       ? "was read in this run: an input is not written over"
               : error.is_directory ? "is a directory, not a file"
                                    : std::strerror(error.error_number),
               Place{path == "-" ? "standard input" : path, 0, 0}, Fault::Input};
}

}  // namespace

void guard_inputs() { inputs().is_guarded = true; }

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
  if (is_input(path)) return tl::unexpected(FileError{EEXIST, false, true});
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
