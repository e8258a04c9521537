// SPDX-License-Identifier: BSD-2-Clause
#include "ballast/fdb/backend/load.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <utility>

#include "ballast/core/words.hpp"
#include "ballast/doc/edit.hpp"
#include "ballast/doc/merge.hpp"
#include "ballast/fdb/backend/readers.hpp"
#include "ballast/fdb/model/counts.hpp"
#include "ballast/fdb/model/server_config.hpp"
#include "ballast/kube/documents.hpp"
#include "ballast/kube/object.hpp"

namespace ballast::fdb {
namespace {

using doc::Tree;

constexpr std::string_view kGroup = "apps.foundationdb.org/";
constexpr std::size_t kLongestCommand = 10'000;

class Loader {
 public:
  explicit Loader(const LoadRequest& request) : request_(request) {
    context_ = {&errors_, &result_.snapshot.notes, nullptr, kReadCodes};
  }

  tl::expected<Loaded, std::vector<Diagnostic>> run() {
    auto object = read_current();
    std::vector<Tree> objects;
    for (const std::string& file : request_.kube) append(objects, kube_objects(documents(file)));
    std::optional<Tree> status;
    if (request_.status) {
      auto list = documents(*request_.status);
      if (list.size() == 1) status = std::move(list.front());
      if (list.size() > 1) errors_.add("F001", "", "expected one document", list[1].place());
    }
    if (!errors_.empty()) return tl::unexpected(errors_.told());
    Cluster& cluster = result_.snapshot;
    cluster.now = request_.now.value_or(status ? database_time(*status).value_or(request_.clock)
                                               : request_.clock);
    read_snapshot(*object);
    if (!errors_.empty()) return tl::unexpected(errors_.told());
    read_objects(objects, cluster, context_, request_.has_peers);
    if (status) read_database(*status, cluster, request_.now, context_);
    if (!errors_.empty()) return tl::unexpected(errors_.told());
    settle_configured();
    assume_absent(cluster);
    if (!request_.has_peers) note_foreign(cluster, {});
    read_desired(*object);
    check_commands();
    if (!errors_.empty()) return tl::unexpected(errors_.told());
    result_.objects = std::move(objects);
    if (status) result_.status_document = std::move(*status);
    return std::move(result_);
  }

 private:
  std::vector<Tree> kube_objects(std::vector<Tree> documents) {
    std::vector<Tree> objects = kube::flatten_lists(std::move(documents));
    for (const Tree& object : objects) {
      if (object.is_map() && object.find("kind") == nullptr)
        errors_.add("F003", "kind", "missing: expected a Kubernetes object", object.place());
    }
    return objects;
  }

  static void append(std::vector<Tree>& list, std::vector<Tree> more) {
    for (Tree& node : more) list.push_back(std::move(node));
  }

  std::vector<Tree> documents(const std::string& file) {
    errors_.rank(file);
    auto read = kube::load_documents(file);
    if (!read) {
      Error error = read.error();
      if (error.place.file.empty()) error.place.file = file;
      const bool is_too_much = doc::is_limit_error(error) ||
                               error.message.find("outside of itself") != std::string::npos;
      errors_.add(is_too_much ? "F019" : "F001", "", error.message, error.place);
      return {};
    }
    if (read->empty())
      errors_.add("F001", "", "file is empty: expected YAML or JSON", Place{file, 1, 1});
    return std::move(*read);
  }

  [[nodiscard]] bool is_selected(const Tree& object) const {
    if (!request_.name.empty() && text_at(object, {"metadata", "name"}) != request_.name)
      return false;
    std::string space = text_at(object, {"metadata", "namespace"});
    if (space.empty()) space = "default";
    return request_.name_space.empty() || space == request_.name_space;
  }

  /// The object that is planned, once it is known.
  [[nodiscard]] bool is_own(const Tree& object) const {
    std::string space = text_at(object, {"metadata", "namespace"});
    if (space.empty()) space = "default";
    return text_at(object, {"metadata", "name"}) == own_name_ &&
           space == result_.snapshot.name_space;
  }

