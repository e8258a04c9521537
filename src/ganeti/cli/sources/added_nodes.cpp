// SPDX-License-Identifier: BSD-2-Clause
#include "added_nodes.hpp"

#include "ballast/core/strings.hpp"
#include "ballast/ganeti/backend/json/number.hpp"
#include "ballast/ganeti/backend/simulate/size.hpp"
#include "ballast/ganeti/model/group_name.hpp"
#include "ballast/ganeti/model/near_name.hpp"
#include "ballast/ganeti/model/unit_resolver.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <unordered_set>

namespace ballast::ganeti::cli {
namespace {

constexpr std::int64_t kMostNodes = 10'000;

tl::unexpected<Error> refuse(std::string_view spec, std::string_view why) {
  return fail(fmt::format("option --add-node: {}: {}", quoted(spec), why));
}

/// new-1.SUFFIX, new-2.SUFFIX, ..., but for those that are taken.
class NewNames {
 public:
  explicit NewNames(const Cluster& cluster) {
    for (const Node& node : cluster.nodes) taken_.insert(node.name);
  }
  std::string next(const std::string& suffix) {
    std::size_t& number = last_[suffix];
    std::string name;
    do {
      name = fmt::format("new-{}{}", ++number, suffix);
    } while (!taken_.insert(name).second);
    return name;
  }

 private:
  std::unordered_set<std::string> taken_;
  std::map<std::string, std::size_t> last_;  ///< number of each suffix
};

/// One specification, read and put into the snapshot.
class Adder {
 public:
  Adder(Snapshot& snapshot, std::string_view spec, NewNames& names)
      : snapshot_(snapshot), spec_(spec), names_(names) {}

  Status add() {
    const std::vector<std::string_view> parts = split(spec_, ';');
    const std::vector<std::string_view> fields =
        parts.empty() ? std::vector<std::string_view>() : split(parts.front(), ',');
    if (fields.size() < 5 || fields.size() > 6)
      return refuse(spec_, "expected GROUP,COUNT,DISK,MEMORY,CPUS[,SPINDLES]");
    if (const Status found = find_group(fields[0]); !found) return found;
    const auto count = parse_int("count", fields[1]);
    if (!count || *count < 1 || *count > kMostNodes)
      return refuse(spec_, fmt::format("expected a count from 1 to {}", kMostNodes));
    if (const Status read = read_sizes(fields); !read) return read;
    if (const Status read = read_units(std::span(parts).subspan(1)); !read) return read;
    for (std::int64_t i = 0; i < *count; ++i) add_one();
    return {};
  }

 private:
  Status find_group(std::string_view name) {
    const auto& groups = snapshot_.cluster.groups;
    for (std::size_t g = 0; g < groups.size(); ++g) {
      if (is_called(groups[g], name)) node_.group = GroupId(g);
    }
    if (node_.group.is_none())
      return refuse(
          spec_, fmt::format("there is no node group {}{}", quoted(name), near_name(name, groups)));
    for (const Node& node : snapshot_.cluster.nodes) {
      if (node.group != node_.group) continue;
      if (model_ == nullptr) model_ = &node;
      node_.node_mem = std::max(node_.node_mem, node.node_mem);
    }
    if (model_ == nullptr) return {};
    node_.cpu_speed = model_->cpu_speed;
    node_.os_cpus = model_->os_cpus;
    node_.hypervisor = model_->hypervisor;
    node_.has_exclusive_storage = model_->has_exclusive_storage;
    return {};
  }

