// SPDX-License-Identifier: BSD-2-Clause
#include "ballast/tidb/backend/documents.hpp"

#include "ballast/doc/edit.hpp"
#include "ballast/doc/merge.hpp"
#include "ballast/kube/documents.hpp"
#include "ballast/operators/input/missing.hpp"
#include "ballast/tidb/backend/keys.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <string_view>

namespace ballast::tidb {

namespace {

using doc::Tree;

std::string kind_of(const Tree& document) {
  const Tree* kind = document.find("kind");
  return kind == nullptr ? "" : kind->text();
}

bool is_group_kind(std::string_view kind) { return kind == "Cluster" || kind.ends_with("Group"); }

/// A values file of the operator itself has none of the three components.
bool looks_like_values(const Tree& document) {
  static constexpr std::array kTop{"pd", "tikv", "tidb", "clusterName"};
  return std::ranges::any_of(kTop, [&](const char* key) { return document.find(key) != nullptr; });
}

class Reader {
 public:
  explicit Reader(Diagnostics& errors) : errors_(errors) {}

  void read(const SourceText& source) {
    constexpr std::string_view kExpected = "a TidbCluster, groups or a values file was expected";
    auto documents = parse_source(source, kExpected, errors_);
    if (!documents) return;
    const std::vector<Tree> flat = kube::flatten_lists(std::move(*documents));
    if (flat.empty()) unknown(Tree(), source.file, fmt::format("an empty list: {}", kExpected));
    for (const Tree& document : flat) add(document, source.file);
  }

  Documents take() { return std::move(result_); }

 private:
  void add(const Tree& document, const std::string& file) {
    if (result_.file.empty()) result_.file = file;
    if (!document.is_map()) {
      unknown(document, file, "a mapping was expected");
      return;
    }
    const std::string kind = kind_of(document);
    if (kind == "TidbCluster") {
      add_object(document, file, Documents::Kind::Cluster);
    } else if (is_group_kind(kind)) {
      add_object(document, file, Documents::Kind::Groups);
    } else if (document.find("kind") != nullptr) {
      unknown(document, file, fmt::format("unknown kind {}", quoted(kind)));
    } else if (const Tree* spec = document.find("spec")) {
      add_patch(document, *spec, file);
    } else if (looks_like_values(document)) {
      add_values(document, file);
    } else {
      needed_key(document, file);
    }
  }

  /// Whatever the document is, one of some keys is needed.
  void needed_key(const Tree& document, const std::string& file) {
    constexpr std::string_view kSaid = "unknown content";
    for (const std::string_view key : {"kind", "spec", "clusterName", "tikv", "tidb"}) {
      const auto slip = std::ranges::find_if(document.entries(), [&](const auto& entry) {
        return operators::is_slip_for(entry.first, key);
      });
      if (slip == document.entries().end()) continue;
      return operators::add_missing(errors_, {"E015", "-", std::string(kSaid), ""}, document, key);
    }
    unknown(document, file,
            fmt::format("{}: neither TidbCluster, group, `spec` nor pd, tikv, tidb", kSaid));
  }

  void add_object(const Tree& document, const std::string& file, Documents::Kind kind) {
    if (result_.kind != Documents::Kind::None && result_.kind != kind) {
      unknown(document, file, "another kind of file than those before it");
      return;
    }
    check_version(document, kind);
    const Tree* spec = document.find("spec");
    if (spec == nullptr || !spec->is_map()) {
      if (spec == nullptr) {
        operators::add_missing(errors_, {"E015", "-", "spec is missing", ""}, document, "spec");
      } else {
        errors_.add("E015", "spec", "spec must be a mapping", spec->place());
      }
      return;
    }
    result_.kind = kind;
    result_.objects.push_back(document);
  }