  std::optional<Tree> read_current() {
    auto all = documents(request_.current);
    if (!errors_.empty()) return std::nullopt;
    return select(kube::flatten_lists(std::move(all)), request_.current);
  }

  /// The name that --name may have been meant to be.
  [[nodiscard]] std::string name_hint(const std::vector<Tree*>& clusters) const {
    std::vector<std::string> names;
    for (const Tree* cluster : clusters) names.push_back(text_at(*cluster, {"metadata", "name"}));
    return did_you_mean(request_.name, std::vector<std::string_view>(names.begin(), names.end()));
  }

  std::optional<Tree> select(std::vector<Tree> objects, const std::string& file) {
    std::vector<Tree*> clusters;
    std::vector<Tree*> named;
    for (Tree& object : objects) {
      if (text_at(object, {"kind"}) != "FoundationDBCluster") continue;
      clusters.push_back(&object);
      if (is_selected(object)) named.push_back(&object);
    }
    if (clusters.empty()) {
      const bool has_kind = !objects.empty() && objects.front().find("kind") != nullptr;
      const Place place = objects.empty() ? Place{file, 1, 1} : objects.front().place();
      if (objects.size() == 1 && has_kind) {
        errors_.add("F003", "kind",
                    quoted(text_at(objects.front(), {"kind"})) + ": expected FoundationDBCluster",
                    objects.front().find("kind")->place());
      } else {
        errors_.add("F002", "", "no FoundationDBCluster: expected one", place);
      }
      return std::nullopt;
    }
    if (named.size() > 1 && !own_name_.empty()) {
      std::erase_if(named, [&](const Tree* object) { return !is_own(*object); });
    }
    if (named.size() != 1) {
      const Place place = (named.size() > 1 ? named[1] : clusters.front())->place();
      const std::string what = named.empty() ? "no FoundationDBCluster of that name"
                                             : fmt::format("{} FoundationDBClusters", named.size());
      errors_.add("F002", "",
                  what + ": expected one, or --name that selects it" +
                      (named.empty() ? name_hint(clusters) : ""),
                  place);
      return std::nullopt;
    }
    Tree object = std::move(*named.front());
    check_version(object);
    if (const Tree* spec = object.find("spec"); spec == nullptr || !spec->is_map()) {
      errors_.add("F004", "spec", "expected a mapping",
                  spec == nullptr ? object.place() : spec->place());
    }
    if (!errors_.empty()) return std::nullopt;
    return object;
  }

  void check_version(const Tree& object) {
    const std::string version = text_at(object, {"apiVersion"});
    if (version == std::string(kGroup) + "v1beta2" || version == std::string(kGroup) + "v1beta1")
      return;
    const Tree* node = object.find("apiVersion");
    errors_.add("F003", "apiVersion", quoted(version) + ": expected apps.foundationdb.org/v1beta2",
                node == nullptr ? object.place() : node->place());
  }

  void read_snapshot(Tree& object) {
    Cluster& cluster = result_.snapshot;
    cluster.is_v1beta1 = text_at(object, {"apiVersion"}) == std::string(kGroup) + "v1beta1";
    cluster.name = text_at(object, {"metadata", "name"});
    if (cluster.name.empty())
      errors_.add("F004", "metadata.name", "missing: expected the cluster's name", object.place());
    if (const std::string space = text_at(object, {"metadata", "namespace"}); !space.empty())
      cluster.name_space = space;
    own_name_ = cluster.name;
    cluster.uid = text_at(object, {"metadata", "uid"});
    if (const Tree* generation = object.at({"metadata", "generation"}))
      cluster.generation = generation->as_int().value_or(0);
    resolve_aliases(object, context_);
    ReadContext context = context_;
    context.unknown_keys = &unknown_;
    cluster.spec =
        read_spec(object.find("spec"), cluster.name, cluster.is_v1beta1, request_.is_seed, context);
    read_status(object.find("status"), cluster, context_);
    result_.current_spec = *object.find("spec");
    result_.desired_spec = result_.current_spec;
    result_.desired_generation = cluster.generation;
  }

