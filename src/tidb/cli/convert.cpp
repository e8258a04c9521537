// SPDX-License-Identifier: BSD-2-Clause
#include "ballast/tidb/cli/convert.hpp"

#include "ballast/tidb/backend/list_form.hpp"

namespace ballast::tidb {

tl::expected<kube::Node, std::vector<Diagnostic>> to_list_form(const Documents& side,
                                                               const LoadRequest& request) {
  Diagnostics errors;
  SpecOptions options;
  options.cluster = request.cluster;
  options.object_name = request.object_name;
  options.ns = request.ns;
  kube::Node object = list_form(side, options, errors);
  if (!errors.empty()) return tl::unexpected(errors.told());
  return object;
}

report::Document converted(const kube::Node& object) {
  report::Document document;
  document.tool = "htidb";
  document.options.set("to", "list");
  if (const kube::Node* name = object.at({"metadata", "name"}))
    document.summary.set("cluster", name->text());
  document.summary.set("object", object.to_value());
  return document;
}

}  // namespace ballast::tidb
