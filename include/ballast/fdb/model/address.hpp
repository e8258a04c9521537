// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace ballast::fdb {

/// host[:port[:flag...]]; an IPv6 host is held without brackets. Port 0: none given.
struct Address {
  std::string host;
  int port = 0;
  bool is_tls = false;

  friend bool operator==(const Address&, const Address&) = default;
};

/// Letters, digits and what addresses are written with: no blank, no quote, no semicolon, so that
/// neither a shell nor fdbcli takes a part of it for something else.
bool is_address_text(std::string_view text);

/// None where it is no such text.
std::optional<Address> parse_address(std::string_view text);
std::string to_string(const Address& address);

/// Ports of process `i` (from 1) of a pod: 4498 + 2i with TLS, 4499 + 2i without.
constexpr int tls_port(int i) { return 4498 + 2 * i; }
constexpr int plain_port(int i) { return 4499 + 2 * i; }

/// `name:generation@addr[,addr...]`; nothing where the text has another form.
struct ConnectionString {
  std::string name;
  std::string generation;
  std::vector<Address> coordinators;
};
std::optional<ConnectionString> parse_connection_string(std::string_view text);
std::string to_string(const ConnectionString& connection);

}  // namespace ballast::fdb
