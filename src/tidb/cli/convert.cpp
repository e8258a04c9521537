// SPDX-License-Identifier: BSD-2-Clause
#include "ballast/tidb/cli/convert.hpp"

#include "ballast/tidb/backend/list_form.hpp"

namespace ballast::tidb {

tl::expected<std::string, std::vector<Diagnostic>> to_list_form(const Documents& side,
                                                                const LoadRequest& request) {
  Diagnostics errors;
  SpecOptions options;
  options.cluster = request.cluster;
  options.object_name = request.object_name;
  options.ns = request.ns;
  const kube::Node object = list_form(side, options, errors);
  if (!errors.empty()) return tl::unexpected(errors.sorted());
  return kube::emit_yaml(object);
}

}  // namespace ballast::tidb
