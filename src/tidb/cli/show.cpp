// SPDX-License-Identifier: BSD-2-Clause
#include "ballast/tidb/cli/show.hpp"

#include "ballast/core/decimal.hpp"
#include "ballast/core/strings.hpp"
#include "ballast/core/utf8.hpp"
#include "ballast/kube/object.hpp"
#include "ballast/tidb/cli/disagreements.hpp"
#include "ballast/tidb/search/zone.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace ballast::tidb {

namespace {

struct Table {
  std::string name;
  std::vector<std::string> columns;
  std::vector<std::vector<std::string>> rows;
};

std::string or_dash(std::string text) { return text.empty() ? "-" : text; }
std::string number(const std::optional<std::int64_t>& value) {
  return value ? fmt::format("{}", *value) : "-";
}
std::string size(const std::optional<std::int64_t>& value) {
  if (!value) return "-";
  const auto mib = static_cast<double>(*value) / 1048576.0;
  return mib >= 1024 ? fixed(mib / 1024, 1) + " GiB" : fixed(mib, 1) + " MiB";
}
std::string time(const std::optional<Time>& value) {
  return value ? kube::format_time(*value) : "-";
}
std::string yes(bool value) { return value ? "yes" : "no"; }

std::int64_t records(const Input& input, const LiveSet& live) {
  return std::ranges::count_if(live.failures, [&](const Failure& f) {
    return live.component != Component::Pd || input.options.profile == Profile::V10 ||
           f.member_deleted;
  });
}

/// Sets in order: those of the specification, then those that only run.
std::vector<std::pair<Component, std::string>> all_sets(const Input& input) {
  std::vector<std::pair<Component, std::string>> sets;
  for (const Component c : kComponents) {
    for (const SetSpec& set : input.desired.of(c)) sets.emplace_back(c, set.name);
    for (const LiveSet& set : input.live.of(c)) {
      if (input.desired.find(c, set.name) == nullptr) sets.emplace_back(c, set.name);
    }
  }
  return sets;
}

std::string set_of(const Input& input, Component c, const std::string& pod) {
  const auto split = split_pod_name(pod);
  if (!split) return "-";
  for (const LiveSet& set : input.live.of(c)) {
    if (set.statefulset == split->first) return set.name;
  }
  return "-";
}

Table sets_table(const Input& input) {
  Table table{"sets",
              {"COMPONENT", "SET", "STATEFULSET", "REPLICAS", "UPDATED", "PARTITION", "REVISION",
               "IMAGE", "CONFIGMAP"},
              {}};
  for (const auto& [c, name] : all_sets(input)) {
    const SetSpec* spec = input.desired.find(c, name);
    const LiveSet* live = input.live.find(c, name);
    const SetSpec& known = spec != nullptr ? *spec : live->spec;
    std::string replicas =
        spec == nullptr
            ? "0/0"
            : fmt::format("{}/{}", spec->replicas,
                          spec->replicas + (live == nullptr ? 0 : records(input, *live)));
    std::string revision = "-";
    std::string updated = "-";
    std::optional<std::int64_t> partition;
    if (live == nullptr) {
      replicas += "/0/0";
    } else {
      const bool ready_known = input.live.pods_known || live->ready_replicas;
      const auto ready = input.live.pods_known ? std::ranges::count_if(live->pods, &LivePod::ready)
                                               : live->ready_replicas.value_or(0);
      replicas +=
          fmt::format("/{}/{}", live->replicas, ready_known ? fmt::format("{}", ready) : "-");
      updated = live->updated_replicas ? fmt::format("{}", *live->updated_replicas) : "-";
      if (!live->current_revision.empty())
        revision = fmt::format("{} -> {}", live->current_revision, or_dash(live->update_revision));
      partition = live->partition;
    }
    table.rows.push_back({std::string(name_of(c)), name, known.statefulset, replicas, updated,
                          number(partition), revision,
                          or_dash(live == nullptr ? known.image : live->spec.image),
                          or_dash(known.config_map)});
  }
  return table;
}

std::string service_type(const SetSpec& set) {
  const auto type = set.service.find("type");
  if (type == set.service.end()) return "ClusterIP";
  std::string text = type->second;
  if (text.starts_with('s')) text.erase(0, 1);
  std::erase(text, '\'');
  return text;
}

Table services_table(const Input& input) {
  Table table{"services", {"COMPONENT", "SERVICE", "TYPE", "SELECTS", "PODS"}, {}};
  const std::string& cluster = input.desired.name;
  for (const Component c : kComponents) {
    const auto& sets = input.desired.of(c);
    if (sets.empty()) continue;
    const std::string total = fmt::format("{}", total_replicas(sets));
    const std::string component(name_of(c));
    if (c != Component::Tikv)
      table.rows.push_back(
          {component, client_service(cluster, c), service_type(sets.front()), "all", total});
    table.rows.push_back({component, peer_service(cluster, c), "headless", "all", total});
    if (c != Component::Tidb || sets.size() < 2) continue;
    for (const SetSpec& set : sets) {
      table.rows.push_back({component, set_service(cluster, set.name), service_type(set), set.name,
                            fmt::format("{}", set.replicas)});
    }
  }
  return table;
}

std::string zone_of_pod(const ZoneFinder& zones, const LiveSet& set, const LivePod& pod) {
  return or_dash(zones.of_pod(pod.name, set.spec));
}

Table pods_table(const Input& input, const ZoneFinder& zones) {
  Table table{
      "pods",
      {"POD", "SET", "ORDINAL", "NODE", "ZONE", "READY", "REVISION", "CLAIM", "SINCE", "REASON"},
      {}};
  for (const Component c : kComponents) {
    for (const LiveSet& set : input.live.of(c)) {
      for (const LivePod& pod : set.pods) {
        const std::string claim = set.spec.claim_templates.empty()
                                      ? "-"
                                      : claim_name(set.spec.claim_templates.front(), pod.name);
        const bool known = pod.ready_known;
        const std::string revision = set.update_revision.empty() && !pod.updated ? "old"
                                     : pod.updated                               ? "new"
                                                                                 : "old";
        table.rows.push_back({pod.name, set.name, fmt::format("{}", pod.ordinal), or_dash(pod.node),
                              zone_of_pod(zones, set, pod), known ? yes(pod.ready) : "-",
                              pod.revision.empty() && set.update_revision.empty() ? "-" : revision,
                              claim, time(pod.ready ? pod.created : pod.not_ready_since),
                              or_dash(pod.waiting_reason)});
      }
    }
  }
  return table;
}

Table stores_table(const Input& input, const ZoneFinder& zones) {
  Table table{
      "stores",
      {"STORE", "POD", "SET", "STATE", "SINCE", "LEADERS", "REGIONS", "USED", "CAPACITY", "ZONE"},
      {}};
  if (!input.live.stores_known) return table;
  for (const Store& store : input.live.stores) {
    table.rows.push_back({fmt::format("{}", store.id), or_dash(store.pod),
                          store.tiflash ? "tiflash" : set_of(input, Component::Tikv, store.pod),
                          std::string(name_of(store.state)), time(store.since),
                          number(store.leaders), number(store.regions), size(store.used_bytes),
                          size(store.capacity_bytes), or_dash(zones.of_store(store))});
  }
  return table;
}

Table members_table(const Input& input) {
  Table table{"members", {"MEMBER", "ID", "SET", "HEALTHY", "LEADER", "SINCE"}, {}};
  if (!input.live.members_known) return table;
  for (const Member& member : input.live.members) {
    table.rows.push_back({member.name, member.id == 0 ? "-" : fmt::format("{}", member.id),
                          set_of(input, Component::Pd, member.name), yes(member.healthy),
                          input.live.leader.empty() ? "-" : yes(input.live.leader == member.name),
                          time(member.since)});
  }
  return table;
}

Table failures_table(const Input& input) {
  Table table{"failures", {"COMPONENT", "POD", "RECORD", "CREATED", "MEMBER DELETED", "LIMIT"}, {}};
  for (const Component c : kComponents) {
    for (const LiveSet& set : input.live.of(c)) {
      const SetSpec* spec = input.desired.find(c, set.name);
      for (const Failure& failure : set.failures) {
        const std::string kind = c == Component::Pd ? "member" : "store";
        table.rows.push_back(
            {std::string(name_of(c)), failure.pod,
             failure.id == 0 ? "-" : fmt::format("{} {}", kind, failure.id), time(failure.created),
             c == Component::Pd ? yes(failure.member_deleted) : "-",
             fmt::format("{}/{}", set.failures.size(),
                         spec == nullptr ? set.spec.max_failover : spec->max_failover)});
      }
    }
  }
  return table;
}

std::vector<Table> tables(const Input& input) {
  const Capacity capacity(input);
  const ZoneFinder zones(input, capacity);
  return {sets_table(input),          services_table(input), pods_table(input, zones),
          stores_table(input, zones), members_table(input),  failures_table(input)};
}

std::string rendered(const Table& table) {
  std::vector<std::size_t> widths;
  for (std::size_t i = 0; i < table.columns.size(); ++i) {
    std::size_t width = utf8_length(table.columns[i]);
    for (const auto& row : table.rows) width = std::max(width, utf8_length(row[i]));
    widths.push_back(width);
  }
  const auto line = [&](const std::vector<std::string>& cells) {
    std::string text;
    for (std::size_t i = 0; i < cells.size(); ++i) {
      text += i + 1 == cells.size() ? cells[i] : pad_right(cells[i], widths[i]) + "  ";
    }
    return text + "\n";
  };
  std::string text = line(table.columns);
  for (const auto& row : table.rows) text += line(row);
  return text;
}

}  // namespace

