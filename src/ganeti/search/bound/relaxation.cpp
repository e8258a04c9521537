// SPDX-License-Identifier: BSD-2-Clause
#include "relaxation.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

#include "ballast/ganeti/metrics/table.hpp"

namespace ballast::ganeti::bound {

namespace {

using enum MetricId;

constexpr std::size_t kMostLevels = 8;

/// Of the reserve: not below this on the node of its secondary.
double need_of(const Instance& instance) {
  return instance.uses_secondary_memory() ? static_cast<double>(instance.memory_mib) : 0;
}

double disk_of(const Instance& instance) {
  return uses_local_disk(instance.disk_template) ? static_cast<double>(instance.disk_mib) : 0;
}

Amounts as_primary(const Instance& instance) {
  return {instance.uses_memory() ? static_cast<double>(instance.memory_mib) : 0, disk_of(instance),
          instance.counts_cpu() ? static_cast<double>(instance.vcpus) : 0, 1, 1};
}

Amounts as_secondary(const Instance& instance) { return {0, disk_of(instance), 0, 0, 1}; }

/// Which metrics count, and whether their forthcoming kin say the same.
class Weights {
 public:
  explicit Weights(const Cluster& cluster) : counts_disk_(!cluster.has_storage) {}

  void look(const Cluster& cluster, const State& state, NodeId id) {
    const NodeState& on = state[id];
    const Node& node = cluster[id];
    counts_disk_ = counts_disk_ && !node.has_exclusive_storage && node.total_disk > 0;
    is_memory_alike_ = is_memory_alike_ && on.mem_fraction == on.forth_mem_fraction;
    is_disk_alike_ = is_disk_alike_ && on.disk_fraction == on.forth_disk_fraction;
    is_cpu_alike_ = is_cpu_alike_ && on.cpu_ratio == on.forth_cpu_ratio;
    const auto primaries = static_cast<double>(on.primaries.size());
    const double attached = primaries + static_cast<double>(on.secondaries.size());
    are_loads_one_ = are_loads_one_ && on.load == Load{primaries, primaries, attached, primaries};
  }
  void look(const Instance& instance) {
    is_memory_alike_ = is_memory_alike_ && instance.uses_memory();
    are_loads_one_ = are_loads_one_ && is_one(instance.load);
  }
  [[nodiscard]] Amounts weights() const {
    const auto both = [](bool is_alike, MetricId now, MetricId forth) {
      return weight_of(now) + (is_alike ? weight_of(forth) : 0);
    };
    return {both(is_memory_alike_, FreeMem, ForthFreeMem),
            counts_disk_ ? both(is_disk_alike_, FreeDisk, ForthFreeDisk) : 0,
            both(is_cpu_alike_, CpuRatio, ForthCpuRatio),
            are_loads_one_ ? weight_of(CpuLoad) + weight_of(MemLoad) + weight_of(NetLoad) : 0,
            are_loads_one_ ? weight_of(DiskLoad) : 0};
  }

