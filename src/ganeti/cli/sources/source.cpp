// SPDX-License-Identifier: BSD-2-Clause
#include "source.hpp"

#include "ballast/core/utf8.hpp"
#include "ballast/ganeti/backend/json/json.hpp"
#include "ballast/ganeti/backend/simulate/simulate.hpp"
#include "ballast/ganeti/backend/text/text.hpp"
#include "ballast/ganeti/cli/sources/allocator_source.hpp"
#include "ballast/ganeti/cli/sources/live_source.hpp"

#include <fmt/format.h>

namespace ballast::ganeti::cli {
namespace {

OrExit<Snapshot> read_text_file(const std::string& path, const LoadSettings& load, Output& output) {
  const auto content = read_file_raw(path);
  if (!content)
    return tl::unexpected(
        fail_on_loading(Error{file_error_text(path, content.error()), {}}, output));
  if (first_invalid_utf8(*content) != std::string_view::npos) {
    return tl::unexpected(output.fail(invalid_bytes_line(output, path)));
  }
  auto snapshot = read_text(*content, path, TextOptions{load.ignore_storage});
  if (!snapshot) return tl::unexpected(fail_on_loading(snapshot.error(), output));
  return std::move(*snapshot);
}

}  // namespace

int fail_on_loading(const Error& error, Output& output) {
  if (!error.place.file.empty()) return output.fail_at(error);
  // The reference dies there.
  if (error.message.ends_with(json::kBadBytes))
    return output.fail(fmt::format("{}: {}\n", output.program(), error.message));
  return output.fail_with("failed to load data, aborting: " + error.message);
}

std::string invalid_bytes_line(const Output& output, const std::string& path) {
  return fmt::format("{}: {}: {}\n", output.program(), path, json::kBadBytes);
}

OrExit<void> check_sources(const SourceSettings& source, Output& output) {
  const int exclusive = (source.text_file ? 1 : 0) + (source.luxi_socket ? 1 : 0) +
                        (source.rapi_address.empty() ? 0 : 1);
  if (exclusive > 1) {
    return tl::unexpected(
        output.fail_with("Only one of the rapi, luxi, and data files options should be given."));
  }
  return {};
}

OrExit<Snapshot> read_source(const Settings& settings, Output& output) {
  const SourceSettings& source = settings.source;
  const auto loaded = [&output](Result<Snapshot> snapshot) -> OrExit<Snapshot> {
    if (!snapshot) return tl::unexpected(fail_on_loading(snapshot.error(), output));
    return std::move(*snapshot);
  };
  if (!source.rapi_address.empty()) {
    const auto options = rapi_options(source);
    if (!options) return loaded(fail(options.error()));
    output.note(password_warning(source.rapi_address, *options));
    return loaded(load_rapi(source.rapi_address, *options, settings.load));
  }
  if (source.luxi_socket) return loaded(load_luxi(settings));
  if (!source.simulated.empty())
    return loaded(simulate(source.simulated, settings.load.ignore_storage));
  if (source.text_file) return read_text_file(*source.text_file, settings.load, output);
  if (source.allocator_file)
    return read_request_source(*source.allocator_file, settings.load, output);
  return tl::unexpected(fail_on_loading(Error{"No backend selected! Exiting.", {}}, output));
}

}  // namespace ballast::ganeti::cli
