// SPDX-License-Identifier: BSD-2-Clause
// Clusters that are asked: the remote API and the local query socket.
#pragma once

#include "ballast/ganeti/backend/transport/http.hpp"
#include "ballast/ganeti/backend/luxi/luxi.hpp"
#include "ballast/ganeti/cli/settings.hpp"

#include <chrono>
#include <string>

namespace ballast::ganeti::cli {

HttpOptions http_options(const SourceSettings& source);
Result<LuxiClient> connect_luxi(const SourceSettings& source);

Result<Snapshot> load_rapi(const std::string& address, const Settings& settings);
Result<Snapshot> load_luxi(const Settings& settings);

}  // namespace ballast::ganeti::cli
