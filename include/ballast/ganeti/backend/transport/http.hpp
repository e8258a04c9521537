// SPDX-License-Identifier: BSD-2-Clause
// One GET request, for the remote API and the monitoring daemons.
#pragma once

#include <chrono>
#include <string>
#include <string_view>

#include <tl/expected.hpp>

namespace ballast::ganeti {

/// The longest answer of a master or a daemon, unless an option says otherwise.
inline constexpr std::size_t kMostAnswerBytes = 1'000'000'000;

struct HttpOptions {
  std::chrono::seconds timeout{60};  ///< for one request, connecting included
  /// PEM file with the certificates that are trusted; empty: nothing is verified, as in the
  /// reference (Ganeti's own certificates are self-signed).
  std::string ca_file;
  bool any_host_name = false;  ///< with ca_file: the certificate may be made out to any name
  std::size_t most_bytes = kMostAnswerBytes;  ///< of one answer; a longer one is refused
  std::string user;                           ///< empty: none but the URL's own
  std::string password;
  bool uses_netrc = false;  ///< where neither the URL nor `user` tells: what ~/.netrc says
};

struct HttpError {
  int code = 0;        ///< libcurl's number
  std::string name;    ///< the reference's name for it: "CurlCouldntConnect"
  std::string detail;  ///< libcurl's own words
};

/// The body, whatever it holds. A status of 400 or more is an error, a redirect is not followed.
/// Only http and https.
tl::expected<std::string, HttpError> http_get(const std::string& url, const HttpOptions& options);

/// The address without the password of its user part, fit for a message.
std::string without_password(const std::string& url);

/// Whether a request would carry a password: the URL's own, else that of `options`, else one of
/// ~/.netrc for the host. (A user that the URL names alone is looked up there, too.)
bool sends_password(const std::string& url, const HttpOptions& options);

/// Whether what is sent there can only be read by the server: the scheme is https, in any case; an
/// address without one is http.
bool goes_encrypted(std::string_view url);

/// A name as one part of a URL's path.
std::string url_part(std::string_view name);

}  // namespace ballast::ganeti
