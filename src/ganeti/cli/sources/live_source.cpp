// SPDX-License-Identifier: BSD-2-Clause
#include "ballast/ganeti/cli/sources/live_source.hpp"

#include "ballast/core/file.hpp"
#include "ballast/ganeti/backend/rapi/rapi.hpp"

#include <fmt/format.h>

#include <cstdlib>
#include <sstream>

namespace ballast::ganeti::cli {

HttpOptions http_options(const SourceSettings& source) {
  HttpOptions options;
  options.timeout = std::chrono::seconds(source.timeout_seconds);
  options.ca_file = source.rapi_ca_file;
  options.any_host_name = source.rapi_any_host_name;
  options.most_bytes = static_cast<std::size_t>(source.most_answer_bytes);
  return options;
}

Result<HttpOptions> rapi_options(const SourceSettings& source) {
  HttpOptions options = http_options(source);
  options.uses_netrc = true;
  if (source.rapi_user_file) {
    const auto text = read_file(*source.rapi_user_file);
    if (!text) return fail(text.error());
    std::istringstream words(*text);
    if (!(words >> options.user >> options.password)) {
      return fail("expected a user and a password, with a blank between them",
                  {*source.rapi_user_file, 1, 1});
    }
    return options;
  }
  const char* user = std::getenv("BALLAST_RAPI_USER");
  const char* password = std::getenv("BALLAST_RAPI_PASSWORD");
  if (user != nullptr) options.user = user;
  if (password != nullptr) options.password = password;
  return options;
}

std::string shown_address(const std::string& address) {
  return is_rapi_folder(address) ? address : without_password(address);
}

std::string password_warning(const std::string& address, const HttpOptions& options) {
  if (is_rapi_folder(address)) return "";
  const std::string url = rapi_url(address);
  const bool is_encrypted = goes_encrypted(url);
  if ((is_encrypted && !options.ca_file.empty()) || !sends_password(url, options)) return "";
  return fmt::format("Warning: {}: a password goes {}\n", shown_address(address),
                     is_encrypted
                         ? "to a server that nobody checks (--rapi-ca checks it)"
                         : "over a connection that is not encrypted (https:// encrypts it)");
}

Result<LuxiClient> connect_luxi(const SourceSettings& source) {
  return LuxiClient::connect(source.luxi_socket.value_or(""),
                             std::chrono::seconds(source.timeout_seconds),
                             static_cast<std::size_t>(source.most_answer_bytes));
}

Result<Snapshot> load_rapi(const std::string& address, const HttpOptions& options,
                           const LoadSettings& load) {
  return read_rapi(fetch_rapi(address, options), load.ignore_storage, load.state_of_record);
}

Result<Snapshot> load_luxi(const Settings& settings) {
  auto client = connect_luxi(settings.source);
  if (!client) return fail(std::move(client.error()));
  auto answers = fetch_luxi(*client, settings.load.ignore_storage);
  if (!answers) return fail(std::move(answers.error()));
  return read_luxi(std::move(*answers), settings.load.ignore_storage);
}

}  // namespace ballast::ganeti::cli
