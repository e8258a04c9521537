// SPDX-License-Identifier: BSD-2-Clause
#include "ballast/ganeti/cli/sources/allocator_source.hpp"

#include <fmt/format.h>

#include "ballast/ganeti/backend/json/json.hpp"
#include "ballast/ganeti/cli/sources/allocator_answer.hpp"
#include "source.hpp"

namespace ballast::ganeti::cli {
namespace {

OrExit<IallocatorDocument> read_document(std::string text, const std::string& path,
                                         const LoadSettings& load, std::int64_t static_kvm_memory,
                                         const RequestReading& how, Output& output) {
  IallocatorOptions options;
  options.is_replaced = how.is_replaced;
  options.tells_near_names = how.tells_near_names;
  options.static_kvm_memory = static_kvm_memory;
  options.ignore_storage = load.ignore_storage;
  options.default_storage = load.default_storage;
  options.corrected_n1 = load.corrected_n1;
  auto document = read_iallocator(std::move(text), options);
  if (document) {
    for (const std::string& warning : document->snapshot.warnings)
      output.note(fmt::format("Warning: {}\n", warning));
    output.note(inconsistency_text(document->warnings));
    return std::move(*document);
  }
  if (document.error().message == json::kBadBytes) {
    return tl::unexpected(output.fail(invalid_bytes_line(output, path == "-" ? "<stdin>" : path)));
  }
  const std::string& message = document.error().message;
  constexpr std::string_view kParsing = "Parsing input IAllocator message: ";
  const bool is_json = !message.starts_with(kParsing) ||
                       message.substr(kParsing.size()) == "Unable to read JSObject";
  if (!is_json) return tl::unexpected(output.fail_with(message));
  return tl::unexpected(refuse_request(message, how, output));
}

}  // namespace

std::string inconsistency_text(const std::vector<std::string>& lines) {
  if (lines.empty()) return {};
  std::string text = "Warning: cluster has inconsistent data:\n";
  for (const std::string& line : lines) text += fmt::format("  - {}\n", line);
  return text + "\n";
}

Exit refuse_request(const std::string& message, const RequestReading& how, Output& output) {
  if (!how.always_answer) return output.fail_with(message);
  output.say(refusal_line(message));
  return ballast::cli::kDone;
}

OrExit<IallocatorDocument> read_request_file(const std::string& path, const LoadSettings& load,
                                             const RequestReading& how, Output& output) {
  auto text = read_file_raw(path);
  if (!text) return tl::unexpected(output.fail_on_file(path, text.error()));
  return read_document(std::move(*text), path, load, load.static_kvm_memory, how, output);
}

OrExit<Snapshot> read_request_source(const std::string& path, const LoadSettings& load,
                                     Output& output) {
  auto text = read_file_raw(path);
  if (!text) {
    return tl::unexpected(
        fail_on_loading(Error{file_error_text(path, text.error()), {}, Fault::Input}, output));
  }
  auto document = read_document(std::move(*text), path, load, 0, {}, output);
  if (!document) return tl::unexpected(document.error());
  return std::move(document->snapshot);
}

}  // namespace ballast::ganeti::cli
