// SPDX-License-Identifier: BSD-2-Clause
// Tags of the cluster that declare something: misspelt, in the wrong place, or for nothing.
#include "ballast/core/shell.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <optional>

#include "checks.hpp"

namespace ballast::ganeti::doctor {
namespace {

constexpr std::string_view kOwn = "htools:";

struct Role {
  std::string_view prefix;  ///< of the cluster tag
  bool is_for_nodes;        ///< the declared tags stand on nodes, else on instances
};
constexpr std::array kRoles{Role{"htools:iextags:", false}, Role{"htools:desiredlocation:", false},
                            Role{"htools:nlocation:", true}, Role{"htools:migration:", true}};
constexpr std::string_view kAllow = "htools:allowmigration:";

const Role* role_of(std::string_view tag) {
  for (const Role& role : kRoles) {
    if (tag.starts_with(role.prefix)) return &role;
  }
  return nullptr;
}

Finding about(std::string_view code, const std::string& tag) {
  Finding finding;
  finding.severity = Severity::Warning;
  finding.code = code;
  finding.subject.set("tag", tag);
  return finding;
}

/// "htools:migration:" for "htools:migrations:x"; none where nothing is near.
std::optional<std::string_view> meant_by(std::string_view tag) {
  const std::size_t end = tag.find(':', kOwn.size());
  const std::string_view word = end == std::string_view::npos ? tag : tag.substr(0, end + 1);
  static constexpr std::array kKnown{kRoles[0].prefix, kRoles[1].prefix, kRoles[2].prefix,
                                     kRoles[3].prefix, kAllow};
  return nearest(word, kKnown, 3);  // more changes make another word, not a slip
}

void look_at_cluster_tag(const std::string& tag, Findings& findings) {
  if (!tag.starts_with(kOwn) || role_of(tag) != nullptr) return;
  if (tag.starts_with(kAllow)) {
    const std::size_t colons = tag.find("::", kAllow.size());
    if (colons != std::string::npos && tag.find("::", colons + 2) == std::string::npos) return;
    Finding finding = about("tag-malformed", tag);
    finding.text = fmt::format("the cluster tag {} allows nothing: it needs one \"::\"", tag);
    finding.action =
        "write htools:allowmigration:FROM::TO, the tags of the node that is left and of "
        "the node that receives";
    findings.push_back(std::move(finding));
    return;
  }
  Finding finding = about("tag-unknown", tag);
  finding.text = fmt::format("the cluster tag {} means nothing to the tools", tag);
  const auto meant = meant_by(tag);
  finding.action =
      meant ? fmt::format("write {}... if that was meant", *meant) : "correct or remove it";
  findings.push_back(std::move(finding));
}

bool is_carried(const std::vector<std::string>& tags, std::string_view prefix) {
  return std::any_of(tags.begin(), tags.end(),
                     [prefix](const std::string& tag) { return tag.starts_with(prefix); });
}

template <class Tagged>
bool is_carried_by_any(const std::vector<Tagged>& all, std::string_view prefix) {
  return std::any_of(all.begin(), all.end(),
                     [prefix](const Tagged& one) { return is_carried(one.tags, prefix); });
}

/// "lic:oracle" is a tag, not a prefix: the wish can never equal a node's location.
std::string vain_action(const Cluster& cluster, const Role& role, const std::string& prefix,
                        std::string_view who) {
  const std::size_t colon = prefix.find(':');
  const bool is_tag = role.prefix == "htools:desiredlocation:" && colon != std::string::npos &&
                      is_carried_by_any(cluster.nodes, prefix);
  if (!is_tag)
    return fmt::format("give the {}s tags that begin with {}:, or remove the declaration", who,
                       prefix);
  const std::string declared = std::string(role.prefix) + prefix.substr(0, colon);
  return fmt::format(
      "gnt-cluster remove-tags {}, gnt-cluster add-tags {}, and give the instances that belong "
      "there the tag {}",
      shell_operand(std::string(role.prefix) + prefix), shell_operand(declared), prefix);
}

void look_for_carriers(const Cluster& cluster, const std::string& tag, Findings& findings) {
  const Role* role = role_of(tag);
  if (role == nullptr) return;
  const std::string prefix = tag.substr(role->prefix.size());
  if (role->is_for_nodes ? is_carried_by_any(cluster.nodes, prefix + ":")
                         : is_carried_by_any(cluster.instances, prefix))
    return;
  Finding finding = about("tag-declared-in-vain", tag);
  const std::string_view who = role->is_for_nodes ? "node" : "instance";
  finding.text = fmt::format("the cluster tag {} declares tags that no {} carries", tag, who);
  finding.action = vain_action(cluster, *role, prefix, who);
  findings.push_back(std::move(finding));
}

bool is_declared(const Cluster& cluster, std::string_view tag) {
  return std::ranges::find(cluster.tags, tag) != cluster.tags.end();
}

/// What a misplaced tag was meant to say: the cluster declares the prefix, the carrier has the tag.
struct Meaning {
  std::vector<std::string> cluster_tags;
  std::string own_tag;  ///< for the carriers; empty: none
};

Meaning meaning_of(const std::string& tag, std::string_view kind) {
  const Role* role = role_of(tag);
  if (role == nullptr) return {{tag}, ""};
  const std::string value = tag.substr(role->prefix.size());
  const std::size_t colon = value.find(':');
  const bool is_carrier = role->is_for_nodes ? kind == "node" : kind == "instance";
  if (!is_carrier || colon == std::string::npos || colon == 0 || colon + 1 == value.size())
    return {{tag}, ""};
  const std::string prefix = value.substr(0, colon);
  Meaning meaning{{std::string(role->prefix) + prefix}, value};
  // A wish is held against the location tags of nodes, which have to be declared, too.
  if (role->prefix == "htools:desiredlocation:")
    meaning.cluster_tags.push_back("htools:nlocation:" + prefix);
  return meaning;
}

std::string commands_for(const Cluster& cluster, const Meaning& meaning, const std::string& tag,
                         std::string_view kind, const std::vector<std::string>& carriers) {
  std::string text;
  const auto add = [&](const std::string& command) {
    text += (text.empty() ? "" : ", ") + command;
  };
  for (const std::string& one : meaning.cluster_tags) {
    if (!is_declared(cluster, one)) add("gnt-cluster add-tags " + shell_operand(one));
  }
  for (const std::string& name : carriers) {
    if (!meaning.own_tag.empty())
      add(fmt::format("gnt-{} add-tags {} {}", kind, shell_operand(name),
                      shell_operand(meaning.own_tag)));
    add(fmt::format("gnt-{} remove-tags {} {}", kind, shell_operand(name), shell_operand(tag)));
  }
  return text;
}

/// One finding for each tag, with all that carry it.
template <class Tagged>
void look_for_misplaced(const Cluster& cluster, const std::vector<Tagged>& all,
                        std::string_view kind, Findings& findings) {
  std::vector<std::pair<std::string, std::vector<std::string>>> carriers;
  for (const Tagged& one : all) {
    for (const std::string& tag : one.tags) {
      if (role_of(tag) == nullptr && !tag.starts_with(kAllow)) continue;
      auto known = std::ranges::find(carriers, tag, &decltype(carriers)::value_type::first);
      if (known == carriers.end()) {
        carriers.emplace_back(tag, std::vector<std::string>());
        known = carriers.end() - 1;
      }
      known->second.push_back(one.name);
    }
  }
  for (const auto& [tag, names] : carriers) {
    Finding finding = about("tag-misplaced", tag);
    finding.text =
        names.size() == 1
            ? fmt::format("the {} {} carries {}, which only means something on the cluster", kind,
                          names.front(), tag)
            : fmt::format("{} ({}) carry {}, which only means something on the cluster",
                          counted(names.size(), kind), listed(names), tag);
    if (names.size() == 1) {
      finding.subject.set(kind, names.front());
    } else {
      finding.subject.set(std::string(kind) + "s", text_list(names));
    }
    finding.action = commands_for(cluster, meaning_of(tag, kind), tag, kind, names);
    findings.push_back(std::move(finding));
  }
}

}  // namespace

void look_at_tag_declarations(const Patient& patient, Findings& findings) {
  const Cluster& cluster = patient.cluster;
  for (const std::string& tag : cluster.tags) {
    look_at_cluster_tag(tag, findings);
    look_for_carriers(cluster, tag, findings);
  }
  look_for_misplaced(cluster, cluster.groups, "group", findings);
  look_for_misplaced(cluster, cluster.nodes, "node", findings);
  look_for_misplaced(cluster, cluster.instances, "instance", findings);
}

}  // namespace ballast::ganeti::doctor
