// SPDX-License-Identifier: BSD-2-Clause
// Which tags mean something is said by tags of the cluster.
#include <algorithm>
#include <string_view>
#include <utility>

#include "steps.hpp"

namespace ballast::ganeti {
namespace {

using Texts = std::vector<std::string>;
using Views = std::vector<std::string_view>;

struct TagRules {
  Texts exclusion_prefixes;
  Texts desired_prefixes;
  Texts location_prefixes;
  Texts migration_prefixes;
  std::vector<std::pair<std::string, std::string>>
      allowed_migrations;  ///< (needed tag, tag that may receive it)
};

/// What follows `prefix`, where there is something.
std::optional<std::string> rest_after(std::string_view tag, std::string_view prefix) {
  if (!tag.starts_with(prefix) || tag.size() == prefix.size()) return std::nullopt;
  return std::string(tag.substr(prefix.size()));
}

void add_allowed_migration(TagRules& rules, std::string_view text) {
  const std::size_t at = text.find("::");
  if (at == std::string_view::npos) return;
  const std::string_view receiver = text.substr(at + 2);
  if (receiver.find("::") != std::string_view::npos) return;
  rules.allowed_migrations.emplace_back(text.substr(0, at), receiver);
}

TagRules rules_of(const Texts& cluster_tags, const Texts& exclusion_prefixes) {
  constexpr std::string_view kLocation = "htools:nlocation:";
  constexpr std::string_view kMigration = "htools:migration:";
  constexpr std::string_view kAllow = "htools:allowmigration:";
  TagRules rules;
  for (const std::string& prefix : exclusion_prefixes)
    rules.exclusion_prefixes.push_back(prefix + ":");
  for (const std::string_view tag : cluster_tags) {
    if (auto rest = rest_after(tag, "htools:iextags:")) rules.exclusion_prefixes.push_back(*rest);
    if (auto rest = rest_after(tag, "htools:desiredlocation:"))
      rules.desired_prefixes.push_back(*rest);
    if (tag.starts_with(kLocation))
      rules.location_prefixes.push_back(std::string(tag.substr(kLocation.size())) + ":");
    if (tag.starts_with(kMigration)) {
      rules.migration_prefixes.push_back(std::string(tag.substr(kMigration.size())) + ":");
    }
    if (tag.starts_with(kAllow)) add_allowed_migration(rules, tag.substr(kAllow.size()));
  }
  return rules;
}

bool starts_with_any(std::string_view tag, const Texts& prefixes) {
  return std::any_of(prefixes.begin(), prefixes.end(),
                     [&](const std::string& prefix) { return tag.starts_with(prefix); });
}

Views matching(const Texts& tags, const Texts& prefixes) {
  Views result;
  if (prefixes.empty()) return result;
  for (const std::string& tag : tags) {
    if (starts_with_any(tag, prefixes)) result.emplace_back(tag);
  }
  return result;
}

Views receivable(const Views& migration_tags, const TagRules& rules) {
  Views result = migration_tags;
  for (const auto& [needed, receiver] : rules.allowed_migrations) {
    if (std::find(migration_tags.begin(), migration_tags.end(), receiver) != migration_tags.end()) {
      result.emplace_back(needed);
    }
  }
  return result;
}

class Symbols {
 public:
  explicit Symbols(Views texts) : texts_(std::move(texts)) {
    std::sort(texts_.begin(), texts_.end());
    texts_.erase(std::unique(texts_.begin(), texts_.end()), texts_.end());
  }

  [[nodiscard]] TagId operator[](std::string_view text) const {
    const auto place = std::lower_bound(texts_.begin(), texts_.end(), text);
    return TagId(static_cast<std::size_t>(place - texts_.begin()));
  }

  [[nodiscard]] std::vector<TagId> list(const Views& texts) const {
    std::vector<TagId> ids;
    ids.reserve(texts.size());
    for (const std::string_view text : texts) ids.push_back((*this)[text]);
    return ids;
  }

