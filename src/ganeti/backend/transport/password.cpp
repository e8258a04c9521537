// SPDX-License-Identifier: BSD-2-Clause
// Where the password of a request comes from, as libcurl looks for it.
#include <algorithm>
#include <cstdlib>
#include <sstream>
#include <string>

#include "ballast/core/file.hpp"
#include "ballast/ganeti/backend/transport/http.hpp"

namespace ballast::ganeti {
namespace {

std::string host_of(const std::string& url) {
  const std::size_t scheme = url.find("://");
  std::string host = url.substr(scheme == std::string::npos ? 0 : scheme + 3);
  host.erase(std::min(host.find_first_of("/?#"), host.size()));
  host.erase(0, host.rfind('@') + 1);
  if (host.starts_with('[')) return host.substr(1, host.find(']') - 1);
  return host.substr(0, host.find(':'));
}

/// An entry for the host, or the one for all hosts, that has a password.
bool netrc_has(const std::string& host) {
  const char* home = std::getenv("HOME");
  if (home == nullptr) return false;
  const auto text = read_file(std::string(home) + "/.netrc");
  if (!text) return false;
  std::istringstream words(*text);
  bool is_ours = false;
  std::string value;
  for (std::string word; words >> word;) {
    if (word == "default") {
      is_ours = true;
    } else if (word == "machine" && words >> value) {
      is_ours = value == host;
    } else if (word == "password" && words >> value && is_ours) {
      return true;
    }
  }
  return false;
}

}  // namespace

bool sends_password(const std::string& url, const HttpOptions& options) {
  if (without_password(url) != url) return true;
  if (!options.user.empty()) return !options.password.empty();
  return options.uses_netrc && netrc_has(host_of(url));
}

}  // namespace ballast::ganeti
