// SPDX-License-Identifier: BSD-2-Clause
#include "ballast/core/file.hpp"
#include "ballast/ganeti/cli/balance/report.hpp"
#include "ballast/ganeti/cli/delivery/document_delivery.hpp"
#include "ballast/ganeti/cli/delivery/plan_delivery.hpp"
#include "ballast/ganeti/model/fingerprint.hpp"
#include "ballast/ganeti/model/group_name.hpp"
#include "ballast/ganeti/model/near_name.hpp"
#include "ballast/ganeti/report/explain/place.hpp"
#include "ballast/report/document.hpp"
#include "ballast/report/plan_json.hpp"
#include "explanation_page.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace ballast::ganeti::cli {
namespace {

std::string document(const Cluster& cluster, const Explanation& explanation) {
  Value value = Value::map();
  value.set("kind", "explain");
  value.set("format", "ballast-explain");
  value.set("version", 1);
  value.set("tool", "hbal");
  const Value facts = explanation_value(cluster, explanation);
  if (const auto* map = facts.get<ValueMap>()) {
    for (const auto& [key, fact] : *map) value.set(key, fact);
  }
  return report::value_to_json(value);
}

}  // namespace

namespace {

/// "node=NAME", or a name that no instance has.
std::optional<NodeId> named_node(const Cluster& cluster, const Part& part, std::string_view text) {
  constexpr std::string_view kKind = "node=";
  if (text.starts_with(kKind)) text.remove_prefix(kKind.size());
  const auto index = resolve_name(cluster.nodes, text);
  if (!index || std::ranges::find(part.nodes, NodeId(*index)) == part.nodes.end())
    return std::nullopt;
  return NodeId(*index);
}

/// "group", "group=NAME" or the name alone: the group that is looked at.
bool is_group(const Cluster& cluster, const Part& part, std::string_view text) {
  constexpr std::string_view kKind = "group=";
  if (text == "group") return true;
  if (text.starts_with(kKind)) text.remove_prefix(kKind.size());
  return is_called(cluster[part.group], text);
}

report::Document started_document(const Snapshot& snapshot, const Settings& settings) {
  report::Document document;
  document.tool = "hbal";
  document.options = shaping_options(settings);
  document.fingerprint = fingerprint(snapshot.cluster, snapshot.state);
  return document;
}

OrExit<void> say_place(const Snapshot& snapshot, const Settings& settings, const std::string& kind,
                       const std::string& name, const std::string& text,
                       const std::vector<InstanceAtPlace>& all, Output& output) {
  output.say(text);
  report::Document document = started_document(snapshot, settings);
  document.summary.set(kind, name).set("instances", all.size());
  document.tables.push_back(
      {"instances", place_columns(), place_rows(snapshot.cluster, snapshot.state, all)});
  const auto page = [&] {
    report::DocumentPage told;
    told.headline = kind == "node" ? "What keeps " + name + " from being emptied"
                                   : "What bars a better balance of group " + name;
    told.nodes = nodes_at_a_glance(snapshot, snapshot.cluster, snapshot.state);
    return told;
  };
  return deliver_document(document, page, settings.output, output);
}

/// None: the text names no node and no group.
std::optional<OrExit<void>> explain_place(const Snapshot& snapshot, const Part& part,
                                          const Settings& settings, const std::string& text,
                                          Output& output) {
  constexpr std::size_t kMost = 10;
  const Cluster& cluster = snapshot.cluster;
  const State& state = snapshot.state;
  if (const auto node = named_node(cluster, part, text)) {
    const auto all = explain_node(cluster, state, part, settings.balance, *node);
    return say_place(snapshot, settings, "node", cluster[*node].name,
                     node_explanation_text(cluster, state, *node, all), all, output);
  }
  if (!is_group(cluster, part, text)) return std::nullopt;
  const auto all = explain_group(cluster, state, part, settings.balance, kMost);
  return say_place(snapshot, settings, "group", cluster[part.group].name,
                   group_explanation_text(cluster, state, part, all), all, output);
}

}  // namespace

OrExit<void> explain_instance(const Snapshot& snapshot, const Part& part, const Settings& settings,
                              Output& output) {
  const std::string& text = *settings.tool.explained_instance;
  const auto index = resolve_name(snapshot.cluster.instances, text);
  const bool is_there =
      index && std::ranges::find(part.instances, InstanceId(*index)) != part.instances.end();
  if (!is_there) {
    if (auto told = explain_place(snapshot, part, settings, text, output)) return *told;
    std::string hint = near_name(text, snapshot.cluster.instances);
    if (hint.empty() && !index) hint = near_name(text, snapshot.cluster.nodes);
    return tl::unexpected(output.fail_at(
        Error{fmt::format(
                  "option --explain: {}: no such instance, and no node of that name, in group {}{}",
                  quoted(text), snapshot.cluster[part.group].name, hint),
              {},
              Fault::Input}));
  }
  const Explanation explanation =
      explain(snapshot.cluster, snapshot.state, part, settings.balance, InstanceId(*index));
  output.say(explanation_text(snapshot.cluster, explanation));
  OutputSettings how = settings.output;
  if (output.json()) {
    output.document(document(snapshot.cluster, explanation));
    how.format = ballast::cli::PlanFormat::Text;
  }
  return deliver_document(
      explanation_document(started_document(snapshot, settings), snapshot.cluster, explanation),
      [&] { return explanation_page(snapshot, explanation); }, how, output);
}

}  // namespace ballast::ganeti::cli
