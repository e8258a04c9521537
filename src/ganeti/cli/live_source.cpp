// SPDX-License-Identifier: BSD-2-Clause
#include "ballast/ganeti/cli/live_source.hpp"

#include "ballast/ganeti/backend/rapi/rapi.hpp"

namespace ballast::ganeti::cli {

HttpOptions http_options(const SourceSettings& source) {
  return {std::chrono::seconds(source.timeout_seconds), source.rapi_ca_file,
          source.rapi_any_host_name};
}

Result<LuxiClient> connect_luxi(const SourceSettings& source) {
  return LuxiClient::connect(source.luxi_socket.value_or(""),
                             std::chrono::seconds(source.timeout_seconds));
}

Result<Snapshot> load_rapi(const std::string& address, const Settings& settings) {
  return read_rapi(fetch_rapi(address, http_options(settings.source)),
                   settings.load.ignore_storage);
}

Result<Snapshot> load_luxi(const Settings& settings) {
  auto client = connect_luxi(settings.source);
  if (!client) return fail(std::move(client.error()));
  auto answers = fetch_luxi(*client, settings.load.ignore_storage);
  if (!answers) return fail(std::move(answers.error()));
  return read_luxi(std::move(*answers), settings.load.ignore_storage);
}

}  // namespace ballast::ganeti::cli
