// SPDX-License-Identifier: BSD-2-Clause
#include <fmt/format.h>

#include <optional>

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

namespace {

constexpr int kWriteError = 23;  ///< of libcurl: the answer was not taken

Error worded(const std::string& url, const HttpOptions& options, const HttpError& error) {
  if (error.code == kWriteError) {
    return Error{fmt::format("the answer of '{}' is longer than {} bytes (--answer-limit)",
                             without_password(url), options.most_bytes),
                 {},
                 Fault::Input};
  }
  // What is wrong with a certificate is worth a word; the reference never looks at one.
  const bool is_untrusted = !options.ca_file.empty() && (error.code == 60 || error.code == 77);
  return Error{fmt::format("Curl error for '{}', error {}{}", without_password(url), error.name,
                           is_untrusted ? ": " + error.detail : ""),
               {},
               Fault::Input};
}

}  // namespace

Result<std::string> rapi_get(const std::string& url, const HttpOptions& options) {
  auto body = http_get(url, options);
  if (body) return std::move(*body);
  return fail(worded(url, options, body.error()));
}

RapiAnswers fetch_rapi(const std::string& address, const HttpOptions& options) {
  if (is_rapi_folder(address)) {
    const std::string folder = address.substr(kFileScheme.size());
    return {read_saved(folder, "groups"), read_saved(folder, "nodes"),
            read_saved(folder, "instances"), read_saved(folder, "info")};
  }
  const std::string base = rapi_url(address);
  std::optional<HttpError> failed;
  // After a refused password or a dead server nothing more is asked: it would fail the same way.
  const auto get = [&](std::string_view resource) -> Result<std::string> {
    const std::string url = base + std::string(resource);
    if (failed) return fail(worded(url, options, *failed));
    auto body = http_get(url, options);
    if (body) return std::move(*body);
    failed = body.error();
    return fail(worded(url, options, *failed));
  };
  // In this order, as braces evaluate.
  return RapiAnswers{get("/2/groups?bulk=1"), get("/2/nodes?bulk=1"), get("/2/instances?bulk=1"),
                     get("/2/info")};
}

}  // namespace ballast::ganeti
