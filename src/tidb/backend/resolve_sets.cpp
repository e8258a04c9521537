// SPDX-License-Identifier: BSD-2-Clause
#include "ballast/core/words.hpp"
#include "ballast/doc/merge.hpp"
#include "ballast/kube/object.hpp"
#include "ballast/operators/input/missing.hpp"
#include "ballast/tidb/backend/canonical.hpp"
#include "ballast/tidb/backend/spec_reader.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>

namespace ballast::tidb {

namespace {

using doc::Tree;

std::string metadata(const Tree& object, std::string_view key) {
  return text_of(object.at({"metadata", key}));
}

class Resolver {
 public:
  Resolver(const Documents& side, const SpecOptions& options, Diagnostics& errors,
           std::vector<Remark>& remarks)
      : side_(side), options_(options), errors_(errors), remarks_(remarks) {}

  RawCluster resolve() {
    if (side_.kind == Documents::Kind::Values) {
      result_.form = Form::Values;
      result_.root = &side_.values;
      result_.name = text_of(side_.values.find("clusterName"));
      if (result_.name.empty()) result_.name = options_.cluster;
      result_.ns = options_.ns;
      if (result_.name.empty()) {
        operators::add_missing(errors_,
                               {"E010", "-", "cluster name is not known", ", give --cluster"},
                               side_.values, "clusterName");
      }
      for (const Component c : kComponents) component(c, "");
    } else if (side_.kind == Documents::Kind::Cluster) {
      objects();
    }
    check_name("cluster name", result_.name);
    check_name("namespace", result_.ns);
    return std::move(result_);
  }

 private:
  /// Those of objects are checked while documents are read; here come options and values files.
  void check_name(std::string_view what, const std::string& name) {
    if (name.empty() || kube::is_object_name(name)) return;
    errors_.add("E010", "-",
                fmt::format("{} {}: lower case letters, digits, \"-\" and \".\" were expected",
                            what, quoted(name)));
  }

  void objects() {
    const Tree* main = choose();
    if (main == nullptr) return;
    result_.object = main;
    result_.root = main->find("spec");
    result_.form = Form::Single;
    result_.name = metadata(*main, "name");
    result_.ns = metadata(*main, "namespace");
    if (result_.ns.empty()) result_.ns = options_.ns;
    if (result_.name.empty()) {
      operators::add_missing_at(
          errors_, {"E010", "-", "cluster name is not known", ", metadata.name is missing"}, *main,
          {"metadata", "name"});
    }
    for (const Component c : kComponents) component(c, "spec.");
    for (const Tree& other : side_.objects) {
      if (&other != main && refers_to_main(other)) heterogeneous(other);
    }
  }

  bool refers_to_main(const Tree& object) const {
    return text_of(object.at({"spec", "cluster", "name"})) == result_.name && !result_.name.empty();
  }

  const Tree* choose() {
    std::vector<const Tree*> mains;
    for (const Tree& object : side_.objects) {
      if (!is_asked_for(object)) continue;
      const std::string of = text_of(object.at({"spec", "cluster", "name"}));
      const bool found = std::ranges::any_of(side_.objects, [&](const Tree& other) {
        return !of.empty() && &other != &object && metadata(other, "name") == of;
      });
      if (!found) mains.push_back(&object);
    }
    if (mains.size() == 1) return mains.front();
    errors_.add("E010", "-", mains.empty() ? nothing_asked_for() : "several objects and no --name",
                mains.empty() ? side_.objects.front().place() : mains[1]->place());
    return nullptr;
  }

  bool is_asked_for(const Tree& object) const {
    const std::string ns = metadata(object, "namespace");
    return (options_.object_name.empty() || metadata(object, "name") == options_.object_name) &&
           (options_.ns.empty() || ns.empty() || ns == options_.ns);
  }

  std::string name_hint(const std::string& name) const {
    std::vector<std::string> names;
    for (const Tree& object : side_.objects) names.push_back(metadata(object, "name"));
    return did_you_mean(name, std::vector<std::string_view>(names.begin(), names.end()));
  }