  /// What is called the same in another group of the API, or in a version that is not known, is not
  /// what is read here.
  void check_version(const Tree& document, Documents::Kind kind) {
    const Tree* version = document.find("apiVersion");
    const std::string_view expected =
        kind == Documents::Kind::Cluster ? "pingcap.com/v1alpha1" : "core.pingcap.com/v1alpha1";
    if (version == nullptr || version->text() == expected) return;
    errors_.add("E015", "apiVersion",
                fmt::format("{} is not known for a {}: expected {}", quoted(version->text()),
                            kind_of(document), expected),
                version->place());
  }

  void add_patch(const Tree& document, const Tree& spec, const std::string& file) {
    if (!spec.is_map()) {
      unknown(spec, file, "spec must be a mapping");
      return;
    }
    result_.patch = result_.patch ? doc::merged(*result_.patch, document) : document;
  }

  void add_values(const Tree& document, const std::string& file) {
    if (result_.kind != Documents::Kind::None && result_.kind != Documents::Kind::Values) {
      unknown(document, file, "another kind of file than those before it");
      return;
    }
    result_.values =
        result_.kind == Documents::Kind::Values ? doc::merged(result_.values, document) : document;
    result_.kind = Documents::Kind::Values;
  }

  void unknown(const Tree& document, const std::string& file, std::string text) {
    Place place = document.place();
    if (place.file.empty()) place = Place{file, 1, 1};
    errors_.add("E015", "-", std::move(text), std::move(place));
  }

