// SPDX-License-Identifier: BSD-2-Clause
#include "ballast/fdb/model/address.hpp"

#include <algorithm>
#include <cctype>
#include <charconv>

namespace ballast::fdb {
namespace {

std::optional<int> port_number(std::string_view text) {
  int port = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), port);
  if (text.empty() || error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  if (port < 0 || port > 65535) return std::nullopt;
  return port;
}

/// host:port with the host in brackets where it has colons.
std::optional<Address> host_and_port(std::string_view text) {
  const auto colon = text.rfind(':');
  if (colon == std::string_view::npos) return std::nullopt;
  const auto port = port_number(text.substr(colon + 1));
  auto host = text.substr(0, colon);
  if (!port || host.empty()) return std::nullopt;
  if (host.front() == '[') {
    if (host.size() < 3 || host.back() != ']') return std::nullopt;
    host = host.substr(1, host.size() - 2);
  } else if (host.find(':') != std::string_view::npos) {
    return std::nullopt;
  }
  return Address{std::string(host), *port, false};
}

}  // namespace

bool is_address_text(std::string_view text) {
  return !text.empty() && text.front() != '-' && std::ranges::all_of(text, [](char c) {
    return std::isalnum(static_cast<unsigned char>(c)) != 0 ||
           std::string_view(".:-_[]()%").find(c) != std::string_view::npos;
  });
}

std::optional<Address> parse_address(std::string_view text) {
  if (!is_address_text(text)) return std::nullopt;
  constexpr std::string_view kFromHostname = "(fromHostname)";
  if (text.size() > kFromHostname.size() &&
      text.substr(text.size() - kFromHostname.size()) == kFromHostname) {
    text.remove_suffix(kFromHostname.size());
  }
  if (text.empty()) return std::nullopt;
  bool is_tls = false;
  for (std::string_view rest = text; !rest.empty();) {
    if (auto address = host_and_port(rest)) {
      address->is_tls = is_tls;
      return address;
    }
    const auto colon = rest.rfind(':');
    if (colon == std::string_view::npos) break;
    if (rest.substr(colon + 1) == "tls") is_tls = true;
    rest = rest.substr(0, colon);
  }
  if (text.front() == '[' && text.back() == ']') text = text.substr(1, text.size() - 2);
  return Address{std::string(text), 0, false};
}

std::string to_string(const Address& address) {
  if (address.port == 0) return address.host;
  const bool is_v6 = address.host.find(':') != std::string::npos;
  std::string text = is_v6 ? "[" + address.host + "]" : address.host;
  text += ":" + std::to_string(address.port);
  if (address.is_tls) text += ":tls";
  return text;
}

std::optional<ConnectionString> parse_connection_string(std::string_view text) {
  const auto at = text.find('@');
  const auto colon = text.find(':');
  if (at == std::string_view::npos || colon == std::string_view::npos || colon > at)
    return std::nullopt;
  ConnectionString connection{
      std::string(text.substr(0, colon)), std::string(text.substr(colon + 1, at - colon - 1)), {}};
  for (auto rest = text.substr(at + 1); !rest.empty();) {
    const auto comma = rest.find(',');
    const auto address = parse_address(rest.substr(0, comma));
    if (!address) return std::nullopt;
    connection.coordinators.push_back(*address);
    rest = comma == std::string_view::npos ? std::string_view() : rest.substr(comma + 1);
  }
  return connection;
}

std::string to_string(const ConnectionString& connection) {
  std::string text = connection.name + ":" + connection.generation + "@";
  for (std::size_t i = 0; i < connection.coordinators.size(); ++i) {
    if (i > 0) text += ',';
    text += to_string(connection.coordinators[i]);
  }
  return text;
}

}  // namespace ballast::fdb