  Status read_sizes(const std::vector<std::string_view>& fields) {
    const auto disk = parse_size(fields[2]);
    const auto memory = parse_size(fields[3]);
    const auto cpus = parse_int("cpus", fields[4]);
    const auto spindles = parse_int("spindles", fields.size() > 5 ? fields[5] : "0");
    if (!disk || *disk < 0) return refuse(spec_, "expected a size of the disk, such as 2t");
    if (!memory || *memory <= node_.node_mem)
      return refuse(spec_,
                    fmt::format("expected a size of the memory above {} MiB, which the nodes "
                                "of the group use themselves",
                                node_.node_mem));
    if (!cpus || *cpus < 1) return refuse(spec_, "expected a number of CPUs");
    if (!spindles || *spindles < 0) return refuse(spec_, "expected a number of spindles");
    node_.total_mem = static_cast<double>(*memory);
    node_.free_mem = *memory - node_.node_mem;
    node_.total_disk = static_cast<double>(*disk);
    node_.reported_free_disk = *disk;
    node_.total_cpu = static_cast<double>(*cpus);
    node_.total_spindles = fields.size() > 5 || model_ == nullptr
                               ? std::max<std::int64_t>(*spindles, 1)
                               : model_->total_spindles;
    if (node_.has_exclusive_storage) node_.reported_free_spindles = node_.total_spindles;
    return {};
  }

  Status read_units(std::span<const std::string_view> texts) {
    const bool has_storage = std::ranges::any_of(
        snapshot_.cluster.nodes, [](const Node& node) { return node.storage_told; });
    if (texts.empty()) return has_storage ? copy_units() : Status();
    node_.storage_told = true;
    for (const std::string_view text : texts) {
      const std::vector<std::string_view> fields = split(text, ',');
      const auto size = fields.empty() ? Result<std::int64_t>(0) : parse_size(fields[0]);
      if (fields.size() != 3 || !size || *size < 0 || fields[1].empty())
        return refuse(spec_, fmt::format("{}: expected SIZE,TYPE,KEY", quoted(text)));
      add_unit(intern_storage_key(snapshot_.cluster, fields[1], fields[2]), *size);
    }
    return {};
  }

  /// Without words on units: those of the group's first node.
  Status copy_units() {
    if (model_ == nullptr || !model_->storage_told) return {};
    node_.storage_told = true;
    std::size_t local = 0;
    for (const StorageUnit& unit : model_->units) {
      const StorageKey& key = snapshot_.cluster[unit.key];
      if (is_shared_storage_type(key.type)) {
        node_.units.push_back(unit);
        continue;
      }
      const bool is_pair = std::ranges::any_of(node_.units, [&](const StorageUnit& other) {
        return snapshot_.cluster[other.key].key == key.key;
      });
      if (!is_pair) ++local;  // a drbd8 and an lvm-vg unit of one key are one volume group
      add_unit(unit.key, node_.reported_free_disk);
    }
    if (local < 2) return {};
    return refuse(spec_,
                  "the nodes of the group have several local storage units: say those of the "
                  "new node (;SIZE,TYPE,KEY)");
  }

  void add_unit(StorageKeyId key, std::int64_t size) {
    StorageUnit unit;
    unit.key = key;
    unit.total_mib = size;
    unit.free_mib = size;
    node_.units.push_back(std::move(unit));
  }

  void add_one() {
    Cluster& cluster = snapshot_.cluster;
    const std::size_t dot = model_ == nullptr ? std::string::npos : model_->name.find('.');
    const std::string suffix = dot == std::string::npos ? "" : model_->name.substr(dot);
    Node node = node_;
    node.name = names_.next(suffix);
    // The model stands in the list that grows.
    const auto model = model_ == nullptr ? -1 : model_ - cluster.nodes.data();
    snapshot_.state.nodes.push_back(initial_state(node));
    cluster.nodes.push_back(std::move(node));
    if (model >= 0) model_ = &cluster.nodes[static_cast<std::size_t>(model)];
    if (!snapshot_.node_lines.empty()) snapshot_.node_lines.push_back(0);
  }

  Snapshot& snapshot_;
  std::string_view spec_;
  NewNames& names_;
  const Node* model_ = nullptr;  ///< the group's first node; null: it has none
  Node node_;
};

}  // namespace

Status add_nodes(Snapshot& snapshot, const std::vector<std::string>& specifications) {
  if (specifications.empty()) return {};
  NewNames names(snapshot.cluster);
  for (const std::string& spec : specifications) {
    if (const Status added = Adder(snapshot, spec, names).add(); !added) return added;
  }
  return {};
}

}  // namespace ballast::ganeti::cli
