// SPDX-License-Identifier: BSD-2-Clause
// YAML and JSON: whatever is read is written so that it reads back equal, and errors have a place
// and one line.
#include <cstdint>
#include <cstdlib>

#include "ballast/kube/node.hpp"
#include "ballast/kube/object.hpp"

namespace {

using namespace ballast;
using kube::Node;
using Documents = Result<std::vector<Node>>;

void require(bool holds) {
  if (!holds) std::abort();
}

void check_error(const Error& error) {
  require(error.place.line > 0 && error.place.column > 0);
  require(!error.message.empty() && error.message.find('\n') == std::string::npos);
}

void check_document(const Node& node) {
  (void)kube::read_metadata(node);
  const Documents again = kube::parse_yaml(kube::emit_yaml(node), "again");
  require(again.has_value() && again->size() == 1 && again->front() == node);
  const Documents json = kube::parse_json(kube::emit_json(node), "json");
  require(json.has_value() && json->size() == 1);
}

void check(const Documents& documents) {
  if (!documents) return check_error(documents.error());
  for (const Node& node : *documents) check_document(node);
  for (const Node& node : kube::flatten_lists(*documents)) (void)node.to_value();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  check(kube::parse_documents(text, "f"));
  check(kube::parse_yaml(text, "f"));
  return 0;
}
