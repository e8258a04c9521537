// SPDX-License-Identifier: BSD-2-Clause
#include "ballast/ganeti/backend/transport/http.hpp"

#include <curl/curl.h>
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <memory>
#include <optional>
#include <string_view>
#include <utility>

namespace ballast::ganeti {
namespace {

constexpr std::chrono::seconds kConnectLimit{15};

/// The reference's names, its spelling included, by libcurl's number.
constexpr auto kNames = std::to_array<std::pair<int, std::string_view>>({
    {1, "CurlUnspportedProtocol"},  {2, "CurlFailedInit"},          {3, "CurlUrlMalformat"},
    {4, "CurlUrlMalformatUser"},    {5, "CurlCouldntResolveProxy"}, {6, "CurlCouldntResolveHost"},
    {7, "CurlCouldntConnect"},      {8, "CurlFtpWeirdServerReply"}, {9, "CurlFtpAccessDenied"},
    {18, "CurlPartialFile"},        {22, "CurlHttpReturnedError"},  {23, "CurlWriteError"},
    {26, "CurlReadError"},          {27, "CurlOutOfMemory"},        {28, "CurlOperationTimeout"},
    {35, "CurlSSLConnectError"},    {47, "CurlTooManyRedirects"},   {51, "CurlSSLPeerCertificate"},
    {52, "CurlGotNothing"},         {55, "CurlSendError"},          {56, "CurlRecvError"},
    {58, "CurlSSLCertProblem"},     {59, "CurlSSLCipher"},          {60, "CurlSSLCACert"},
    {61, "CurlBadContentEncoding"}, {77, "CurlSSLCACertBadFile"},
});

std::string name_of(CURLcode code) {
  const auto found = std::find_if(kNames.begin(), kNames.end(),
                                  [&](const auto& entry) { return entry.first == code; });
  return found == kNames.end() ? "Curl" + std::to_string(code) : std::string(found->second);
}

struct Body {
  std::string text;
  std::size_t most;
};

/// Nothing is taken, which ends the transfer, where it would be too much.
std::size_t append(char* data, std::size_t size, std::size_t count, void* target) {
  Body& body = *static_cast<Body*>(target);
  const std::size_t bytes = size * count;
  if (bytes > body.most - body.text.size()) return 0;
  body.text.append(data, bytes);
  return bytes;
}

struct Cleanup {
  void operator()(CURL* handle) const { curl_easy_cleanup(handle); }
};
using Handle = std::unique_ptr<CURL, Cleanup>;

Handle new_handle() {
  static const CURLcode kReady = curl_global_init(CURL_GLOBAL_DEFAULT);
  return kReady == CURLE_OK ? Handle(curl_easy_init()) : Handle();
}

void set_security(CURL* handle, const HttpOptions& options) {
  const bool is_verified = !options.ca_file.empty();
  curl_easy_setopt(handle, CURLOPT_SSL_VERIFYPEER, is_verified ? 1L : 0L);
  curl_easy_setopt(handle, CURLOPT_SSL_VERIFYHOST, is_verified && !options.any_host_name ? 2L : 0L);
  if (!is_verified) return;
  curl_easy_setopt(handle, CURLOPT_CAINFO, options.ca_file.c_str());
  curl_easy_setopt(handle, CURLOPT_CAPATH, nullptr);
}

std::size_t authority_begin(std::string_view url) {
  const std::size_t scheme = url.find("://");
  return scheme == std::string_view::npos ? 0 : scheme + 3;
}

/// The part between "://" and the path.
std::string_view authority_of(std::string_view url) {
  const std::size_t begin = authority_begin(url);
  return url.substr(begin, url.find('/', begin) - begin);
}

/// A password may hold anything, slashes included: it ends at the last '@' of all (those of node
/// names further on are escaped). None: the URL has no password of its own.
std::optional<std::string_view> password_in(std::string_view url) {
  const std::string_view rest = url.substr(authority_begin(url));
  const std::size_t at = rest.rfind('@');
  const std::size_t colon = rest.find(':');
  if (at == std::string_view::npos || colon == std::string_view::npos || colon > at)
    return std::nullopt;
  return rest.substr(colon + 1, at - colon - 1);
}

/// `url` with another text where its password, a part of it, stands.
std::string with_password(const std::string& url, std::string_view password,
                          std::string_view text) {
  std::string changed = url;
  return changed.replace(static_cast<std::size_t>(password.data() - url.data()), password.size(),
                         text);
}

/// What ends the user part elsewhere: its name would be taken for the host's, and the rest of the
/// password be sent there.
std::string with_escaped_password(const std::string& url) {
  const auto password = password_in(url);
  if (!password) return url;
  std::string escaped;
  for (const char c : *password) {
    constexpr std::string_view kEnds = "/?#@";
    escaped += kEnds.find(c) == std::string_view::npos ? std::string(1, c)
                                                       : url_part(std::string_view(&c, 1));
  }
  return with_password(url, *password, escaped);
}

bool has_user(std::string_view url) {
  return authority_of(url).find('@') != std::string_view::npos;
}

}  // namespace

tl::expected<std::string, HttpError> http_get(const std::string& address,
                                              const HttpOptions& options) {
  const auto failed = [](CURLcode code, std::string detail) {
    if (detail.empty()) detail = curl_easy_strerror(code);
    return tl::unexpected<HttpError>(HttpError{code, name_of(code), std::move(detail)});
  };
  const std::string url = with_escaped_password(address);
  const Handle handle = new_handle();
  if (!handle) return failed(CURLE_FAILED_INIT, {});
  Body body{{}, options.most_bytes};
  std::array<char, CURL_ERROR_SIZE> detail{};
  CURL* const curl = handle.get();
  curl_easy_setopt(curl, CURLOPT_URL, url.c_str());
  curl_easy_setopt(curl, CURLOPT_PROTOCOLS_STR, "http,https");
  curl_easy_setopt(curl, CURLOPT_FAILONERROR, 1L);
  curl_easy_setopt(curl, CURLOPT_FOLLOWLOCATION, 0L);
  curl_easy_setopt(curl, CURLOPT_NOSIGNAL, 1L);
  const long timeout = options.timeout.count();
  const long connect_timeout = std::min(options.timeout, kConnectLimit).count();
  curl_easy_setopt(curl, CURLOPT_TIMEOUT, timeout);
  curl_easy_setopt(curl, CURLOPT_CONNECTTIMEOUT, connect_timeout);
  curl_easy_setopt(curl, CURLOPT_ERRORBUFFER, detail.data());
  curl_easy_setopt(curl, CURLOPT_WRITEFUNCTION, append);
  curl_easy_setopt(curl, CURLOPT_WRITEDATA, &body);
  set_security(curl, options);
  if (options.uses_netrc) {
    curl_easy_setopt(curl, CURLOPT_NETRC, static_cast<long>(CURL_NETRC_OPTIONAL));
  }
  if (!options.user.empty() && !has_user(url)) {
    curl_easy_setopt(curl, CURLOPT_USERNAME, options.user.c_str());
    curl_easy_setopt(curl, CURLOPT_PASSWORD, options.password.c_str());
  }
  const CURLcode code = curl_easy_perform(curl);
  if (code != CURLE_OK) return failed(code, detail.data());
  return std::move(body.text);
}

std::string without_password(const std::string& url) {
  const auto password = password_in(url);
  return password ? with_password(url, *password, "***") : url;
}

bool goes_encrypted(std::string_view url) {
  constexpr std::string_view kScheme = "https://";
  return url.size() >= kScheme.size() &&
         std::equal(kScheme.begin(), kScheme.end(), url.begin(),
                    [](char one, char other) { return one == (other | ' '); });
}

std::string url_part(std::string_view name) {
  constexpr std::string_view kSafe =
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~";
  std::string part;
  for (const char c : name) {
    if (kSafe.find(c) != std::string_view::npos) {
      part += c;
    } else {
      part += fmt::format("%{:02X}", static_cast<unsigned>(static_cast<unsigned char>(c)));
    }
  }
  return part;
}

}  // namespace ballast::ganeti
