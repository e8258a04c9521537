// SPDX-License-Identifier: BSD-2-Clause
// Ganeti's remote API: four answers, live or saved as files.
#pragma once

#include <string>

#include "ballast/core/result.hpp"
#include "ballast/ganeti/backend/transport/http.hpp"
#include "ballast/ganeti/model/snapshot.hpp"

namespace ballast::ganeti {

/// The bodies, or why one could not be had.
struct RapiAnswers {
  Result<std::string> groups;
  Result<std::string> nodes;
  Result<std::string> instances;
  Result<std::string> info;
};

/// Where the resources of an address are: "https://ADDRESS:5080" for a bare name, else the address
/// itself.
std::string rapi_url(const std::string& address);
/// "file://FOLDER": the answers are files.
bool is_rapi_folder(const std::string& address);

/// Asks for all four, even if one fails. Errors in the reference's words.
RapiAnswers fetch_rapi(const std::string& address, const HttpOptions& options);

/// One resource: "/2/info". Error: "Curl error for 'URL', error NAME".
Result<std::string> rapi_get(const std::string& url, const HttpOptions& options);

/// Errors in the reference's words; the first of groups, nodes, instances, info, master counts. A
/// node may have the key "storage", an instance "disks" with "sunit" (man/ballast-storage.7); with
/// `ignore_storage` these are not looked at. `state_of_record`: running instances, too, have the
/// memory of their records.
Result<Snapshot> read_rapi(RapiAnswers answers, bool ignore_storage, bool state_of_record = false);

}  // namespace ballast::ganeti
