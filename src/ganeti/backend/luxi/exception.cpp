// SPDX-License-Identifier: BSD-2-Clause
#include "exception.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <utility>

#include "ballast/core/strings.hpp"

namespace ballast::ganeti {
namespace {

using json::Kind;
using json::Value;

/// Exceptions of one text argument; "{}" stands for it.
struct OneText {
  std::string_view name;
  std::string_view form;
};
constexpr auto kOneText = std::to_array<OneText>({
    {"GenericError", "Unhandled Ganeti error: {}"},
    {"OpExecError", "Failure: command execution error:\n{}"},
    {"ConfigurationError", "Corrupt configuration file: {}\nAborting."},
    {"JobQueueDrainError",
     "Failure: the job queue is marked for drain and doesn't accept new requests"},
    {"TypeEnforcementError", "Parameter Error: {}"},
    {"ParameterError", "Failure: unknown/wrong parameter name '{}'"},
    {"HooksFailure", "Failure: hooks general failure: {}"},
    {"TagError", "Failure: invalid tag(s) given:\n{}"},
    {"JobLost", "Error checking job status: {}"},
    {"QueryFilterParseError", "Error while parsing query filter: {}"},
});

/// Exceptions of one text argument that are shown as they are.
constexpr auto kShown = std::to_array<std::string_view>(
    {"LockError",           "HypervisorError", "ProgrammerError",  "BlockDeviceError",
     "ReservationError",    "RemoteError",     "SignatureError",   "ResultValidationError",
     "OpResultError",       "OpCodeUnknown",   "JobFileCorrupted", "UnitParseError",
     "ParseError",          "CommandError",    "StorageError",     "InotifyError",
     "JobQueueError",       "ConfdMagicError", "ConfdClientError", "UdpDataSizeError",
     "NoCtypesError",       "IPAddressError",  "LuxiError",        "RapiTestResult",
     "FileStoragePathError"});

constexpr auto kCodes = std::to_array<std::pair<std::string_view, std::string_view>>({
    {"resolver_error", "ECodeResolver"},
    {"insufficient_resources", "ECodeNoRes"},
    {"temp_insufficient_resources", "ECodeTempNoRes"},
    {"wrong_input", "ECodeInval"},
    {"wrong_state", "ECodeState"},
    {"unknown_entity", "ECodeNoEnt"},
    {"already_exists", "ECodeExists"},
    {"resource_not_unique", "ECodeNotUnique"},
    {"internal_error", "ECodeFault"},
    {"environment_error", "ECodeEnviron"},
});

Result<std::string> prerequisite(Value arguments) {
  if (arguments.size() != 2) return fail("Unable to read Pair");
  const auto message = json::to_string(arguments.first());
  if (!message) return fail(message.error());
  const auto code = json::to_string(arguments.first().after());
  if (!code) return fail("Can't parse value for 'ErrorCode': " + code.error().message);
  const auto known = std::find_if(kCodes.begin(), kCodes.end(),
                                  [&](const auto& entry) { return entry.first == *code; });
  if (known == kCodes.end())
    return fail("Invalid string value for type ErrorCode: " + shown_string(*code));
  return fmt::format(
      "Failure: prerequisites not met for this operation:\nerror type: {}, error details:\n{}",
      known->second, *message);
}

Result<std::string> certificate(Value arguments) {
  if (arguments.size() != 2) return fail("Unable to read Pair");
  const auto file = json::to_string(arguments.first());
  if (!file) return fail(file.error());
  const auto why = json::to_string(arguments.first().after());
  if (!why) return fail(why.error());
  return fmt::format("Unhandled exception: X509CertError {} {}", shown_string(*file),
                     shown_string(*why));
}

Result<std::string> resolver(Value arguments) {
  if (arguments.size() != 3) return fail("Unable to read Triple");
  const auto host = json::to_string(arguments.first());
  if (!host) return fail(host.error());
  return "Failure: can't resolve hostname " + *host;
}

Result<std::string> queue_full(Value arguments) {
  if (arguments.size() != 0) return fail("Unable to read ()");
  return "Failure: the job queue is full and doesn't accept new job submissions until old jobs are "
         "archived";
}

constexpr auto kSpecial =
    std::to_array<std::pair<std::string_view, Result<std::string> (*)(Value)>>(
        {{"OpPrereqError", prerequisite},
         {"X509CertError", certificate},
         {"ResolverError", resolver},
         {"JobQueueFull", queue_full}});

Result<std::string> text_of(const std::string& name, Value arguments) {
  for (const auto& [special, convert] : kSpecial) {
    if (special == name) return convert(arguments);
  }
  const auto worded = std::find_if(kOneText.begin(), kOneText.end(),
                                   [&](const OneText& entry) { return entry.name == name; });
  const bool is_shown = std::find(kShown.begin(), kShown.end(), name) != kShown.end();
  if (worded == kOneText.end() && !is_shown) return fail("Unknown exception '" + name + "'");
  const auto texts = json::to_strings(arguments);
  if (!texts) return fail(texts.error());
  if (texts->size() != 1) return fail(fmt::format("expected one argument, got {}", texts->size()));
  if (is_shown)
    return fmt::format("Unhandled exception: {} {}", name, shown_string(texts->front()));
  std::string text(worded->form);
  if (const auto place = text.find("{}"); place != std::string::npos)
    text.replace(place, 2, texts->front());
  return text;
}

}  // namespace

std::string exception_text(Value result) {
  const std::string start = fmt::format(
      "Unhandled Ganeti error: Cannot convert value '{}', error: ", json::pretty(result));
  if (!result.is(Kind::Array) || result.size() != 2 || !result.first().is(Kind::String) ||
      !result.first().after().is(Kind::Array)) {
    return fmt::format("{}Invalid exception: expected '(string, [args])'       but got {}'", start,
                       json::pretty(result));
  }
  const auto text = text_of(result.first().text(), result.first().after());
  return text ? *text : start + text.error().message;
}

}  // namespace ballast::ganeti