  std::string nothing_asked_for() const {
    const std::string& name = options_.object_name;
    std::string text = "no TidbCluster";
    if (!name.empty()) text += fmt::format(" is called {}", quoted(name));
    if (!options_.ns.empty()) text += fmt::format(" in namespace {}", quoted(options_.ns));
    const auto part = std::ranges::find_if(
        side_.objects, [&](const Tree& object) { return metadata(object, "name") == name; });
    if (part == side_.objects.end()) return text + name_hint(name);
    const std::string whole = text_of(part->at({"spec", "cluster", "name"}));
    return whole.empty() ? text
                         : fmt::format("{} is a part of the cluster {}: give that name",
                                       quoted(name), quoted(whole));
  }

  void component(Component c, const std::string& prefix) {
    const Tree* node = result_.root->find(name_of(c));
    const std::string path = fmt::format("{}{}", prefix, name_of(c));
    const std::string plural = fmt::format("{}s", name_of(c));
    const Tree* more = prefix.empty() ? nullptr : result_.root->find(plural);
    if (node != nullptr && node->is_null()) node = nullptr;
    if (node == nullptr && more == nullptr) return;
    result_.given[index_of(c)] = true;
    names_.clear();
    if (node != nullptr && node->is_list() && !prefix.empty()) {
      result_.form = Form::List;
      list_form(c, *node, path);
    } else if (node != nullptr && node->is_map()) {
      mapping_form(c, *node, path);
    } else if (node != nullptr) {
      errors_.add("E011", path,
                  prefix.empty() ? "must be a mapping" : "must be a mapping or a list",
                  node->place());
    }
    if (more != nullptr) merged_form(c, *more, fmt::format("{}{}", prefix, plural), node);
  }

  /// A mapping, and with it the extra sets that inherit from it.
  void mapping_form(Component c, const Tree& node, const std::string& path) {
    Tree base = node;
    base.erase("extra");
    base.erase("name");
    names_.emplace(kDefaultSet, path);
    result_.sets.push_back({c, std::string(kDefaultSet), path, base, false,
                            side_.kind == Documents::Kind::Values, nullptr, ""});
    const Tree* extra = node.find("extra");
    if (extra == nullptr || extra->is_null()) return;
    const std::string where = path + ".extra";
    if (!extra->is_list()) {
      errors_.add("E011", where, "must be a list", extra->place());
      return;
    }
    for (const char* key : {"mysqlNodePort", "statusNodePort", "loadBalancerIP"}) {
      if (Tree* service = base.find("service"); service != nullptr && service->is_map())
        service->erase(key);
    }
    for (std::size_t i = 0; i < extra->items().size(); ++i) {
      extra_set(c, base, extra->items()[i], fmt::format("{}[{}]", where, i));
    }
  }

  void extra_set(Component c, const Tree& base, const Tree& item, const std::string& path) {
    const auto name = checked_name(item, path, false);
    if (!name) return;
    if (const Tree* inner = item.find("extra")) {
      errors_.add("E012", path, "extra inside extra is not allowed", inner->place());
      return;
    }
    Tree own = item;
    own.erase("name");
    Tree element = doc::merged(base, own);
    // The place of the element itself: what is missing in it is missing there.
    RawSet set{
        c,       *name, path, std::move(element), false, side_.kind == Documents::Kind::Values,
        nullptr, ""};
    set.inherits_replicas = item.find("replicas") == nullptr;
    set.element.set("name", item.find("name") == nullptr ? Tree() : *item.find("name"));
    result_.sets.push_back(std::move(set));
  }

