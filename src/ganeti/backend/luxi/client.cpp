// SPDX-License-Identifier: BSD-2-Clause
#include "ballast/ganeti/backend/luxi/client.hpp"

#include <fmt/format.h>
#include <poll.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <climits>
#include <cstdlib>
#include <utility>

#include "ballast/ganeti/backend/transport/system_error.hpp"

namespace ballast::ganeti {
namespace {

constexpr char kEnd = '\x03';

tl::unexpected<Error> failed(int descriptor, std::string_view operation, int error_number) {
  return fail(
      fmt::format("{}: <socket: {}>: {}", operation, descriptor, system_error_text(error_number)));
}

}  // namespace

std::string default_luxi_socket() {
  const char* root = std::getenv("GANETI_ROOTDIR");  // NOLINT(concurrency-mt-unsafe)
  return std::string(root == nullptr ? "" : root) + "/var/run/ganeti/socket/ganeti-query";
}

Result<LuxiClient> LuxiClient::connect(const std::string& path, std::chrono::seconds timeout,
                                       std::size_t most_bytes) {
  const std::string target = path.empty() ? default_luxi_socket() : path;
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  if (target.size() >= sizeof address.sun_path) {
    return fail(fmt::format("{}: a socket's path has at most {} bytes", quoted(target),
                            sizeof address.sun_path - 1));
  }
  target.copy(static_cast<char*>(address.sun_path), target.size());
  const int descriptor = ::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
  if (descriptor < 0) return fail("Network.Socket.socket: " + system_error_text(errno));
  LuxiClient client(descriptor, timeout, most_bytes);
  // A local socket connects at once, or waits for a place in the server's queue.
  const auto deadline = std::chrono::steady_clock::now() + timeout;
  constexpr int kPauseMs = 20;
  while (::connect(descriptor,
                   reinterpret_cast<const sockaddr*>(&address),  // NOLINT: the interface
                   sizeof address) != 0) {
    if (errno == EINTR) continue;
    if (errno != EAGAIN) return failed(descriptor, "Network.Socket.connect", errno);
    if (std::chrono::steady_clock::now() > deadline)
      return fail("user error (Timeout in creating luxi connection)");
    ::poll(nullptr, 0, kPauseMs);
  }
  return client;
}

LuxiClient::LuxiClient(LuxiClient&& other) noexcept
    : descriptor_(std::exchange(other.descriptor_, -1)),
      timeout_(other.timeout_),
      most_bytes_(other.most_bytes_),
      deadline_(other.deadline_),
      received_(std::move(other.received_)) {}

LuxiClient& LuxiClient::operator=(LuxiClient&& other) noexcept {
  std::swap(descriptor_, other.descriptor_);
  timeout_ = other.timeout_;
  most_bytes_ = other.most_bytes_;
  deadline_ = other.deadline_;
  received_ = std::move(other.received_);
  return *this;
}

LuxiClient::~LuxiClient() {
  if (descriptor_ >= 0) ::close(descriptor_);
}

Status LuxiClient::wait_for(short event, std::string_view what) {
  pollfd wanted{descriptor_, event, 0};
  for (;;) {
    const auto left =
        std::chrono::ceil<std::chrono::milliseconds>(deadline_ - std::chrono::steady_clock::now())
            .count();
    const auto limit = std::clamp<std::int64_t>(left, 0, INT_MAX);
    const int ready = ::poll(&wanted, 1, static_cast<int>(limit));
    if (ready > 0) return {};
    if (ready == 0) return fail(fmt::format("user error (Timeout in {})", what));
    if (errno != EINTR) return failed(descriptor_, "poll", errno);
  }
}

Status LuxiClient::send(std::string_view bytes) {
  while (!bytes.empty()) {
    if (auto status = wait_for(POLLOUT, "sending a message"); !status) return status;
    const ssize_t count = ::send(descriptor_, bytes.data(), bytes.size(), MSG_NOSIGNAL);
    if (count >= 0) {
      bytes.remove_prefix(static_cast<std::size_t>(count));
    } else if (errno != EINTR && errno != EAGAIN) {
      return failed(descriptor_, "sendBuf", errno);
    }
  }
  return {};
}

Status LuxiClient::receive() {
  std::array<char, 1U << 16U>
      buffer;  // NOLINT(cppcoreguidelines-pro-type-member-init): filled by recv
  for (;;) {
    if (auto status = wait_for(POLLIN, "reading a response"); !status) return status;
    const ssize_t count = ::recv(descriptor_, buffer.data(), buffer.size(), 0);
    if (count > 0) {
      received_.append(buffer.data(), static_cast<std::size_t>(count));
      return {};
    }
    if (count == 0)
      return fail(fmt::format("<socket: {}>: hWaitForInput: end of file", descriptor_));
    if (errno != EINTR && errno != EAGAIN) return failed(descriptor_, "recvBuf", errno);
  }
}

Result<std::string> LuxiClient::call(std::string_view message) {
  deadline_ = std::chrono::steady_clock::now() + timeout_;
  if (auto status = send(std::string(message) + kEnd); !status) return fail(status.error());
  std::size_t seen = 0;
  for (;;) {
    const std::size_t end = received_.find(kEnd, seen);
    if (end != std::string::npos) {
      std::string answer = received_.substr(0, end);
      received_.erase(0, end + 1);
      return answer;
    }
    seen = received_.size();
    if (seen > most_bytes_)
      return fail(fmt::format("an answer is longer than {} bytes (--answer-limit)", most_bytes_));
    if (auto status = receive(); !status) return fail(status.error());
  }
}

}  // namespace ballast::ganeti
