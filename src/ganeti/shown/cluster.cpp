// SPDX-License-Identifier: BSD-2-Clause
#include <fmt/format.h>

#include <array>
#include <utility>

#include "ballast/core/strings.hpp"
#include "ballast/ganeti/shown/shown.hpp"
#include "parts.hpp"

namespace ballast::ganeti {
namespace {

using notation::Record;
using notation::shown_elements;
using notation::shown_set;

/// "(1,x)": an entry of a map.
std::string shown_entry(std::int64_t key, std::string_view value) {
  return fmt::format("({},{})", key, value);
}

std::string shown_hypervisor(const std::string& hypervisor) {
  constexpr std::array<std::pair<std::string_view, std::string_view>, 6> kNames{
      {{"kvm", "Just Kvm"},
       {"xen-pvm", "Just XenPvm"},
       {"chroot", "Just Chroot"},
       {"xen-hvm", "Just XenHvm"},
       {"lxc", "Just Lxc"},
       {"fake", "Just Fake"}}};
  for (const auto& [text, shown] : kNames) {
    if (text == hypervisor) return std::string(shown);
  }
  return "Nothing";
}

class ClusterShower {
 public:
  ClusterShower(const Cluster& cluster, const State& state, std::int64_t now)
      : cluster_(&cluster), state_(&state), now_(now), first_(cluster.first_node_index) {
    for (const Group& group : cluster.groups) policies_.push_back(shown_of(group.policy));
  }

  [[nodiscard]] std::string all() const {
    return Record("ClusterData")
        .raw("cdGroups", numbered(cluster_->groups.size(), first_,
                                  [&](std::size_t i) { return shown_of(*cluster_, GroupId(i)); }))
        .raw("cdNodes", numbered(cluster_->nodes.size(), first_,
                                 [&](std::size_t i) { return node(NodeId(i)); }))
        .raw("cdInstances", numbered(cluster_->instances.size(), 0,
                                     [&](std::size_t i) { return instance(InstanceId(i)); }))
        .raw("cdTags", shown_list(cluster_->tags))
        .raw("cdIPolicy", shown_of(cluster_->policy))
        .str();
  }

 private:
  template <class Shown>
  static std::string numbered(std::size_t count, std::int64_t first, Shown shown) {
    std::string text = "fromList [";
    for (std::size_t i = 0; i < count; ++i) {
      if (i > 0) text += ',';
      text += shown_entry(first + static_cast<std::int64_t>(i), shown(i));
    }
    return text + ']';
  }

  [[nodiscard]] std::string tag(TagId id) const {
    return shown_string(cluster_->symbols[id.index()]);
  }
  [[nodiscard]] std::string tag_set(const std::vector<TagId>& tags) const {
    return shown_set(tags, [&](TagId id) { return tag(id); });
  }
  [[nodiscard]] std::int64_t number(NodeId id) const {
    return id.is_none() ? -1 : id.value() + first_;
  }
  static std::string instances(const std::vector<InstanceId>& ids) {
    return shown_elements(ids, [](InstanceId id) { return std::to_string(id.value()); });
  }

  [[nodiscard]] std::string instance(InstanceId id) const {
    const Instance& record = (*cluster_)[id];
    const Placement& place = (*state_)[id];
    std::vector<const std::vector<std::string>*> tag_lists{&record.tags};
    if (!place.primary.is_none())
      tag_lists.push_back(&(*cluster_)[(*cluster_)[place.primary].group].tags);
    tag_lists.push_back(&cluster_->tags);
    return notation::shown_instance(
        record, {number(place.primary), number(place.secondary), id.value(), place.location_score},
        cluster_->symbols, shown_auto_repair(tag_lists, now_));
  }

  [[nodiscard]] std::string node(NodeId id) const {
    Record record("Node");
    add_sizes(record, (*cluster_)[id], (*state_)[id]);
    add_holdings(record, id);
    add_fractions(record, (*cluster_)[id], (*state_)[id]);
    add_rules(record, (*cluster_)[id], (*state_)[id]);
    return record.str();
  }

