// SPDX-License-Identifier: BSD-2-Clause
// Rules that tags ask for. On the cluster or a group: ballast:pin:P, ballast:apart:P and
// ballast:together:P make each instance tag that begins with "P:" a rule. On an instance: the text
// after ballast:apart: or ballast:together: names its set, that after ballast:pin: the nodes.
#include <algorithm>
#include <array>
#include <string_view>

#include "ballast/ganeti/rules/placement_rules.hpp"

namespace ballast::ganeti {
namespace {

struct TagKind {
  std::string_view prefix;
  RuleKind kind;
};
constexpr std::array kTagKinds{TagKind{"ballast:pin:", RuleKind::Pin},
                               TagKind{"ballast:apart:", RuleKind::Apart},
                               TagKind{"ballast:together:", RuleKind::Together}};

void add_rules_of(const std::vector<std::string>& tags, const std::string& group,
                  std::vector<RuleSpec>& specs) {
  for (const std::string_view tag : tags) {
    for (const TagKind& kind : kTagKinds) {
      if (!tag.starts_with(kind.prefix) || tag.size() == kind.prefix.size()) continue;
      RuleSpec spec;
      spec.kind = kind.kind;
      spec.name = tag;
      spec.tag_prefix = std::string(tag.substr(kind.prefix.size())) + ":";
      spec.group = group;
      specs.push_back(std::move(spec));
    }
  }
}

}  // namespace

std::vector<RuleSpec> rules_of_tags(const Cluster& cluster, Newcomers newcomers) {
  std::vector<RuleSpec> specs;
  add_rules_of(cluster.tags, "", specs);
  for (const Group& group : cluster.groups) add_rules_of(group.tags, group.name, specs);
  for (const TagKind& kind : kTagKinds) {
    const auto uses = [&](const Instance& instance) {
      return std::ranges::any_of(
          instance.tags, [&](const std::string& tag) { return tag.starts_with(kind.prefix); });
    };
    if (std::ranges::none_of(cluster.instances, uses) &&
        std::ranges::none_of(newcomers, [&](const Instance* one) { return uses(*one); }))
      continue;
    RuleSpec spec;
    spec.kind = kind.kind;
    spec.name = kind.prefix.substr(0, kind.prefix.size() - 1);
    spec.tag_prefix = kind.prefix;
    specs.push_back(std::move(spec));
  }
  return specs;
}

}  // namespace ballast::ganeti
