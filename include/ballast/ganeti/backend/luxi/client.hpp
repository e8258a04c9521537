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
  /// `path` empty: the default socket. `timeout` limits the connecting, and each question with its
  /// whole answer, however it comes; `most_bytes` limits the answer.
  static Result<LuxiClient> connect(const std::string& path, std::chrono::seconds timeout,
                                    std::size_t most_bytes);

  LuxiClient(LuxiClient&& other) noexcept;
  LuxiClient& operator=(LuxiClient&& other) noexcept;
  LuxiClient(const LuxiClient&) = delete;
  LuxiClient& operator=(const LuxiClient&) = delete;
  ~LuxiClient();

  /// One message, one answer; both without the end byte.
  Result<std::string> call(std::string_view message);

 private:
  LuxiClient(int descriptor, std::chrono::seconds timeout, std::size_t most_bytes)
      : descriptor_(descriptor), timeout_(timeout), most_bytes_(most_bytes) {}
  Status send(std::string_view bytes);
  /// Reads more into received_.
  Status receive();
  Status wait_for(short event, std::string_view what);

  int descriptor_;
  std::chrono::seconds timeout_;
  std::size_t most_bytes_;
  std::chrono::steady_clock::time_point deadline_;  ///< of the question that is asked
  std::string received_;                            ///< what came behind the last answer
};

}  // namespace ballast::ganeti