  void add_sizes(Record& record, const Node& node, const NodeState& state) const {
    record.field("name", node.name)
        .field("alias", node.alias)
        .field("tMem", node.total_mem)
        .field("nMem", node.node_mem)
        .field("iMem", state.inst_mem)
        .field("fMem", node.free_mem)
        .field("fMemForth", state.forth_free_mem)
        .field("xMem", state.lost_mem)
        .field("tDsk", node.total_disk)
        .field("fDsk", state.free_disk)
        .field("fDskForth", state.forth_free_disk)
        .field("tCpu", node.total_cpu)
        .field("tCpuSpeed", node.cpu_speed)
        .field("nCpu", node.os_cpus)
        .field("uCpu", state.used_cpu)
        .field("uCpuForth", state.forth_used_cpu)
        .field("tSpindles", node.total_spindles)
        .field("fSpindles", state.free_spindles)
        .field("fSpindlesForth", state.forth_free_spindles);
  }

  void add_holdings(Record& record, NodeId id) const {
    const NodeState& state = (*state_)[id];
    record.raw("pList", instances(state.primaries))
        .raw("pListForth", instances(state.forth_primaries))
        .raw("sList", instances(state.secondaries))
        .raw("sListForth", instances(state.forth_secondaries))
        .field("idx", number(id))
        .raw("peers", shown_elements(state.peers,
                                     [&](const auto& peer) {
                                       return shown_entry(number(peer.first),
                                                          std::to_string(peer.second));
                                     }))
        .field("failN1", state.fails_n1)
        .field("failN1Forth", true);
  }

  /// The reference keeps no shadow of what an N+1 failure would need: constants.
  static void add_fractions(Record& record, const Node& node, const NodeState& state) {
    record.field("rMem", state.reserved_mem)
        .field("rMemForth", 0)
        .field("pMem", state.mem_fraction)
        .field("pMemForth", state.forth_mem_fraction)
        .field("pDsk", state.disk_fraction)
        .field("pDskForth", state.forth_disk_fraction)
        .field("pRem", state.reserved_fraction)
        .field("pRemForth", 0.0)
        .field("pCpu", state.cpu_ratio)
        .field("pCpuForth", state.forth_cpu_ratio)
        .field("mDsk", 0.0)
        .field("loDsk", node.low_disk)
        .field("hiCpu", floored(node.vcpu_ratio * node.total_cpu))
        .field("hiSpindles", node.high_spindles)
        .field("instSpindles", state.inst_spindles)
        .field("instSpindlesForth", state.forth_inst_spindles);
  }

  void add_rules(Record& record, const Node& node, const NodeState& state) const {
    record.field("offline", node.is_offline)
        .field("isMaster", node.is_master)
        .raw("nTags", shown_list(node.tags))
        .raw("utilPool", notation::shown_load({1, 1, 1, 1}))
        .raw("utilLoad", notation::shown_load(state.load))
        .raw("utilLoadForth", notation::shown_load(state.forth_load))
        .raw("pTags", shown_set(state.primary_tags,
                                [&](const auto& entry) {
                                  return fmt::format("({},{})", tag(entry.first), entry.second);
                                }))
        .field("group", node.group.value() + first_)
        .raw("iPolicy", policies_[node.group.index()])
        .field("exclStorage", node.has_exclusive_storage)
        .raw("migTags", tag_set(node.migration_tags))
        .raw("rmigTags", tag_set(node.receivable_tags))
        .raw("locationTags", tag_set(node.location_tags))
        .field("locationScore", state.location_score)
        .raw("instanceMap", shown_set(state.location_exclusions,
                                      [&](const auto& entry) {
                                        return fmt::format("(({},{}),{})", tag(entry.first.first),
                                                           tag(entry.first.second), entry.second);
                                      }))
        .raw("hypervisor", shown_hypervisor(node.hypervisor));
  }

  const Cluster* cluster_;
  const State* state_;
  std::int64_t now_;
  std::int32_t first_;
  std::vector<std::string> policies_;  ///< shown, by GroupId: nodes repeat them
};

}  // namespace

std::string shown_of(const Cluster& cluster, GroupId id) {
  const Group& group = cluster[id];
  constexpr std::array<std::string_view, 3> kPolicies{"AllocPreferred", "AllocLastResort",
                                                      "AllocUnallocable"};
  return Record("Group")
      .field("name", group.name)
      .field("uuid", group.uuid)
      .field("idx", id.value() + cluster.first_node_index)
      .raw("allocPolicy", kPolicies[static_cast<std::size_t>(group.alloc_policy)])
      .raw("networks", shown_list(group.networks))
      .raw("iPolicy", shown_of(group.policy))
      .raw("allTags", shown_list(group.tags))
      .str();
}

std::string shown_cluster_data(const Cluster& cluster, const State& state, std::int64_t now) {
  return ClusterShower(cluster, state, now).all();
}

}  // namespace ballast::ganeti
