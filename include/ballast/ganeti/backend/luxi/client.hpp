// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <chrono>
#include <string>
#include <string_view>

#include "ballast/core/result.hpp"

namespace ballast::ganeti {

/// "/var/run/ganeti/socket/ganeti-query" below $GANETI_ROOTDIR.
std::string default_luxi_socket();

/// A connection to a master's socket. Errors in the reference's words.
class LuxiClient {
 public:
  /// `path` empty: the default socket. `timeout` limits the connecting, each sending and each wait
  /// for more of an answer.
  static Result<LuxiClient> connect(const std::string& path, std::chrono::seconds timeout);

  LuxiClient(LuxiClient&& other) noexcept;
  LuxiClient& operator=(LuxiClient&& other) noexcept;
  LuxiClient(const LuxiClient&) = delete;
  LuxiClient& operator=(const LuxiClient&) = delete;
  ~LuxiClient();

  /// One message, one answer; both without the end byte.
  Result<std::string> call(std::string_view message);

 private:
  LuxiClient(int descriptor, std::chrono::seconds timeout)
      : descriptor_(descriptor), timeout_(timeout) {}
  Status send(std::string_view bytes);
  /// Reads more into received_.
  Status receive();
  Status wait_for(short event, std::string_view what);

  int descriptor_;
  std::chrono::seconds timeout_;
  std::string received_;  ///< what came behind the last answer
};

}  // namespace ballast::ganeti