  [[nodiscard]] std::vector<TagId> set(const Views& texts) const {
    std::vector<TagId> ids = list(texts);
    std::sort(ids.begin(), ids.end());
    ids.erase(std::unique(ids.begin(), ids.end()), ids.end());
    return ids;
  }

  [[nodiscard]] Texts texts() const { return {texts_.begin(), texts_.end()}; }

 private:
  Views texts_;
};

/// Order is kept: both tables are sorted by the texts.
void renumber(State& state, const Texts& old, const Symbols& symbols) {
  if (old.empty()) return;
  const auto renew = [&](TagId& id) { id = symbols[old[id.index()]]; };
  for (NodeState& node : state.nodes) {
    for (auto& [tag, count] : node.primary_tags) renew(tag);
    for (auto& [key, count] : node.location_exclusions) {
      renew(key.first);
      renew(key.second);
    }
  }
}

struct InstanceTags {
  Views exclusion;
  Views desired;
};
struct NodeTags {
  Views location;
  Views migration;
  Views receivable;
};

void append(Views& all, const Views& more) { all.insert(all.end(), more.begin(), more.end()); }

}  // namespace

void set_tags(Snapshot& snapshot, const std::vector<std::string>& exclusion_prefixes) {
  Cluster& cluster = snapshot.cluster;
  const TagRules rules = rules_of(cluster.tags, exclusion_prefixes);
  std::vector<InstanceTags> of_instance(cluster.instances.size());
  std::vector<NodeTags> of_node(cluster.nodes.size());
  Views all(cluster.symbols.begin(), cluster.symbols.end());
  for (std::size_t i = 0; i < of_instance.size(); ++i) {
    const Texts& tags = cluster.instances[i].tags;
    of_instance[i] = {matching(tags, rules.exclusion_prefixes),
                      matching(tags, rules.desired_prefixes)};
    append(all, of_instance[i].exclusion);
    append(all, of_instance[i].desired);
  }
  for (std::size_t i = 0; i < of_node.size(); ++i) {
    const Texts& tags = cluster.nodes[i].tags;
    const Views migration = matching(tags, rules.migration_prefixes);
    of_node[i] = {matching(tags, rules.location_prefixes), migration, receivable(migration, rules)};
    append(all, of_node[i].location);
    append(all, of_node[i].receivable);
  }
  const Symbols symbols(std::move(all));
  for (std::size_t i = 0; i < of_instance.size(); ++i) {
    cluster.instances[i].exclusion_tags = symbols.list(of_instance[i].exclusion);
    cluster.instances[i].desired_locations = symbols.set(of_instance[i].desired);
  }
  for (std::size_t i = 0; i < of_node.size(); ++i) {
    cluster.nodes[i].location_tags = symbols.set(of_node[i].location);
    cluster.nodes[i].migration_tags = symbols.set(of_node[i].migration);
    cluster.nodes[i].receivable_tags = symbols.set(of_node[i].receivable);
  }
  renumber(snapshot.state, cluster.symbols, symbols);
  Texts texts = symbols.texts();
  cluster.symbols = std::move(texts);
}

void set_request_tags(const Cluster& cluster, Instance& instance) {
  const TagRules rules = rules_of(cluster.tags, {});
  const auto known = [&](const Views& texts) {
    std::vector<TagId> ids;
    for (const std::string_view text : texts) {
      const auto place = std::lower_bound(cluster.symbols.begin(), cluster.symbols.end(), text);
      if (place != cluster.symbols.end() && *place == text) {
        ids.emplace_back(static_cast<std::size_t>(place - cluster.symbols.begin()));
      }
    }
    return ids;
  };
  instance.exclusion_tags = known(matching(instance.tags, rules.exclusion_prefixes));
  instance.desired_locations = known(matching(instance.tags, rules.desired_prefixes));
  std::sort(instance.desired_locations.begin(), instance.desired_locations.end());
  const auto last =
      std::unique(instance.desired_locations.begin(), instance.desired_locations.end());
  instance.desired_locations.erase(last, instance.desired_locations.end());
}

}  // namespace ballast::ganeti