std::string show_text(const Input& input) {
  const std::string& ns = input.desired.ns.empty() ? input.live.ns : input.desired.ns;
  std::string text =
      fmt::format("Cluster {}{}, profile {}\n", input.desired.name,
                  ns.empty() ? "" : ", namespace " + ns, name_of(input.options.profile));
  for (const Table& table : tables(input)) {
    if (!table.rows.empty()) text += "\n" + rendered(table);
  }
  const auto findings = disagreements(input);
  if (findings.empty()) return text + "\nNothing disagrees.\n";
  text += "\nDoes not agree:\n";
  for (const std::string& finding : findings) text += "  " + finding + "\n";
  return text;
}

Value show_value(const Input& input) {
  Value document = Value::map();
  document.set("kind", "report")
      .set("format", "ballast-report")
      .set("version", 1)
      .set("tool", "htidb");
  document.set("cluster", input.desired.name).set("profile", name_of(input.options.profile));
  for (const Table& table : tables(input)) {
    Value rows = Value::list();
    for (const auto& row : table.rows) {
      Value entry = Value::map();
      for (std::size_t i = 0; i < row.size(); ++i) {
        std::string key = table.columns[i];
        for (char& c : key)
          c = c == ' ' ? '_' : static_cast<char>(c >= 'A' && c <= 'Z' ? c + 32 : c);
        if (row[i] != "-") entry.set(key, row[i]);
      }
      rows.push(std::move(entry));
    }
    document.set(table.name, std::move(rows));
  }
  Value findings = Value::list();
  for (const std::string& finding : disagreements(input)) findings.push(finding);
  document.set("disagreements", std::move(findings));
  return document;
}

}  // namespace ballast::tidb
