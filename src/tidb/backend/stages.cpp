// SPDX-License-Identifier: BSD-2-Clause
#include "ballast/tidb/backend/stages.hpp"

#include "ballast/tidb/backend/list_form.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>

namespace ballast::tidb {

namespace {

using doc::Tree;
using Key = std::pair<Component, std::string>;

class Stager {
 public:
  Stager(const RawCluster& now, const RawCluster& wished, const Documents& desired)
      : now_(now), wished_(wished), desired_(desired) {
    for (const RawSet& set : now.sets) before_[{set.component, set.name}] = plain(set.element);
    for (const RawSet& set : wished.sets) after_[{set.component, set.name}] = plain(set.element);
  }

  std::vector<Stage> make(const std::vector<Key>& first) {
    const std::vector<Key> order = with_the_rest(first);
    std::vector<Stage> stages;
    for (std::size_t i = 0; i < order.size(); ++i) {
      done_.insert(order[i]);
      Stage stage;
      stage.component = order[i].first;
      stage.set = order[i].second;
      stage.name = fmt::format("{:02}-{}-{}", i + 1, name_of(order[i].first), order[i].second);
      stage.document = i + 1 == order.size() ? whole_desired() : document();
      stages.push_back(std::move(stage));
    }
    return stages;
  }

 private:
  static Tree plain(Tree element) {
    element.erase("name");
    element.erase("extra");
    return element;
  }

  /// Sets that change and that the plan has no step for (it is blocked, or no pod is touched) come
  /// last.
  std::vector<Key> with_the_rest(std::vector<Key> order) const {
    for (const Component c : kComponents) {
      for (const Key& key : keys_of(c)) {
        const auto old = before_.find(key);
        const auto wanted = after_.find(key);
        const bool stays =
            old != before_.end() && wanted != after_.end() && old->second == wanted->second;
        if (!stays && std::ranges::find(order, key) == order.end()) order.push_back(key);
      }
    }
    return order;
  }

  bool is_list() const { return wished_.form == Form::List; }

  Tree whole_desired() const {
    if (desired_.kind == Documents::Kind::Values) return desired_.values;
    Tree object = *wished_.object;
    object.erase("status");
    return object;
  }

  /// The element as it is at this stage; nullptr: it is not there.
  const Tree* at_stage(const Key& key) const {
    const auto& side = done_.contains(key) ? after_ : before_;
    const auto found = side.find(key);
    return found == side.end() ? nullptr : &found->second;
  }

  /// Sets of a component in the order of the desired file, then those that are still to be removed.
  std::vector<Key> keys_of(Component c) const {
    std::vector<Key> keys;
    for (const RawCluster* side : {&wished_, &now_}) {
      for (const RawSet& set : side->sets) {
        const Key key{set.component, set.name};
        if (set.component == c && std::ranges::find(keys, key) == keys.end()) keys.push_back(key);
      }
    }
    return keys;
  }

  Tree with_version(Tree element, const Key& key) const {
    const Tree* old_version = now_.root->find("version");
    const Tree* new_version = wished_.root->find("version");
    const bool differs =
        new_version != nullptr && (old_version == nullptr || !(*old_version == *new_version));
    if (differs && done_.contains(key) && element.find("version") == nullptr)
      element.set("version", *new_version);
    return element;
  }

  Tree list_of(Component c) const {
    Tree list = Tree::list();
    for (const Key& key : keys_of(c)) {
      const Tree* element = at_stage(key);
      if (element == nullptr) continue;
      Tree item = Tree::map();
      item.set("name", Tree::string(key.second));
      const Tree versioned = with_version(*element, key);
      for (const auto& [name, value] : versioned.entries()) item.set(name, value);
      list.items().push_back(std::move(item));
    }
    return list;
  }

  Tree mapping_of(Component c) const {
    const Key first{c, std::string(kDefaultSet)};
    const Tree* element = at_stage(first);
    if (element == nullptr) return {};
    Tree base = with_version(*element, first);
    Tree inherited = base;
    for (const char* key : {"mysqlNodePort", "statusNodePort", "loadBalancerIP"}) {
      if (Tree* service = inherited.find("service"); service != nullptr && service->is_map())
        service->erase(key);
    }
    Tree extra = Tree::list();
    for (const Key& key : keys_of(c)) {
      const Tree* own = at_stage(key);
      if (key == first || own == nullptr) continue;
      Tree item = Tree::map();
      item.set("name", Tree::string(key.second));
      const Tree difference = overlay(inherited, with_version(*own, key));
      for (const auto& [name, value] : difference.entries()) item.set(name, value);
      extra.items().push_back(std::move(item));
    }
    if (!extra.items().empty()) base.set("extra", std::move(extra));
    return base;
  }

  Tree document() const {
    Tree root = *now_.root;
    for (const Component c : kComponents) {
      Tree part = is_list() ? list_of(c) : mapping_of(c);
      const bool empty = part.is_null() || (part.is_list() && part.items().empty());
      if (empty) {
        root.erase(name_of(c));
      } else {
        root.set(name_of(c), std::move(part));
      }
    }
    if (now_.object == nullptr) return root;
    Tree object = *now_.object;
    object.erase("status");
    object.set("spec", std::move(root));
    return object;
  }

  const RawCluster& now_;
  const RawCluster& wished_;
  const Documents& desired_;
  std::map<Key, Tree> before_;
  std::map<Key, Tree> after_;
  std::set<Key> done_;
};

/// A side in list form, so that both sides have one form.
Documents as_list(const Documents& side, const SpecOptions& options, Diagnostics& errors) {
  Documents result;
  result.kind = Documents::Kind::Cluster;
  result.file = side.file;
  result.objects.push_back(list_form(side, options, errors));
  return result;
}

}  // namespace

Tree overlay(const Tree& base, const Tree& wanted) {
  if (!base.is_map() || !wanted.is_map()) return wanted;
  Tree result = Tree::map();
  for (const auto& [key, value] : wanted.entries()) {
    const Tree* old = base.find(key);
    if (old != nullptr && *old == value) continue;
    result.set(key, old == nullptr ? value : overlay(*old, value));
  }
  for (const auto& [key, value] : base.entries()) {
    if (wanted.find(key) == nullptr) result.set(key, Tree::null());
  }
  return result;
}

std::vector<Stage> make_stages(const Documents& current, const Documents& desired,
                               const SpecOptions& options,
                               const std::vector<std::pair<Component, std::string>>& order,
                               Diagnostics& errors) {
  std::vector<Remark> remarks;
  const RawCluster wished = resolve_sets(desired, options, errors, remarks);
  const RawCluster now = resolve_sets(current, options, errors, remarks);
  if (!errors.empty() || order.empty()) return {};
  const auto staged = [](Form form) {
    return form == Form::Values || form == Form::Single || form == Form::List;
  };
  if (!staged(wished.form) || !staged(now.form) || wished.root == nullptr || now.root == nullptr) {
    errors.add("E020", "-",
               "contradicting options: --stages needs values files or TidbClusters in single or "
               "list form on both sides");
    return {};
  }
  if (wished.form == now.form) return Stager(now, wished, desired).make(order);
  const Documents now_list = as_list(current, options, errors);
  const Documents wished_list = as_list(desired, options, errors);
  if (!errors.empty()) return {};
  const RawCluster from = resolve_sets(now_list, options, errors, remarks);
  const RawCluster to = resolve_sets(wished_list, options, errors, remarks);
  return Stager(from, to, wished_list).make(order);
}

}  // namespace ballast::tidb
