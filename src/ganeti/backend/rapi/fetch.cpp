// SPDX-License-Identifier: BSD-2-Clause
#include <fmt/format.h>

#include "ballast/core/utf8.hpp"
#include "ballast/ganeti/backend/json/json.hpp"
#include "ballast/ganeti/backend/rapi/rapi.hpp"
#include "ballast/ganeti/backend/transport/system_error.hpp"

namespace ballast::ganeti {
namespace {

constexpr std::string_view kFileScheme = "file://";

Result<std::string> read_saved(const std::string& folder, std::string_view name) {
  const std::string path =
      fmt::format("{}{}{}.json", folder, folder.empty() || folder.ends_with('/') ? "" : "/", name);
  auto content = read_file_raw(path);
  if (!content) return fail(file_error_text(path, content.error()));
  if (first_invalid_utf8(*content) != std::string_view::npos)
    return fail(fmt::format("{}: {}", path, json::kBadBytes));
  return std::move(*content);
}

}  // namespace

bool is_rapi_folder(const std::string& address) { return address.starts_with(kFileScheme); }

std::string rapi_url(const std::string& address) {
  return address.find(':') == std::string::npos ? "https://" + address + ":5080" : address;
}

Result<std::string> rapi_get(const std::string& url, const HttpOptions& options) {
  auto body = http_get(url, options);
  if (body) return std::move(*body);
  // What is wrong with a certificate is worth a word; the reference never looks at one.
  const bool is_untrusted =
      !options.ca_file.empty() && (body.error().code == 60 || body.error().code == 77);
  return fail(fmt::format("Curl error for '{}', error {}{}", without_password(url),
                          body.error().name, is_untrusted ? ": " + body.error().detail : ""));
}

RapiAnswers fetch_rapi(const std::string& address, const HttpOptions& options) {
  if (is_rapi_folder(address)) {
    const std::string folder = address.substr(kFileScheme.size());
    return {read_saved(folder, "groups"), read_saved(folder, "nodes"),
            read_saved(folder, "instances"), read_saved(folder, "info")};
  }
  const std::string url = rapi_url(address);
  return {rapi_get(url + "/2/groups?bulk=1", options), rapi_get(url + "/2/nodes?bulk=1", options),
          rapi_get(url + "/2/instances?bulk=1", options), rapi_get(url + "/2/info", options)};
}

}  // namespace ballast::ganeti
