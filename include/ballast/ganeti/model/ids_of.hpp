// SPDX-License-Identifier: BSD-2-Clause
// All ids of a cluster, in index order: `for (const NodeId node : node_ids(cluster))`.
#pragma once

#include <cstddef>
#include <cstdint>
#include <iterator>

#include "ballast/ganeti/model/cluster.hpp"

namespace ballast::ganeti {

/// The ids 0 .. count - 1.
template <class IdOf>
class IdRange {
 public:
  class iterator {
   public:
    using value_type = IdOf;
    using reference = IdOf;
    using pointer = const IdOf*;
    using difference_type = std::ptrdiff_t;
    using iterator_category = std::forward_iterator_tag;

    iterator() = default;
    explicit iterator(std::int32_t value) : value_(value) {}
    IdOf operator*() const { return IdOf(value_); }
    iterator& operator++() {
      ++value_;
      return *this;
    }
    iterator operator++(int) {
      iterator old = *this;
      ++value_;
      return old;
    }
    friend bool operator==(iterator, iterator) = default;

   private:
    std::int32_t value_ = 0;
  };

  explicit IdRange(std::size_t count) : count_(static_cast<std::int32_t>(count)) {}
  [[nodiscard]] iterator begin() const { return iterator(0); }
  [[nodiscard]] iterator end() const { return iterator(count_); }

 private:
  std::int32_t count_;
};

inline IdRange<NodeId> node_ids(const Cluster& cluster) {
  return IdRange<NodeId>(cluster.nodes.size());
}
inline IdRange<InstanceId> instance_ids(const Cluster& cluster) {
  return IdRange<InstanceId>(cluster.instances.size());
}
inline IdRange<GroupId> group_ids(const Cluster& cluster) {
  return IdRange<GroupId>(cluster.groups.size());
}

}  // namespace ballast::ganeti
