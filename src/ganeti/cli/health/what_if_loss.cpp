// SPDX-License-Identifier: BSD-2-Clause
#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "ballast/core/error.hpp"
#include "ballast/core/listed.hpp"
#include "ballast/core/result.hpp"
#include "ballast/ganeti/cli/health/what_if_report.hpp"
#include "ballast/ganeti/model/group_name.hpp"
#include "ballast/ganeti/model/ids_of.hpp"
#include "ballast/ganeti/model/near_name.hpp"
#include "ballast/ganeti/model/snapshot.hpp"
#include "ballast/ganeti/model/units_of.hpp"

namespace ballast::ganeti::cli {
namespace {

template <class Named>
std::string names_of(const std::vector<Named>& all) {
  std::vector<std::string> names;
  for (const Named& one : all) names.push_back(one.name);
  return listed(names, 10);
}

Status add_node(const Cluster& cluster, std::string_view name, Loss& loss) {
  const auto index = resolve_name(cluster.nodes, name);
  if (!index) {
    return fail(fmt::format("{}: no node of that name, or several{}; there are {}", quoted(name),
                            near_name(name, cluster.nodes), names_of(cluster.nodes)));
  }
  loss.nodes.emplace_back(*index);
  return {};
}

Status add_group(const Cluster& cluster, std::string_view name, Loss& loss) {
  const auto group = std::find_if(cluster.groups.begin(), cluster.groups.end(),
                                  [&](const Group& g) { return is_called(g, name); });
  if (group == cluster.groups.end()) {
    return fail(fmt::format("{}: no such node group{}; there are {}", quoted(name),
                            near_name(name, cluster.groups), names_of(cluster.groups)));
  }
  const GroupId id(static_cast<std::size_t>(group - cluster.groups.begin()));
  for (const NodeId node : node_ids(cluster)) {
    if (cluster[node].group == id) loss.nodes.push_back(node);
  }
  return {};
}

/// All nodes with that tag; tags of declared locations where there are any of that name.
Status add_location(const Cluster& cluster, std::string_view tag, Loss& loss) {
  const std::size_t before = loss.nodes.size();
  std::vector<std::string> known;
  for (const NodeId id : node_ids(cluster)) {
    const Node& node = cluster[id];
    if (std::find(node.tags.begin(), node.tags.end(), tag) != node.tags.end())
      loss.nodes.push_back(id);
    for (const TagId location : node.location_tags) {
      const std::string& text = cluster.symbols[location.index()];
      if (std::find(known.begin(), known.end(), text) == known.end()) known.push_back(text);
    }
  }
  if (loss.nodes.size() > before) return {};
  std::sort(known.begin(), known.end());
  return fail(fmt::format("{}: no node has that tag; {}", quoted(tag),
                          known.empty() ? std::string("no location is declared")
                                        : "locations are " + listed(known, 10)));
}

std::optional<StorageKeyId> find_unit(const Cluster& cluster, std::string_view text) {
  const std::size_t slash = text.find('/');
  if (slash == std::string_view::npos) return std::nullopt;
  const StorageKey wanted{canonical_storage_type(text.substr(0, slash)),
                          std::string(text.substr(slash + 1))};
  for (std::size_t k = 0; k < cluster.storage_keys.size(); ++k) {
    if (cluster.storage_keys[k] == wanted) return StorageKeyId(k);
  }
  return std::nullopt;
}

bool has_unit(const Node& node, StorageKeyId unit) { return find_unit(node, unit) != nullptr; }

std::string unit_names(const Cluster& cluster) {
  std::string names;
  for (const StorageKey& key : cluster.storage_keys)
    names += (names.empty() ? "" : ", ") + to_string(key);
  return names;
}

Status add_unit(const Cluster& cluster, std::string_view text, Loss& loss) {
  if (!cluster.has_storage)
    return fail(fmt::format("{}: the snapshot has no storage units", quoted(text)));
  // A key may hold "@", so the whole text is tried first.
  if (const auto unit = find_unit(cluster, text)) {
    loss.units.push_back({*unit, NodeId()});
    return {};
  }
  const std::size_t at = text.rfind('@');
  const auto unit =
      at == std::string_view::npos ? std::nullopt : find_unit(cluster, text.substr(0, at));
  if (!unit) {
    return fail(fmt::format("{}: expected TYPE/KEY or TYPE/KEY@NODE; there are {}", quoted(text),
                            unit_names(cluster)));
  }
  const std::string_view name = text.substr(at + 1);
  const auto node = resolve_name(cluster.nodes, name);
  if (!node || !has_unit(cluster.nodes[*node], *unit))
    return fail(
        fmt::format("{}: node {} has no unit {}", quoted(text), name, to_string(cluster[*unit])));
  loss.units.push_back({*unit, NodeId(*node)});
  return {};
}

}  // namespace

Result<Loss> read_loss(const Cluster& cluster, const std::vector<std::string>& texts) {
  Loss loss;
  for (const std::string& text : texts) {
    const std::size_t equals = text.find('=');
    const std::string_view kind = std::string_view(text).substr(0, equals);
    const std::string_view name =
        equals == std::string::npos ? "" : std::string_view(text).substr(equals + 1);
    Status added;
    if (kind == "node") {
      added = add_node(cluster, name, loss);
    } else if (kind == "group") {
      added = add_group(cluster, name, loss);
    } else if (kind == "location") {
      added = add_location(cluster, name, loss);
    } else if (kind == "unit") {
      added = add_unit(cluster, name, loss);
    } else {
      return fail(
          Error{fmt::format("option --what-if: {}: expected node=NAME, group=NAME, location=TAG, "
                            "unit=TYPE/KEY or unit=TYPE/KEY@NODE, or each, most, leave=N or "
                            "tier=NAMES:TYPE/KEY alone",
                            quoted(text)),
                {},
                Fault::Usage});
    }
    if (!added) return fail("option --what-if: " + added.error().message);
  }
  std::sort(loss.nodes.begin(), loss.nodes.end());
  loss.nodes.erase(std::unique(loss.nodes.begin(), loss.nodes.end()), loss.nodes.end());
  return loss;
}

}  // namespace ballast::ganeti::cli
