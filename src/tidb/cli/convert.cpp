// SPDX-License-Identifier: BSD-2-Clause
#include "convert.hpp"

#include "ballast/tidb/backend/list_form.hpp"

namespace ballast::tidb {

tl::expected<doc::Tree, std::vector<Diagnostic>> to_list_form(const Documents& side,
                                                              const LoadRequest& request) {
  Diagnostics errors;
  SpecOptions options;
  options.cluster = request.cluster;
  options.object_name = request.object_name;
  options.ns = request.ns;
  doc::Tree object = list_form(side, options, errors);
  if (!errors.empty()) return tl::unexpected(errors.told());
  return object;
}

report::Document converted(const doc::Tree& object) {
  report::Document document;
  document.tool = "htidb";
  document.options.set("to", "list");
  if (const doc::Tree* name = object.at({"metadata", "name"}))
    document.summary.set("cluster", name->text());
  document.summary.set("object", object.to_value());
  return document;
}

}  // namespace ballast::tidb