  void settle_configured() {
    Cluster& cluster = result_.snapshot;
    const Database& db = cluster.database;
    if (!cluster.status.is_configured && db.is_given && db.is_available &&
        !db.layers_missing_configuration && !cluster.groups.empty()) {
      cluster.status.is_configured = true;
    }
    if (!cluster.status.running_version.is_known())
      cluster.status.running_version = running_version();
  }

  /// What most processes report, the newer one on a tie.
  [[nodiscard]] Version running_version() const {
    std::map<Version, int> votes;
    for (const ProcessGroup& group : result_.snapshot.groups) {
      for (const Process& process : group.processes) {
        if (const auto version = parse_version(process.version)) ++votes[*version];
      }
    }
    Version best = result_.snapshot.spec.version;
    int most = 0;
    for (const auto& [version, count] : votes) {
      if (count >= most) best = version, most = count;
    }
    return best;
  }

  void read_desired(const Tree& object) {
    Cluster& cluster = result_.snapshot;
    result_.desired = cluster.spec;
    if (!request_.desired && request_.sets.empty()) return;
    result_.has_wish = true;
    Tree spec = *object.find("spec");
    if (request_.desired) {
      auto wish = read_wish(spec, *request_.desired);
      if (!wish) return;
      spec = std::move(*wish);
    }
    Tree holder = Tree::map({{"spec", std::move(spec)}});
    for (const std::string& assignment : request_.sets) apply(holder, assignment);
    if (!errors_.empty()) return;
    ReadContext context = context_;
    Diagnostics found;
    std::vector<Remark> notes;
    std::vector<UnknownKey> unknown;
    context.errors = &found;
    context.notes = &notes;
    context.unknown_keys = &unknown;
    result_.desired_spec = *holder.find("spec");
    result_.desired = read_spec(&result_.desired_spec, cluster.name, cluster.is_v1beta1,
                                request_.is_seed, context);
    for (const Diagnostic& error : found.sorted()) blame(error);
    for (const UnknownKey& key : unknown) {
      const bool is_new =
          std::ranges::find(unknown_, key.path, &UnknownKey::path) == unknown_.end();
      if (is_new) refuse_path(key);
    }
    for (Remark& note : notes) {
      const bool known = std::any_of(cluster.notes.begin(), cluster.notes.end(),
                                     [&](const Remark& r) { return r.text == note.text; });
      if (!known) cluster.notes.push_back(std::move(note));
    }
  }

  /// The last --set that reaches `path`, as it was given; null where none does.
  [[nodiscard]] const std::string* set_behind(const std::string& path) const {
    for (std::size_t i = set_paths_.size(); i-- > 0;) {
      const std::string& own = set_paths_[i];
      const bool is_below =
          path.rfind(own, 0) == 0 &&
          (path.size() == own.size() || path[own.size()] == '.' || path[own.size()] == '[');
      if (is_below || own.rfind(path + ".", 0) == 0 || own.rfind(path + "[", 0) == 0)
        return &request_.sets[i];
    }
    return nullptr;
  }

  /// What a --set made wrong is told of the --set, not of the file that it changed.
  void blame(const Diagnostic& error) {
    if (const std::string* assignment = set_behind(error.path)) {
      errors_.add(error.code, error.path,
                  fmt::format("--set {}: {}", quoted(*assignment), error.message));
    } else {
      errors_.add(error.code, error.path, error.message, error.place);
    }
  }

  void refuse_path(const UnknownKey& key) {
    const std::string* assignment = set_behind(key.path);
    if (assignment == nullptr) return;
    errors_.add(
        "F018", "",
        fmt::format("--set {}: path cannot exist{}", quoted(*assignment),
                    key.nearest.empty() ? "" : "; the nearest key is " + quoted(key.nearest)));
  }

