// SPDX-License-Identifier: BSD-2-Clause
// Threads that stay for a whole search. Its pieces of work take microseconds, which is less than
// waking a thread takes: so they wait awake for a while before they sleep.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <thread>
#include <vector>

namespace ballast::ganeti::fast {

class Team {
 public:
  /// `threads` counts the caller; at least 1.
  explicit Team(std::size_t threads);
  Team(const Team&) = delete;
  Team& operator=(const Team&) = delete;
  ~Team();

  [[nodiscard]] std::size_t size() const { return others_.size() + 1; }

  /// Calls work(member) for each member, 0 on the calling thread, and returns when all are done.
  /// Each may only write what is its own. What one of them throws is thrown here.
  template <class Work>
  void run(const Work& work) {
    if (others_.empty()) {
      work(std::size_t{0});
      return;
    }
    run_all({&work,
             [](const void* it, std::size_t member) { (*static_cast<const Work*>(it))(member); }});
  }

  /// Calls work(begin, end, member) for pieces of [0, count) of at least `least` items; what is
  /// too short to be divided stays on the calling thread.
  template <class Work>
  void divide(std::size_t count, std::size_t least, const Work& work) {
    const std::size_t pieces = std::min(size(), count / std::max<std::size_t>(1, least));
    if (pieces < 2) {
      work(std::size_t{0}, count, std::size_t{0});
      return;
    }
    run([&](std::size_t member) {
      if (member < pieces) work(count * member / pieces, count * (member + 1) / pieces, member);
    });
  }

 private:
  struct Task {
    const void* work = nullptr;
    void (*call)(const void* work, std::size_t member) = nullptr;
  };

  void run_all(Task task);
  void serve(std::size_t member);
  void call(std::size_t member);

  Task task_;
  bool is_over_ = false;
  std::atomic<std::uint32_t> round_{0};
  std::atomic<std::size_t> working_{0};
  std::vector<std::exception_ptr> thrown_;  ///< by member
  std::vector<std::thread> others_;
};

}  // namespace ballast::ganeti::fast