  void list_form(Component c, const Tree& list, const std::string& path) {
    const std::size_t first = result_.sets.size();
    bool has_default = false;
    for (std::size_t i = 0; i < list.items().size(); ++i) {
      const Tree& item = list.items()[i];
      const std::string where = fmt::format("{}[{}]", path, i);
      const auto name = checked_name(item, where, true);
      if (!name) continue;
      if (const Tree* extra = item.find("extra")) {
        errors_.add("E013", where, "`extra` in a list element", extra->place());
        continue;
      }
      has_default = has_default || *name == kDefaultSet;
      result_.sets.push_back({c, *name, where, item, false, true, nullptr, ""});
    }
    if (!has_default && !list.items().empty()) {
      remarks_.push_back(
          {"W-NO-DEFAULT", path, fmt::format("no set of {} is called \"default\"", name_of(c))});
    }
    std::stable_partition(result_.sets.begin() + static_cast<std::ptrdiff_t>(first),
                          result_.sets.end(),
                          [](const RawSet& set) { return set.name == kDefaultSet; });
  }

  void merged_form(Component c, const Tree& more, const std::string& path, const Tree* single) {
    if (single != nullptr && single->is_map() && single->find("extra") != nullptr) {
      errors_.add("E013", path, fmt::format("both `extra` and `{}s`", name_of(c)), more.place());
      return;
    }
    if (!more.is_list()) {
      errors_.add("E011", path, "must be a list", more.place());
      return;
    }
    if (result_.form == Form::Single) result_.form = Form::Merged;
    for (std::size_t i = 0; i < more.items().size(); ++i) {
      const Tree& item = more.items()[i];
      const std::string where = fmt::format("{}[{}]", path, i);
      if (const auto name = checked_name(item, where, false)) {
        result_.sets.push_back({c, *name, where, item, false, true, nullptr, ""});
      }
    }
  }

  void heterogeneous(const Tree& object) {
    result_.form = Form::Hetero;
    const std::string name = metadata(object, "name");
    const Tree* spec = object.find("spec");
    for (const Component c : kComponents) {
      const Tree* node = spec->find(name_of(c));
      if (node == nullptr || node->is_null()) continue;
      const std::string path = fmt::format("spec.{}", name_of(c));
      if (!node->is_map()) {
        errors_.add("E011", path, "must be a mapping", node->place());
        continue;
      }
      result_.given[index_of(c)] = true;
      result_.sets.push_back(
          {c, name, path, *node, false, false, spec, fmt::format("{}-{}", name, name_of(c))});
    }
  }

  std::optional<std::string> checked_name(const Tree& item, const std::string& path,
                                          bool may_be_default) {
    if (!item.is_map()) {
      errors_.add("E011", path, "must be a mapping", item.place());
      return std::nullopt;
    }
    const Tree* node = item.find("name");
    if (node == nullptr || node->is_null()) {
      operators::add_missing(errors_, {"E002", path, "name is missing", ""}, item, "name");
      return std::nullopt;
    }
    const std::string name = text_of(node);
    if (name == kDefaultSet && !may_be_default) {
      errors_.add("E003", path, "the name \"default\" is reserved for the upper-level set",
                  node->place());
      return std::nullopt;
    }
    if (!is_dns_label(name)) {
      errors_.add(
          "E004", path,
          fmt::format("{} is not a valid name (lower case letters, digits and \"-\", at most 63)",
                      quoted(name)),
          node->place());
      return std::nullopt;
    }
    if (name == "peer") {
      errors_.add("E006", path, "the name \"peer\" is reserved", node->place());
      return std::nullopt;
    }
    const auto [other, is_new] = names_.emplace(name, path);
    if (!is_new) {
      errors_.add("E001", path,
                  fmt::format("name {} is already used by {}", quoted(name), other->second),
                  node->place());
      return std::nullopt;
    }
    return name;
  }

  const Documents& side_;
  const SpecOptions& options_;
  Diagnostics& errors_;
  std::vector<Remark>& remarks_;
  RawCluster result_;
  std::map<std::string, std::string> names_;
};

}  // namespace

RawCluster resolve_sets(const Documents& side, const SpecOptions& options, Diagnostics& errors,
                        std::vector<Remark>& remarks) {
  return Resolver(side, options, errors, remarks).resolve();
}

}  // namespace ballast::tidb
