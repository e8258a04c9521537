// SPDX-License-Identifier: BSD-2-Clause
#include "ballast/ganeti/loading/request_tags.hpp"

#include <algorithm>

namespace ballast::ganeti {
namespace {

using Texts = std::vector<std::string>;

/// From the ids of one table to those of a wider one.
class Renumbering {
 public:
  Renumbering(const Texts& from, const Texts& to) {
    for (const std::string& text : from) {
      const auto place = std::lower_bound(to.begin(), to.end(), text);
      ids_.emplace_back(static_cast<std::size_t>(place - to.begin()));
    }
  }
  void renew(TagId& id) const { id = ids_[id.index()]; }
  void renew(std::vector<TagId>& ids) const {
    for (TagId& id : ids) renew(id);
  }

 private:
  std::vector<TagId> ids_;
};

void renew(Instance& instance, const Renumbering& renumbering) {
  renumbering.renew(instance.exclusion_tags);
  renumbering.renew(instance.desired_locations);
}

void renew(Snapshot& snapshot, const Renumbering& renumbering) {
  for (Instance& instance : snapshot.cluster.instances) renew(instance, renumbering);
  for (Node& node : snapshot.cluster.nodes) {
    renumbering.renew(node.location_tags);
    renumbering.renew(node.migration_tags);
    renumbering.renew(node.receivable_tags);
  }
  for (NodeState& node : snapshot.state.nodes) {
    for (auto& [tag, count] : node.primary_tags) renumbering.renew(tag);
    for (auto& [key, count] : node.location_exclusions) {
      renumbering.renew(key.first);
      renumbering.renew(key.second);
    }
  }
}

}  // namespace

void adopt_request_tags(Snapshot& snapshot, Request& request, const Texts& symbols) {
  Texts all = snapshot.cluster.symbols;
  all.insert(all.end(), symbols.begin(), symbols.end());
  std::sort(all.begin(), all.end());
  all.erase(std::unique(all.begin(), all.end()), all.end());
  renew(snapshot, Renumbering(snapshot.cluster.symbols, all));
  const Renumbering of_request(symbols, all);
  if (auto* one = std::get_if<AllocateRequest>(&request)) renew(one->wanted.instance, of_request);
  if (auto* several = std::get_if<MultiAllocateRequest>(&request)) {
    for (NewInstance& wanted : several->wanted) renew(wanted.instance, of_request);
  }
  snapshot.cluster.symbols = std::move(all);
}

}  // namespace ballast::ganeti
