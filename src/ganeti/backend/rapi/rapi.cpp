// SPDX-License-Identifier: BSD-2-Clause
#include "ballast/ganeti/backend/rapi/rapi.hpp"

#include "ballast/ganeti/backend/objects/dictionary.hpp"
#include "reader.hpp"

namespace ballast::ganeti {
namespace {

using json::Value;

using ParsedBody = Result<std::unique_ptr<json::Document>>;

/// Bytes that are no text have words of their own, without the body's name.
Error about(std::string_view what, Error error) {
  if (error.message != json::kBadBytes)
    error.message = "Parsing " + std::string(what) + ": " + error.message;
  return error;
}

ParsedBody parse_body(Result<std::string> body, std::string_view what) {
  if (!body) return fail(std::move(body.error()));
  auto document = json::Document::parse(std::move(*body));
  if (!document) return fail(about(what, std::move(document.error())));
  return document;
}

/// Visits the elements of a list of objects.
template <class Visit>
Status read_list(Result<std::string> body, std::string_view what, Visit visit) {
  const ParsedBody document = parse_body(std::move(body), what);
  if (!document) return fail(document.error());
  const auto objects = json::list_of(json::to_object)((*document)->root());
  if (!objects) return fail(about(what, objects.error()));
  for (const Value object : *objects) {
    if (auto status = visit(object); !status) return status;
  }
  return {};
}

Status read_info(Result<std::string> body, RapiReader& reader) {
  constexpr std::string_view kWhat = "cluster info";
  const ParsedBody document = parse_body(std::move(body), kWhat);
  if (!document) return fail(document.error());
  const auto object = json::to_object((*document)->root());
  if (!object) return fail(about(kWhat, object.error()));
  return reader.read_info(*object);
}

}  // namespace

Result<Snapshot> read_rapi(RapiAnswers answers, bool ignore_storage, bool state_of_record) {
  RapiReader reader(ignore_storage, state_of_record);
  Status status = read_list(std::move(answers.groups), "group data",
                            [&](Value object) { return reader.read_group(object); });
  if (status) {
    status = read_list(std::move(answers.nodes), "node data",
                       [&](Value object) { return reader.read_node(object); });
  }
  if (status) {
    status = read_list(std::move(answers.instances), "instance data",
                       [&](Value object) { return reader.read_instance(object); });
  }
  if (status) status = read_info(std::move(answers.info), reader);
  if (!status) return fail(std::move(status.error()));
  return reader.take();
}

}  // namespace ballast::ganeti
