// SPDX-License-Identifier: BSD-2-Clause
// Clusters that are asked: the remote API and the local query socket.
#pragma once

#include "ballast/ganeti/backend/luxi/luxi.hpp"
#include "ballast/ganeti/backend/transport/http.hpp"
#include "ballast/ganeti/cli/options/settings.hpp"

#include <chrono>
#include <string>

namespace ballast::ganeti::cli {

HttpOptions http_options(const SourceSettings& source);
/// The same for the remote API alone: user and password from --rapi-user-file, else from
/// BALLAST_RAPI_USER and BALLAST_RAPI_PASSWORD, else from ~/.netrc; what the address itself says
/// comes first.
Result<HttpOptions> rapi_options(const SourceSettings& source);
Result<LuxiClient> connect_luxi(const SourceSettings& source);

/// The address as it is shown: without a password.
std::string shown_address(const std::string& address);
/// One line, where a password, wherever it comes from, goes to a server whose certificate is not
/// looked at, or goes unencrypted; else empty.
std::string password_warning(const std::string& address, const HttpOptions& options);

Result<Snapshot> load_rapi(const std::string& address, const HttpOptions& options,
                           const LoadSettings& load);
Result<Snapshot> load_luxi(const Settings& settings);

}  // namespace ballast::ganeti::cli
