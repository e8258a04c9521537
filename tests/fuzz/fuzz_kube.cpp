// SPDX-License-Identifier: BSD-2-Clause
// YAML and JSON: whatever is read is written so that it reads back equal, and errors have a place
// and one line.
#include <cstdint>
#include <cstdlib>

#include "ballast/doc/tree.hpp"
#include "ballast/kube/documents.hpp"
#include "ballast/kube/object.hpp"

namespace {

using namespace ballast;
using doc::Tree;
using Documents = Result<std::vector<Tree>>;

void require(bool holds) {
  if (!holds) std::abort();
}

void check_error(const Error& error) {
  require(error.place.line > 0 && error.place.column > 0);
  require(!error.message.empty() && error.message.find('\n') == std::string::npos);
}

void check_document(const Tree& node) {
  (void)kube::read_metadata(node);
  const Documents again = doc::parse_yaml(doc::emit_yaml(node), "again");
  require(again.has_value() && again->size() == 1 && again->front() == node);
  const Documents json = doc::parse_json(doc::emit_json(node), "json");
  require(json.has_value() && json->size() == 1);
}

void check(const Documents& documents) {
  if (!documents) return check_error(documents.error());
  for (const Tree& node : *documents) check_document(node);
  for (const Tree& node : kube::flatten_lists(*documents)) (void)node.to_value();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  check(kube::parse_documents(text, "f"));
  check(doc::parse_yaml(text, "f"));
  return 0;
}
