// SPDX-License-Identifier: BSD-2-Clause
#include "ballast/tidb/backend/list_form.hpp"

#include "ballast/tidb/backend/keys.hpp"

#include <fmt/format.h>

namespace ballast::tidb {

namespace {

using doc::Tree;

/// One element: name and replicas first, nested resources flattened, an image spelled out.
Tree element_of(const RawSet& set, bool values) {
  Tree element = Tree::map();
  element.set("name", Tree::string(set.name));
  for (const auto& [key, value] : set.element.entries()) {
    if (key == "name" || key == "extra" || value.is_null()) continue;
    if (values && key == "resources" && value.is_map()) {
      for (const auto& [part, amounts] : value.entries()) element.set(part, amounts);
    } else if (values && set.component == Component::Tidb && key == "maxFailoverCount" &&
               value.as_int() == 0) {
      element.set(key, Tree::integer(std::int64_t{3}));  // what the chart makes of it
    } else {
      element.set(key, value);
    }
  }
  if (element.find("image") == nullptr && element.find("baseImage") == nullptr) {
    element.set("baseImage", Tree::string(fmt::format("pingcap/{}", name_of(set.component))));
  }
  return element;
}

Tree metadata_of(const RawCluster& raw) {
  Tree metadata = Tree::map();
  if (raw.object != nullptr && raw.object->find("metadata") != nullptr)
    metadata = *raw.object->find("metadata");
  metadata.set("name", Tree::string(raw.name));
  if (!raw.ns.empty()) metadata.set("namespace", Tree::string(raw.ns));
  return metadata;
}

/// Cluster-level keys; those that only a chart knows become what they stand for.
Tree cluster_level(const RawCluster& raw, bool values) {
  Tree spec = Tree::map();
  for (const auto& [key, value] : raw.root->entries()) {
    if (component_named(key) || key == "pds" || key == "tikvs" || key == "tidbs" ||
        key == "clusterName")
      continue;
    if (values && key == "enableConfigMapRollout") {
      if (value.as_bool() == true) spec.set("configUpdateStrategy", Tree::string("RollingUpdate"));
    } else if (values && key == "extraLabels") {
      if (value.is_map() && !value.entries().empty()) spec.set("labels", value);
    } else if (!values || is_cluster_key(key, false)) {
      spec.set(key, value);
    }
  }
  return spec;
}

}  // namespace

Tree list_form(const Documents& side, const SpecOptions& options, Diagnostics& errors) {
  if (side.kind == Documents::Kind::Groups) {
    errors.add("E020", "-", "contradicting options: groups have no list form");
    return {};
  }
  std::vector<Remark> remarks;
  const RawCluster raw = resolve_sets(side, options, errors, remarks);
  if (raw.root == nullptr || !errors.empty()) return {};
  if (raw.form == Form::Hetero) {
    errors.add("E020", "-", "contradicting options: several TidbClusters cannot become one list");
    return {};
  }
  const bool values = side.kind == Documents::Kind::Values;
  Tree spec = cluster_level(raw, values);
  for (const Component c : kComponents) {
    if (!raw.given[index_of(c)]) continue;
    Tree list = Tree::list();
    for (const RawSet& set : raw.sets) {
      if (set.component == c) list.items().push_back(element_of(set, values));
    }
    spec.set(name_of(c), std::move(list));
  }
  return Tree::map({{"apiVersion", Tree::string("pingcap.com/v1alpha1")},
                    {"kind", Tree::string("TidbCluster")},
                    {"metadata", metadata_of(raw)},
                    {"spec", std::move(spec)}});
}

}  // namespace ballast::tidb
