// SPDX-License-Identifier: BSD-2-Clause
#include "ballast/core/file.hpp"

#include <doctest/doctest.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <thread>

using namespace ballast;

namespace {

/// Whom the next renaming kills just before it is done.
pid_t victim = 0;

}  // namespace

// In place of the C library's.
extern "C" int rename(const char* from, const char* to) noexcept {
  if (victim != 0) ::kill(victim, SIGKILL);
  return ::renameat(AT_FDCWD, from, AT_FDCWD, to);
}

namespace {

class Folder {
 public:
  Folder() {
    std::string name = (std::filesystem::temp_directory_path() / "ballast-XXXXXX").string();
    path_ = ::mkdtemp(name.data());
  }
  Folder(const Folder&) = delete;
  Folder& operator=(const Folder&) = delete;
  ~Folder() { std::filesystem::remove_all(path_); }
  [[nodiscard]] std::string file(const char* name) const { return path_ + "/" + name; }
  [[nodiscard]] std::size_t count() const {
    std::size_t files = 0;
    for ([[maybe_unused]] const auto& entry : std::filesystem::directory_iterator(path_)) ++files;
    return files;
  }

 private:
  std::string path_;
};

unsigned mode_of(const std::string& path) {
  struct stat status {};
  return ::stat(path.c_str(), &status) == 0 ? status.st_mode & 07777U : 0;
}

}  // namespace

TEST_CASE("a replaced file keeps its mode, never its set-uid bit, and leaves nothing beside it") {
  const Folder folder;
  const std::string path = folder.file("plan");
  REQUIRE(write_file(path, "one"));
  REQUIRE(::chmod(path.c_str(), 04750) == 0);
  REQUIRE(write_file(path, "two"));
  CHECK(*read_file(path) == "two");
  CHECK(mode_of(path) == 0750U);
  CHECK(folder.count() == 1);
}

TEST_CASE("a program that is killed between naming and renaming leaves nothing beside the file") {
  const Folder folder;
  const std::string path = folder.file("plan");
  REQUIRE(write_file(path, "one"));
  const pid_t program = ::fork();
  if (program == 0) {
    victim = ::getpid();
    ::_exit(write_file(path, "two") ? 0 : 1);
  }
  int status = 0;
  REQUIRE(::waitpid(program, &status, 0) == program);
  CHECK(WIFSIGNALED(status));
  constexpr int kTenSeconds = 1000;
  for (int i = 0; i < kTenSeconds && (folder.count() > 1 || *read_file(path) != "two"); ++i)
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
  CHECK(*read_file(path) == "two");
  CHECK(folder.count() == 1);
}

TEST_CASE("an ended child is waited for though the program ignores the end of its children") {
  const Folder folder;
  ::signal(SIGCHLD, SIG_IGN);
  CHECK(write_file(folder.file("plan"), "text"));
  CHECK((::signal(SIGCHLD, SIG_DFL) == SIG_IGN));
  CHECK_FALSE(write_file(folder.file("none/plan"), "text"));
}

TEST_CASE("a link stays a link; the target of a dangling one is made") {
  const Folder folder;
  REQUIRE(::symlink("target", folder.file("link").c_str()) == 0);
  REQUIRE(write_file(folder.file("link"), "text"));
  CHECK(std::filesystem::is_symlink(folder.file("link")));
  CHECK(*read_file(folder.file("target")) == "text");
  CHECK(folder.count() == 2);
}

TEST_CASE("a circle of links is an error") {
  const Folder folder;
  REQUIRE(::symlink("b", folder.file("a").c_str()) == 0);
  REQUIRE(::symlink("a", folder.file("b").c_str()) == 0);
  CHECK_FALSE(write_file(folder.file("a"), "text"));
  CHECK(std::filesystem::is_symlink(folder.file("a")));
}

// The last one: what is read after it cannot be written any more.
TEST_CASE("a file that was read is not written over, by whatever name") {
  const Folder folder;
  const std::string path = folder.file("input");
  REQUIRE(write_file(path, "text"));
  REQUIRE(::symlink("input", folder.file("link").c_str()) == 0);
  guard_inputs();
  REQUIRE(read_file(path));
  CHECK_FALSE(write_file(path, "other"));
  const auto through_link = write_file_raw(folder.file("link"), "other");
  REQUIRE_FALSE(through_link);
  CHECK(through_link.error().is_input);
  CHECK(*read_file(path) == "text");
  CHECK(write_file(folder.file("output"), "other"));
}
