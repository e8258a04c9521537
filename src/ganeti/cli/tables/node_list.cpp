// SPDX-License-Identifier: BSD-2-Clause
#include "ballast/core/decimal.hpp"
#include "ballast/core/strings.hpp"
#include "ballast/core/table.hpp"
#include "ballast/ganeti/cli/tables/listing.hpp"

#include <fmt/format.h>

#include <array>
#include <functional>

namespace ballast::ganeti::cli {
namespace {

using Align = TextTable::Align;

/// One node, as a field sees it.
struct Row {
  const Cluster& cluster;
  NodeId id;
  const Node& node;
  const NodeState& state;
};

struct Field {
  std::string_view name;
  std::string_view header;
  Align align;
  std::string (*text)(const Row&);
};

std::string whole(std::int64_t value, std::size_t width) {
  return pad_left(std::to_string(value), width);
}
std::string decimal(double value, int decimals, std::size_t width) {
  return pad_left(fixed(value, decimals), width);
}

std::string id_list(const std::vector<InstanceId>& ids) {
  std::string text;
  for (const InstanceId id : ids) text += (text.empty() ? "" : ",") + std::to_string(id.value());
  return "[" + text + "]";
}

std::string peer_list(const Row& row) {
  std::string text;
  for (const auto& [node, memory] : row.state.peers) {
    text += fmt::format("{}({},{})", text.empty() ? "" : ",",
                        node.value() + row.cluster.first_node_index, memory);
  }
  return "[" + text + "]";
}

std::string tag_counts(const Row& row) {
  std::string text;
  for (const auto& [tag, count] : row.state.primary_tags) {
    text +=
        fmt::format("{}{}={}", text.empty() ? "" : ",", row.cluster.symbols[tag.index()], count);
  }
  return text;
}

std::string status_text(const Row& row) {
  if (row.node.is_offline) return "-";
  return row.state.fails_n1 ? "*" : " ";
}

const auto kFields = std::to_array<Field>({
    {"idx", "Index", Align::Right,
     [](const Row& r) { return whole(r.id.value() + r.cluster.first_node_index, 4); }},
    {"name", "Name", Align::Left, [](const Row& r) { return r.node.alias; }},
    {"fqdn", "Name", Align::Left, [](const Row& r) { return r.node.name; }},
    {"status", "F", Align::Left, status_text},
    {"tmem", "t_mem", Align::Right, [](const Row& r) { return decimal(r.node.total_mem, 0, 5); }},
    {"nmem", "n_mem", Align::Right, [](const Row& r) { return whole(r.node.node_mem, 5); }},
    {"imem", "i_mem", Align::Right, [](const Row& r) { return whole(r.state.inst_mem, 5); }},
    {"xmem", "x_mem", Align::Right, [](const Row& r) { return whole(r.state.lost_mem, 5); }},
    {"fmem", "f_mem", Align::Right, [](const Row& r) { return whole(r.node.free_mem, 5); }},
    {"umem", "u_mem", Align::Right,
     [](const Row& r) { return whole(unallocated_mem(r.node, r.state), 5); }},
    {"amem", "a_mem", Align::Right,
     [](const Row& r) { return whole(available_mem(r.node, r.state), 5); }},
    {"rmem", "r_mem", Align::Right, [](const Row& r) { return whole(r.state.reserved_mem, 5); }},
    {"tdsk", "t_dsk", Align::Right,
     [](const Row& r) { return decimal(r.node.total_disk / 1024, 0, 5); }},
    {"fdsk", "f_dsk", Align::Right, [](const Row& r) { return whole(r.state.free_disk >> 10, 5); }},
    {"tcpu", "pcpu", Align::Right, [](const Row& r) { return decimal(r.node.total_cpu, 0, 4); }},
    {"ucpu", "vcpu", Align::Right, [](const Row& r) { return whole(r.state.used_cpu, 4); }},
    {"pcnt", "pcnt", Align::Right,
     [](const Row& r) { return pad_left(std::to_string(r.state.primaries.size()), 3); }},
    {"scnt", "scnt", Align::Right,
     [](const Row& r) { return pad_left(std::to_string(r.state.secondaries.size()), 3); }},
    {"plist", "primaries", Align::Right, [](const Row& r) { return id_list(r.state.primaries); }},
    {"slist", "secondaries", Align::Right,
     [](const Row& r) { return id_list(r.state.secondaries); }},
    {"pfmem", "p_fmem", Align::Right,
     [](const Row& r) { return decimal(r.state.mem_fraction, 4, 6); }},
    {"pfdsk", "p_fdsk", Align::Right,
     [](const Row& r) { return decimal(r.state.disk_fraction, 4, 6); }},
    {"rcpu", "r_cpu", Align::Right, [](const Row& r) { return decimal(r.state.cpu_ratio, 2, 5); }},
    {"cload", "lCpu", Align::Right, [](const Row& r) { return decimal(r.state.load.cpu, 3, 5); }},
    {"mload", "lMem", Align::Right, [](const Row& r) { return decimal(r.state.load.mem, 3, 5); }},
    {"dload", "lDsk", Align::Right, [](const Row& r) { return decimal(r.state.load.disk, 3, 5); }},
    {"nload", "lNet", Align::Right, [](const Row& r) { return decimal(r.state.load.net, 3, 5); }},
    {"ptags", "PrimaryTags", Align::Left, tag_counts},
    {"peermap", "PeerMap", Align::Left, peer_list},
    {"spindle_count", "NodeSpindles", Align::Right,
     [](const Row& r) { return std::to_string(r.node.total_spindles); }},
    {"hi_spindles", "MaxSpindles", Align::Right,
     [](const Row& r) { return shown(r.node.high_spindles); }},
    {"inst_spindles", "InstSpindles", Align::Right,
     [](const Row& r) { return shown(r.state.inst_spindles); }},
});

constexpr std::string_view kUnknown = "<unknown field>";

struct Column {
  TextTable::Column head;
  std::function<std::string(const Row&)> text;
};

const StorageUnit* unit_of(const Row& row, const StorageKey& key) {
  for (const StorageUnit& unit : row.node.units) {
    if (row.cluster[unit.key] == key) return &unit;
  }
  return nullptr;
}

const Capacity* capacity_of(const Row& row, const StorageKey& key) {
  const StorageUnit* unit = unit_of(row, key);
  if (unit == nullptr || unit->capacity < 0) return nullptr;
  return &row.state.capacities[static_cast<std::size_t>(unit->capacity)];
}

Column free_column(const StorageKey& key) {
  return {{"s:" + to_string(key), Align::Right}, [key](const Row& row) {
            const Capacity* capacity = capacity_of(row, key);
            return capacity == nullptr ? std::string("-") : whole(capacity->free_mib >> 10, 5);
          }};
}

Column fraction_column(const StorageKey& key) {
  return {{"ps:" + to_string(key), Align::Right}, [key](const Row& row) {
            const Capacity* capacity = capacity_of(row, key);
            if (capacity == nullptr) return std::string("-");
            const auto free = static_cast<double>(capacity->free_mib);
            return decimal(free_fraction(free, static_cast<double>(capacity->total_mib)), 4, 6);
          }};
}

StorageKey key_of(std::string_view text) {
  const auto slash = text.find('/');
  return {canonical_storage_type(text.substr(0, slash)),
          slash == std::string_view::npos ? std::string() : std::string(text.substr(slash + 1))};
}

/// The columns of a storage field; none: no such field, or no storage.
std::vector<Column> storage_columns(const Cluster& cluster, std::string_view name) {
  std::vector<Column> columns;
  if (!cluster.has_storage) return columns;
  if (name == "storage") {
    columns.push_back({{"Units", Align::Right},
                       [](const Row& row) { return std::to_string(row.node.units.size()); }});
  } else if (name == "storage_units") {
    for (const StorageKey& key : cluster.storage_keys) columns.push_back(free_column(key));
  } else if (name.starts_with("s:")) {
    columns.push_back(free_column(key_of(name.substr(2))));
  } else if (name.starts_with("ps:")) {
    columns.push_back(fraction_column(key_of(name.substr(3))));
  }
  return columns;
}

std::vector<Column> columns_of(const Cluster& cluster, const std::string& name) {
  for (const Field& field : kFields) {
    if (field.name == name) return {{{std::string(field.header), field.align}, field.text}};
  }
  std::vector<Column> columns = storage_columns(cluster, name);
  if (columns.empty() && !(cluster.has_storage && name == "storage_units")) {
    columns.push_back(
        {{std::string(kUnknown), Align::Left}, [](const Row&) { return std::string(kUnknown); }});
  }
  return columns;
}

}  // namespace

std::vector<std::string> default_node_fields() {
  return {"status", "name", "tmem",  "nmem",  "imem",  "xmem", "fmem", "umem",
          "rmem",   "tdsk", "fdsk",  "tcpu",  "ucpu",  "pcnt", "scnt", "pfmem",
          "pfdsk",  "rcpu", "cload", "mload", "dload", "nload"};
}

std::vector<std::string> node_fields_of(std::optional<std::string_view> value) {
  if (!value || value->empty()) return default_node_fields();
  std::vector<std::string> fields;
  if (value->starts_with('+')) {
    fields = default_node_fields();
    value->remove_prefix(1);
  }
  for (const std::string_view name : split(*value, ',')) fields.emplace_back(name);
  return fields;
}

std::string node_table(const Cluster& cluster, const State& state, std::span<const NodeId> nodes,
                       const std::vector<std::string>& fields, bool with_header) {
  std::vector<Column> columns;
  TextTable table;
  for (const std::string& name : fields) {
    for (Column& column : columns_of(cluster, name)) {
      table.columns.push_back(column.head);
      columns.push_back(std::move(column));
    }
  }
  for (const NodeId id : nodes) {
    const Row row{cluster, id, cluster[id], state[id]};
    std::vector<std::string>& cells = table.rows.emplace_back();
    for (const Column& column : columns) cells.push_back(column.text(row));
  }
  std::string text = table.render();
  if (!with_header) text.erase(0, text.find('\n') + 1);
  return text;
}

std::string node_listing(const Cluster& cluster, const State& state, std::span<const NodeId> nodes,
                         const std::vector<std::string>& fields, std::string_view heading) {
  return fmt::format("\n{}\n{}\n", heading, node_table(cluster, state, nodes, fields));
}

}  // namespace ballast::ganeti::cli
