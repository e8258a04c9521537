// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include "ballast/tidb/search/basis/input.hpp"

#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace ballast::tidb {

/// Persistent volumes and who is bound to them. An index is that of a volume in the input.
class Volumes {
 public:
  explicit Volumes(const Live& live);

  /// The node to which a claim of the pod ties it by a local volume; empty: it may go anywhere.
  std::string bound_node(const SetSpec& set, const std::string& pod) const;
  /// Whether a new claim of the set needs a local volume: its class has some.
  bool needs_local(const SetSpec& set) const;
  /// The smallest free volume for a claim of the set on the node, then by name.
  std::optional<std::size_t> free_for(const SetSpec& set, std::string_view node) const;

  void take(std::size_t index) { volumes_[index].available = false; }
  void give_back(std::size_t index) { volumes_[index].available = true; }
  const std::string& name(std::size_t index) const { return volumes_[index].name; }

  /// Free volumes of a node: "local-storage 200Gi" -> how many.
  std::map<std::string, std::int64_t> free_on(std::string_view node) const;

 private:
  bool known_ = false;
  std::vector<Volume> volumes_;
  std::map<std::string, std::vector<std::size_t>, std::less<>> of_node_;
  std::map<std::string, std::size_t> by_name_;
  std::map<std::string, std::size_t> by_claim_;
  std::map<std::string, std::string> bound_;  // claim -> volume, as the claim says
  std::set<std::string> local_classes_;
};

}  // namespace ballast::tidb