  Diagnostics& errors_;
  Documents result_;
};

/// "tikv[name-1].replicas" -> "tikv[name=name-1].replicas": an element by name, as people write it.
std::string with_names(std::string_view path) {
  std::string result;
  for (std::size_t i = 0; i < path.size(); ++i) {
    result += path[i];
    if (path[i] != '[') continue;
    const std::size_t end = path.find(']', i);
    if (end == std::string_view::npos) continue;
    const std::string_view inside = path.substr(i + 1, end - i - 1);
    const bool number =
        !inside.empty() && inside.find_first_not_of("0123456789") == std::string_view::npos;
    if (!number && inside.find('=') == std::string_view::npos) result += "name=";
  }
  return result;
}

/// Where the first '=' stands that is not inside brackets.
std::size_t end_of_path(std::string_view assignment) {
  bool inside = false;
  for (std::size_t i = 0; i < assignment.size(); ++i) {
    if (assignment[i] == '[') inside = true;
    if (assignment[i] == ']') inside = false;
    if (assignment[i] == '=' && !inside) return i;
  }
  return std::string_view::npos;
}

/// Key names of a path, list indexes left out.
std::vector<std::string> path_keys(std::string_view path) {
  std::vector<std::string> keys(1);
  bool inside = false;
  for (const char c : path) {
    if (c == '[') inside = true;
    if (c == '.' && !inside) keys.emplace_back();
    if (!inside && c != '.') keys.back() += c;
    if (c == ']') inside = false;
  }
  return keys;
}

/// Why the keys cannot exist, with the nearest one that can; empty: they may. Deeper parts are
/// free.
std::string impossible(const std::vector<std::string>& keys, Documents::Kind kind) {
  if (kind == Documents::Kind::Groups) return "";
  const bool values = kind == Documents::Kind::Values;
  const auto refusal = [](const std::optional<std::string>& nearest) {
    return nearest ? fmt::format("path cannot exist; the nearest key is {}", quoted(*nearest))
                   : "path cannot exist";
  };
  if (!is_cluster_key(keys[0], values)) return refusal(nearest_cluster_key(keys[0], values));
  const auto component = component_named(keys[0]);
  if (keys.size() < 2 || !component) return "";
  const std::size_t last = keys[1] == "extra" ? 2 : 1;
  if (keys.size() <= last || is_component_key(keys[last], values, *component)) return "";
  return refusal(nearest_component_key(keys[last], values, *component));
}

Tree* group_of(Documents& side, std::string& path) {
  const std::string name = path.substr(0, path.find('.'));
  for (Tree& object : side.objects) {
    const Tree* own = object.at({"metadata", "name"});
    const Tree* kind = object.find("kind");
    const bool is_group = kind != nullptr && kind->text() != "Cluster";
    if (!is_group || own == nullptr || own->text() != name || name.size() == path.size()) continue;
    path.erase(0, name.size() + 1);
    return object.find("spec");
  }
  return nullptr;
}

/// Where a path begins. In groups its first key is the name of one, whose spec it goes on in; it is
/// cut off. nullptr: there is nothing of that name.
Tree* target_of(Documents& side, const std::string& object_name, std::string& path) {
  if (side.kind == Documents::Kind::Values) return &side.values;
  if (side.kind == Documents::Kind::Groups) return group_of(side, path);
  Tree* part = nullptr;
  for (Tree& object : side.objects) {
    const Tree* name = object.at({"metadata", "name"});
    if (!object_name.empty() && (name == nullptr || name->text() != object_name)) continue;
    // Of several TidbClusters, the one that the others are parts of.
    if (object.at({"spec", "cluster", "name"}) == nullptr) return object.find("spec");
    if (part == nullptr) part = object.find("spec");
  }
  return part;
}

}  // namespace

std::optional<std::vector<Tree>> parse_source(const SourceText& source, std::string_view expected,
                                              Diagnostics& errors) {
  auto documents = kube::parse_documents(source.text, source.file);
  if (!documents) {
    errors.add("E015", "-", "file cannot be parsed: " + documents.error().message,
               documents.error().place);
    return std::nullopt;
  }
  if (documents->empty()) {
    errors.add("E015", "-", fmt::format("file is empty: {}", expected), Place{source.file, 1, 1});
    return std::nullopt;
  }
  return std::move(*documents);
}

Documents read_documents(const std::vector<SourceText>& sources, Diagnostics& errors) {
  Reader reader(errors);
  for (const SourceText& source : sources) reader.read(source);
  return reader.take();
}

Documents with_patch(const Documents& current, const Documents& desired, Diagnostics& errors) {
  if (desired.kind != Documents::Kind::None && !desired.patch) return desired;
  Documents result = desired.kind == Documents::Kind::None ? current : desired;
  if (!desired.patch) return result;
  if (result.kind != Documents::Kind::Cluster || result.objects.empty()) {
    errors.add("E015", "-",
               "a file with `spec` and without `kind` needs a TidbCluster in --current",
               desired.patch->place());
    return result;
  }
  Tree& object = result.objects.front();
  object.set("spec", doc::merged(*object.find("spec"), *desired.patch->find("spec")));
  if (const Tree* metadata = desired.patch->find("metadata");
      metadata != nullptr && metadata->is_map()) {
    const Tree* old = object.find("metadata");
    object.set("metadata", old == nullptr ? *metadata : doc::merged(*old, *metadata));
  }
  return result;
}

void apply_sets(Documents& side, const std::vector<std::string>& assignments,
                const std::string& object_name, Diagnostics& errors) {
  for (const std::string& assignment : assignments) {
    const std::size_t equals = end_of_path(assignment);
    const auto refuse = [&](std::string_view why) {
      errors.add("E019", "-", fmt::format("--set {}: {}", quoted(assignment), why));
    };
    if (equals == std::string::npos || equals == 0) {
      refuse("PATH=VALUE was expected");
      continue;
    }
    std::string path = assignment.substr(0, equals);
    Tree* target = target_of(side, object_name, path);
    if (target == nullptr) {
      refuse(side.kind == Documents::Kind::Groups ? "the name of a group was expected, then its key"
                                                  : "there is nothing to set it in");
      continue;
    }
    if (const std::string why = impossible(path_keys(path), side.kind); !why.empty()) {
      refuse(why);
      continue;
    }
    const auto done = doc::set_path(*target, with_names(path) + assignment.substr(equals));
    if (!done) refuse(done.error().message);
  }
}

}  // namespace ballast::tidb