 private:
  bool counts_disk_;
  bool is_memory_alike_ = true;
  bool is_disk_alike_ = true;
  bool is_cpu_alike_ = true;
  bool are_loads_one_ = true;
};

/// What is on the node, in MiB, virtual CPUs and ones.
Amounts held_by(const Node& node, const NodeState& on) {
  const auto primaries = static_cast<double>(on.primaries.size());
  return {node.total_mem - static_cast<double>(unallocated_mem(node, on)),
          node.total_disk - static_cast<double>(on.free_disk), static_cast<double>(on.used_cpu),
          primaries, primaries + static_cast<double>(on.secondaries.size())};
}

void add(Amounts& to, const Amounts& what, double times) {
  for (std::size_t k = 0; k < kAmounts; ++k) to[k] += times * what[k];
}

/// The amounts stay in MiB, CPUs and ones until all is counted: equal nodes are then equal.
struct RawNode {
  Amounts totals{};
  Amounts fixed{};
  double total_mem = 0;
  double fixed_need = 0;
  auto operator<=>(const RawNode&) const = default;
};

RawNode raw_node(const Cluster& cluster, const State& state, NodeId id) {
  const Node& node = cluster[id];
  const NodeState& on = state[id];
  RawNode raw{{node.total_mem, node.total_disk, node.total_cpu * node.cpu_speed, 1, 1},
              held_by(node, on),
              node.total_mem,
              0};
  for (const InstanceId instance : on.primaries) {
    if (may_move(cluster[instance])) add(raw.fixed, as_primary(cluster[instance]), -1);
  }
  for (const InstanceId instance : on.secondaries) {
    if (may_move(cluster[instance])) {
      add(raw.fixed, as_secondary(cluster[instance]), -1);
    } else {
      raw.fixed_need = std::max(raw.fixed_need, need_of(cluster[instance]));
    }
  }
  return raw;
}

bool is_in(const Cluster& cluster, const Part& part, NodeId node) {
  return cluster[node].group == part.group;
}

bool is_whole(const Cluster& cluster, const Part& part, const Placement& placement) {
  if (!is_in(cluster, part, placement.primary) || placement.primary == placement.secondary)
    return false;
  return placement.secondary.is_none() || is_in(cluster, part, placement.secondary);
}

struct Kind {
  Amounts brings{};
  double need = 0;
  auto operator<=>(const Kind&) const = default;
};
using Kinds = std::map<Kind, double>;

std::vector<Item> items_of(const Kinds& kinds) {
  std::vector<Item> items;
  for (const auto& [kind, count] : kinds) items.push_back({kind.brings, kind.need, count});
  return items;
}

/// Needs that lie side by side share a level where there are too many.
std::vector<Level> levels_of(const std::vector<Item>& secondaries) {
  std::set<double> needs;
  for (const Item& item : secondaries) {
    if (item.need > 0) needs.insert(item.need);
  }
  std::vector<Level> levels{{0, 0}};
  const std::size_t each = (needs.size() + kMostLevels - 1) / kMostLevels;
  std::size_t left = 0;
  for (const double need : needs) {
    if (left == 0) {
      levels.push_back({need, need});
      left = each;
    }
    levels.back().most = need;
    --left;
  }
  return levels;
}

void set_columns(Relaxation& relaxation) {
  relaxation.columns.clear();
  for (std::size_t n = 0; n < relaxation.nodes.size(); ++n) {
    for (std::size_t l = 0; l < relaxation.levels.size(); ++l) {
      const bool is_last = l + 1 == relaxation.levels.size();
      if (is_last || relaxation.levels[l].most >= relaxation.nodes[n].fixed_need)
        relaxation.columns.push_back({n, l});
    }
  }
}

NodeClass class_of(const RawNode& raw, double count) {
  NodeClass node;
  for (std::size_t k = 0; k < kAmounts; ++k) {
    node.per_unit[k] = raw.totals[k] > 0 ? 1 / raw.totals[k] : 0;
    node.fixed[k] = raw.fixed[k] * node.per_unit[k];
  }
  node.reserve_unit = 1 / raw.total_mem;
  node.fixed_need = raw.fixed_need;
  node.count = count;
  return node;
}

void set_centres(Relaxation& relaxation, const std::map<RawNode, double>& nodes) {
  Amounts held{};
  Amounts totals{};
  Amounts squares{};
  for (const auto& [raw, count] : nodes) {
    add(held, raw.fixed, count);
    add(totals, raw.totals, count);
    for (std::size_t k = 0; k < kAmounts; ++k) squares[k] += count * raw.totals[k] * raw.totals[k];
    relaxation.node_count += count;
  }
  for (const auto* items : {&relaxation.primaries, &relaxation.secondaries}) {
    for (const Item& item : *items) add(held, item.brings, item.count);
  }
  for (std::size_t k = 0; k < kAmounts; ++k) {
    if (!(totals[k] > 0)) continue;
    relaxation.centre[k] = held[k] / totals[k];
    const double mean = totals[k] / relaxation.node_count;
    relaxation.skew[k] = std::max(0.0, squares[k] / relaxation.node_count / (mean * mean) - 1);
  }
}

bool is_finite(const RawNode& raw) {
  const auto all = [](const Amounts& amounts) {
    return std::all_of(amounts.begin(), amounts.end(), [](double x) { return std::isfinite(x); });
  };
  return all(raw.totals) && all(raw.fixed) && raw.total_mem > 0 &&
         raw.totals[index_of(Amount::Cpus)] > 0;
}

}  // namespace

bool is_one(const Load& load) {
  return load.cpu == 1 && load.mem == 1 && load.disk == 1 && load.net == 1;
}

bool may_move(const Instance& instance) {
  return instance.is_movable && instance.auto_balance &&
         mirroring_of(instance.disk_template) != Mirroring::None;
}

std::optional<Relaxation> relaxation_of(const Cluster& cluster, const State& state,
                                        const Part& part) {
  std::map<RawNode, double> nodes;
  Weights weights(cluster);
  for (const NodeId id : part.nodes) {
    if (cluster[id].is_offline) continue;
    const RawNode raw = raw_node(cluster, state, id);
    if (!is_finite(raw)) return std::nullopt;
    ++nodes[raw];
    weights.look(cluster, state, id);
  }
  Kinds primaries;
  Kinds secondaries;
  for (const InstanceId id : part.instances) {
    const Instance& instance = cluster[id];
    if (instance.is_forthcoming) continue;
    if (!is_whole(cluster, part, state[id])) return std::nullopt;
    weights.look(instance);
    if (!may_move(instance)) continue;
    ++primaries[{as_primary(instance), 0}];
    if (has_secondary(instance.disk_template))
      ++secondaries[{as_secondary(instance), need_of(instance)}];
  }
  Relaxation relaxation;
  relaxation.primaries = items_of(primaries);
  relaxation.secondaries = items_of(secondaries);
  relaxation.levels = levels_of(relaxation.secondaries);
  relaxation.weight = weights.weights();
  set_centres(relaxation, nodes);
  if (relaxation.node_count < 2) return std::nullopt;
  for (const auto& [raw, count] : nodes) relaxation.nodes.push_back(class_of(raw, count));
  set_columns(relaxation);
  return relaxation;
}

std::optional<OverfullNode> fullest_of(const Cluster& cluster, const State& state, const Part& part,
                                       const Relaxation& relaxation) {
  constexpr std::array kParts{BoundPart::Memory, BoundPart::Disk, BoundPart::Cpus};
  constexpr double kMore = 1e-9;
  std::optional<OverfullNode> fullest;
  for (const NodeId id : part.nodes) {
    if (cluster[id].is_offline) continue;
    const NodeClass node = class_of(raw_node(cluster, state, id), 1);
    for (std::size_t k = 0; k < kParts.size(); ++k) {
      const OverfullNode here{id, kParts[k], node.fixed[k], relaxation.centre[k]};
      const double above = fullest ? fullest->held - fullest->mean : kMore;
      if (relaxation.weight[k] > 0 && here.held - here.mean > above) fullest = here;
    }
  }
  return fullest;
}

namespace {

constexpr std::size_t kCoarseNodes = 8;
constexpr std::size_t kCoarseItems = 16;

/// Neighbours become one until `most` are left, each of about the same count. `merged(a, b)` is
/// what both are together; `seen(index, into)` is told where each went.
template <class T, class Merged>
std::vector<T> merged_neighbours(const std::vector<T>& all, std::size_t most, Merged&& merged,
                                 std::vector<std::size_t>& into) {
  double count = 0;
  for (const T& one : all) count += one.count;
  std::vector<T> few;
  double seen = 0;
  for (const T& one : all) {
    const bool is_full =
        seen >= count * static_cast<double>(few.size()) / static_cast<double>(most);
    if (few.empty() || (is_full || all.size() <= most)) {
      few.push_back(one);
    } else {
      few.back() = merged(few.back(), one);
    }
    seen += one.count;
    into.push_back(few.size() - 1);
  }
  return few;
}

Amounts mean_of(const Amounts& a, double count_a, const Amounts& b, double count_b) {
  Amounts mean{};
  add(mean, a, count_a / (count_a + count_b));
  add(mean, b, count_b / (count_a + count_b));
  return mean;
}

std::vector<Item> coarse_items(std::vector<Item> items) {
  std::sort(items.begin(), items.end(), [](const Item& a, const Item& b) {
    return std::tie(a.need, a.brings) < std::tie(b.need, b.brings);
  });
  std::vector<std::size_t> into;
  return merged_neighbours(
      items, kCoarseItems,
      [](const Item& a, const Item& b) {
        return Item{mean_of(a.brings, a.count, b.brings, b.count), std::max(a.need, b.need),
                    a.count + b.count};
      },
      into);
}

NodeClass both_classes(const NodeClass& a, const NodeClass& b) {
  NodeClass both{mean_of(a.per_unit, a.count, b.per_unit, b.count),
                 mean_of(a.fixed, a.count, b.fixed, b.count)};
  both.reserve_unit = both.per_unit[index_of(Amount::Memory)];
  both.fixed_need = std::min(a.fixed_need, b.fixed_need);
  both.count = a.count + b.count;
  return both;
}

/// Nodes of one size become one class, whatever stays on them; equal sizes stand together.
std::vector<NodeClass> sizes_of(const std::vector<NodeClass>& nodes,
                                std::vector<std::size_t>& size_of) {
  std::vector<NodeClass> sizes;
  for (const NodeClass& node : nodes) {
    if (!sizes.empty() && sizes.back().per_unit == node.per_unit) {
      sizes.back() = both_classes(sizes.back(), node);
    } else {
      sizes.push_back(node);
    }
    size_of.push_back(sizes.size() - 1);
  }
  return sizes;
}

}  // namespace

Coarse coarsened(const Relaxation& fine) {
  Coarse coarse{fine, {}};
  std::vector<std::size_t> size_of;
  const std::vector<NodeClass> sizes = sizes_of(fine.nodes, size_of);
  std::vector<std::size_t> into;
  coarse.relaxation.nodes = merged_neighbours(sizes, kCoarseNodes, both_classes, into);
  coarse.relaxation.primaries = coarse_items(fine.primaries);
  coarse.relaxation.secondaries = coarse_items(fine.secondaries);
  set_columns(coarse.relaxation);
  const auto& columns = coarse.relaxation.columns;
  for (const Column& column : fine.columns) {
    const auto same = std::find_if(columns.begin(), columns.end(), [&](const Column& other) {
      return other.node == into[size_of[column.node]] && other.level == column.level;
    });
    coarse.column_of.push_back(static_cast<std::size_t>(same - columns.begin()));
  }
  return coarse;
}

}  // namespace ballast::ganeti::bound
