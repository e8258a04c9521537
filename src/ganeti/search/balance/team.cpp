// SPDX-License-Identifier: BSD-2-Clause
#include "team.hpp"

#include <system_error>
#include <utility>

namespace ballast::ganeti::fast {

namespace {

constexpr int kSpins = 2000;  // some ten microseconds: longer than the work between two pieces
constexpr int kYields = 200;  // others may need the core

void pause() {
#if defined(__x86_64__) || defined(__i386__)
  __builtin_ia32_pause();
#endif
}

/// Waits until `is_done`, awake; false where that took too long.
template <class Done>
bool is_soon(Done is_done) {
  for (int i = 0; i < kSpins; ++i) {
    if (is_done()) return true;
    pause();
  }
  for (int i = 0; i < kYields; ++i) {
    if (is_done()) return true;
    std::this_thread::yield();
  }
  return false;
}

}  // namespace

Team::Team(std::size_t threads) : thrown_(std::max<std::size_t>(1, threads)) {
  try {
    for (std::size_t member = 1; member < thrown_.size(); ++member)
      others_.emplace_back([this, member] { serve(member); });
  } catch (const std::system_error&) {
    // There are no more threads to be had: those that there are do it all.
  }
}

Team::~Team() {
  is_over_ = true;
  round_.fetch_add(1, std::memory_order_release);
  round_.notify_all();
  for (std::thread& other : others_) other.join();
}

void Team::call(std::size_t member) {
  try {
    task_.call(task_.work, member);
  } catch (...) {
    thrown_[member] = std::current_exception();
  }
}

void Team::run_all(Task task) {
  task_ = task;
  working_.store(others_.size(), std::memory_order_relaxed);
  round_.fetch_add(1, std::memory_order_release);
  round_.notify_all();
  call(0);
  while (!is_soon([this] { return working_.load(std::memory_order_acquire) == 0; })) {
  }
  for (std::exception_ptr& thrown : thrown_) {
    if (thrown) std::rethrow_exception(std::exchange(thrown, nullptr));
  }
}

void Team::serve(std::size_t member) {
  std::uint32_t seen = 0;
  for (;;) {
    const auto is_called = [&] { return round_.load(std::memory_order_acquire) != seen; };
    if (!is_soon(is_called)) round_.wait(seen, std::memory_order_acquire);
    if (!is_called()) continue;
    ++seen;  // no round is missed: each waits for all members
    if (is_over_) return;
    call(member);
    working_.fetch_sub(1, std::memory_order_release);
  }
}

}  // namespace ballast::ganeti::fast
