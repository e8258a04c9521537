// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include "ballast/tidb/search/basis/input.hpp"
#include "ballast/tidb/search/placement/capacity.hpp"

#include <string>
#include <vector>

namespace ballast::tidb {

/// Zones of stores, pods and sets; empty where they are not known.
class ZoneFinder {
 public:
  ZoneFinder(const Input& input, const Capacity& capacity);

  /// The store's own label, else the label of its pod's node.
  std::string of_store(const Store& store) const;
  /// The zone its set is pinned to, else that of its store or node.
  std::string of_pod(const std::string& pod, const SetSpec& set) const;
  std::string of_node(const std::string& node) const;
  /// The one zone that a set's selector or required affinity fixes.
  std::string pinned_to(const SetSpec& set) const;

  const std::vector<std::string>& location_labels() const { return labels_; }
  /// The zone key among the location labels; empty: none of them is one.
  const std::string& label_key() const { return label_key_; }

 private:
  const Input& input_;
  const Capacity& capacity_;
  std::vector<std::string> labels_;
  std::string label_key_;
  std::vector<std::string> keys_;  // zone keys, best first
};

}  // namespace ballast::tidb