  std::optional<Tree> read_wish(const Tree& current, const std::string& file) {
    auto all = documents(file);
    if (!errors_.empty()) return std::nullopt;
    auto objects = kube::flatten_lists(std::move(all));
    const bool has_kind = std::any_of(objects.begin(), objects.end(),
                                      [](const Tree& o) { return o.find("kind") != nullptr; });
    if (has_kind) {
      if (request_.has_peers && std::ranges::none_of(objects, [&](const Tree& o) {
            return text_at(o, {"kind"}) == "FoundationDBCluster" && is_own(o);
          }))
        return current;
      auto object = select(std::move(objects), file);
      if (!object) return std::nullopt;
      resolve_aliases(*object, context_);
      if (const Tree* generation = object->at({"metadata", "generation"})) {
        result_.desired_generation = generation->as_int().value_or(result_.desired_generation);
      }
      return *object->find("spec");
    }
    if (objects.size() != 1 || !objects.front().is_map()) {
      errors_.add("F004", "",
                  "expected one mapping: a FoundationDBCluster, a spec, or a patch below spec",
                  objects.empty() ? Place{file, 1, 1} : objects.back().place());
      return std::nullopt;
    }
    Tree& document = objects.front();
    if (const Tree* patch = document.find("spec")) {
      Tree wrapped = Tree::map({{"spec", *patch}});
      if (!patch->is_map()) {
        errors_.add("F004", "spec", "expected a mapping", patch->place());
        return std::nullopt;
      }
      resolve_aliases(wrapped, context_);
      return doc::merged(current, *wrapped.find("spec"));
    }
    Tree wrapped = Tree::map({{"spec", std::move(document)}});
    resolve_aliases(wrapped, context_);
    return *wrapped.find("spec");
  }

  void apply(Tree& holder, std::string assignment) {
    static constexpr std::array<std::pair<std::string_view, std::string_view>, 6> kOlder = {
        {{"storageServersPerDisk", "storageServersPerPod"},
         {"storageServerPerDisk", "storageServersPerPod"},
         {"instancesToRemoveWithoutExclusion", "processGroupsToRemoveWithoutExclusion"},
         {"instancesToRemove", "processGroupsToRemove"},
         {"instanceIDPrefix", "processGroupIDPrefix"},
         {"distributionConfig", "faultDomain.distribution"}}};
    const std::string given = quoted(assignment);
    const std::string path = assignment.substr(0, assignment.find_first_of("=.["));
    for (const auto& [older, newer] : kOlder) {
      if (path == older) assignment = std::string(newer) + assignment.substr(older.size());
    }
    set_paths_.push_back("spec." + assignment.substr(0, assignment.find('=')));
    const Status status = doc::set_path_below(holder, {"spec"}, assignment);
    if (status) return;
    const std::string& message = status.error().message;
    const bool names_it = message.rfind(given + ":", 0) == 0;
    errors_.add("F018", "",
                "--set " + (names_it ? message : fmt::format("{}: {}", given, message)));
  }

  void check_commands() {
    const Cluster& cluster = result_.snapshot;
    const CommandInputs inputs{&result_.desired, &cluster.status, &cluster.name,
                               &cluster.name_space};
    const PerClass<int> wanted = wanted_pods(result_.desired);
    for (std::size_t i = 0; i < kClassCount; ++i) {
      if (wanted[i] <= 0) continue;
      const ProcessClass c = class_at(i);
      const auto length =
          command_signature(inputs, c, result_.desired.image_type, result_.desired.density(c))
              .size();
      if (length <= kLongestCommand) continue;
      errors_.add("F013", fmt::format("spec.processes.{}.customParameters", name(c)),
                  fmt::format("the start command has {} characters: expected at most {}", length,
                              kLongestCommand));
      return;
    }
  }

  const LoadRequest& request_;
  Diagnostics errors_;
  ReadContext context_;
  Loaded result_;
  std::string own_name_;
  std::vector<UnknownKey> unknown_;     ///< of the snapshot's spec
  std::vector<std::string> set_paths_;  ///< of the assignments, under the names of today
};

}  // namespace

tl::expected<Loaded, std::vector<Diagnostic>> load(const LoadRequest& request) {
  return Loader(request).run();
}

}  // namespace ballast::fdb
