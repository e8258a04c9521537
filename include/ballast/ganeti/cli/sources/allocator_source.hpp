// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <string>

#include "ballast/ganeti/backend/iallocator/iallocator.hpp"
#include "ballast/ganeti/cli/options/output.hpp"
#include "ballast/ganeti/cli/options/settings.hpp"
#include "ballast/ganeti/cli/options/start.hpp"

namespace ballast::ganeti::cli {

/// "Warning: cluster has inconsistent data:", one indented line each, an empty line; nothing where
/// there are none.
std::string inconsistency_text(const std::vector<std::string>& lines);

struct RequestReading {
  bool always_answer = false;     ///< JSON that cannot be used gets an answer, and exit status 0
  bool is_replaced = false;       ///< another cluster takes the place of the document's
  bool tells_near_names = false;  ///< IallocatorOptions::tells_near_names
};

/// The document of hail: its warnings are printed at any verbosity.
OrExit<IallocatorDocument> read_request_file(const std::string& path, const LoadSettings& load,
                                             const RequestReading& how, Output& output);
/// The failed answer on standard output, or the message on standard error.
Exit refuse_request(const std::string& message, const RequestReading& how, Output& output);

/// The document as a source of the other tools (-I): attached once already, no KVM memory yet.
OrExit<Snapshot> read_request_source(const std::string& path, const LoadSettings& load,
                                     Output& output);

}  // namespace ballast::ganeti::cli
