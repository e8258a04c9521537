// SPDX-License-Identifier: BSD-2-Clause
// Labels, annotations and texts of Kubernetes objects, and the pod that an object describes.
#pragma once

#include <map>
#include <string>
#include <string_view>

#include "ballast/fdb/backend/readers.hpp"
#include "ballast/kube/object.hpp"

namespace ballast::fdb {

constexpr std::string_view kPrefix = "foundationdb.org/";

/// An annotation of the operator; empty where there is none.
inline std::string annotation(const kube::ObjectMeta& metadata, std::string_view key) {
  const auto found = metadata.annotations.find(std::string(kPrefix) + std::string(key));
  return found == metadata.annotations.end() ? std::string() : found->second;
}

/// Today's label, or the older one that stood for it.
inline std::string label(const kube::ObjectMeta& metadata, const std::string& key,
                         const std::string& older) {
  auto found = metadata.labels.find(key);
  if (found == metadata.labels.end()) found = metadata.labels.find(older);
  return found == metadata.labels.end() ? std::string() : found->second;
}

/// The pod as the object shows it; what cannot be read is told to the context.
Pod pod_of(const doc::Tree& object, const kube::ObjectMeta& metadata, ProcessClass c,
           const ReadContext& context);

}  // namespace ballast::fdb
