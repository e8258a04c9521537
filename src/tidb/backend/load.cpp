// SPDX-License-Identifier: BSD-2-Clause
#include "ballast/tidb/backend/load.hpp"

#include "ballast/core/strings.hpp"
#include "ballast/core/words.hpp"
#include "ballast/tidb/backend/keys.hpp"
#include "ballast/tidb/backend/spec_reader.hpp"
#include "live_builder.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace ballast::tidb {

namespace {

class Loader {
 public:
  Loader(const LoadRequest& request, bool is_way_back)
      : request_(request), is_way_back_(is_way_back) {}

  tl::expected<Loaded, std::vector<Diagnostic>> load() {
    rank();
    specifications();
    LiveSources sources = sources_;
    sources.status = read_status(result_.current_documents, errors_);
    sources.pd = read_pd(request_.pd, errors_);
    for (const SourceText& source : request_.nodes) read_nodes(source, sources.infra, errors_);
    for (const SourceText& source : request_.volumes) read_volumes(source, sources.infra, errors_);
    orders();
    if (is_way_back_) turn_round(sources);
    if (!errors_.empty()) return tl::unexpected(errors_.told());
    sources.current = result_.current ? &*result_.current : nullptr;
    sources.desired = &result_.desired;
    sources.style = result_.style;
    sources.failure_needs_deletion = result_.profile != Profile::V10;
    result_.live = build_live(sources);
    max_replicas();
    return std::move(result_);
  }

 private:
  void turn_round(LiveSources& sources) {
    if (!result_.current) {
      errors_.add("E020", "-", "the way back needs --current: where it leads to");
      return;
    }
    std::swap(*result_.current, result_.desired);
    std::swap(result_.current_documents, result_.desired_documents);
    sources.status = {};
    sources.kube = {};
    sources.pd = {};
  }

  void rank() {
    for (const auto* group : {&request_.current, &request_.desired, &request_.kube, &request_.pd,
                              &request_.nodes, &request_.volumes}) {
      for (const SourceText& source : *group) errors_.rank(source.file);
    }
  }

  void specifications() {
    Documents current = read_documents(request_.current, errors_);
    Documents desired = read_documents(request_.desired, errors_);
    for (Documents* side : {&current, &desired}) keep_namespace(*side);
    const bool readable = errors_.empty();
    sources_.kube = read_kube(request_.kube, errors_);
    if (!readable) return;
    if (current.patch) {
      errors_.add("E015", "-", "--current needs an object or a values file, not a patch",
                  current.patch->place());
      return;
    }
    desired = with_patch(current, desired, errors_);
    if (desired.kind == Documents::Kind::None) return;
    const bool groups = desired.kind == Documents::Kind::Groups;
    profile(groups);
    const Documents unset = request_.sets.empty() ? Documents() : desired;
    apply_sets(desired, request_.sets, request_.object_name, errors_);
    result_.current_documents = std::move(current);
    result_.desired_documents = std::move(desired);
    SpecOptions options;
    options.cluster = request_.cluster;
    options.object_name = request_.object_name;
    options.ns = request_.ns;
    options.advanced_statefulset = request_.advanced_statefulset;
    result_.style = {request_.default_name.value_or(DefaultName::Plain), request_.config_map};
    if (!request_.default_name)
      result_.style.default_name = running_style(sources_.kube, cluster_name());
    options.style = result_.style;
    if (result_.current_documents.kind != Documents::Kind::None) {
      result_.current = read_spec(result_.current_documents, options, errors_);
      named_as_asked(*result_.current);
    }
    result_.desired = read_desired(unset, options);
    named_as_asked(result_.desired);
    if (result_.current) count_pods("current", *result_.current);
    count_pods("desired", result_.desired);
    if (result_.current && !result_.current->name.empty() && !result_.desired.name.empty() &&
        result_.current->name != result_.desired.name) {
      errors_.add("E014", "-",
                  fmt::format("current is cluster {}, desired is cluster {}", result_.current->name,
                              result_.desired.name));
    }
  }

  void count_pods(std::string_view side, const ClusterSpec& spec) {
    constexpr std::int64_t kMostPods = 20000;  // what a plan can still be read for
    std::int64_t pods = 0;
    for (const auto& sets : spec.sets) pods += total_replicas(sets);
    if (pods <= kMostPods) return;
    errors_.add(
        "E007", "-",
        fmt::format("{}: {} pods in all (at most {} can be planned)", side, pods, kMostPods));
  }

  /// What --set does wrong is told of the --set, not of the file around it.
  ClusterSpec read_desired(const Documents& unset, const SpecOptions& options) {
    if (request_.sets.empty()) return read_spec(result_.desired_documents, options, errors_);
    Diagnostics found;
    ClusterSpec spec = read_spec(result_.desired_documents, options, found);
    std::size_t asked = 0;
    for (const Diagnostic& error : found.sorted()) {
      // Nobody reads the cause of more errors than are told.
      const std::string cause = ++asked > Diagnostics::kMostTold
                                    ? std::string()
                                    : assignment_behind(error, unset, options);
      if (cause.empty()) {
        errors_.add(error.code, error.path, error.message, error.place);
      } else {
        errors_.add(error.code, error.path, operators::blamed_on(cause, error.message));
      }
    }
    return spec;
  }

  /// The first --set with which the error is there; empty where it is there without any.
  std::string assignment_behind(const Diagnostic& error, Documents side,
                                const SpecOptions& options) const {
    const auto is_there = [&] {
      Diagnostics found;
      read_spec(side, options, found);
      return std::ranges::any_of(found.sorted(), [&](const Diagnostic& other) {
        return other.code == error.code && other.path == error.path;
      });
    };
    if (is_there()) return "";
    for (const std::string& assignment : request_.sets) {
      Diagnostics ignored;
      apply_sets(side, {assignment}, request_.object_name, ignored);
      if (is_there()) return assignment;
    }
    return "";
  }

  /// A name on the command line selects, or stands in for what a file does not say. It never
  /// overrides what a file says.
  void named_as_asked(const ClusterSpec& spec) {
    const auto check = [&](std::string_view option, const std::string& asked,
                           const std::string& said) {
      if (asked.empty() || said.empty() || asked == said) return;
      errors_.add("E020", "-",
                  fmt::format("{} {}: the files say {}", option, quoted(asked), quoted(said)));
    };
    check("--name", request_.object_name, spec.name);
    check("--cluster", request_.cluster, spec.name);
    check("--namespace", request_.ns, spec.ns);
  }

  /// Where some objects say that they are of the namespace asked for, those of others are not
  /// there.
  void keep_namespace(Documents& side) const {
    if (request_.ns.empty()) return;
    const auto says = [](const doc::Tree& object) {
      const doc::Tree* ns = object.at({"metadata", "namespace"});
      return ns == nullptr ? std::string() : ns->text();
    };
    if (std::ranges::find(side.objects, request_.ns, says) == side.objects.end()) return;
    std::erase_if(side.objects, [&](const doc::Tree& object) {
      const std::string ns = says(object);
      return !ns.empty() && ns != request_.ns;
    });
  }

  void profile(bool groups) {
    result_.profile = groups && !request_.profile_given ? Profile::V2 : request_.profile;
    if (groups != (result_.profile == Profile::V2)) {
      errors_.add(
          "E020", "-",
          groups ? fmt::format("contradicting options: groups are read with --profile v2, not {}",
                               name_of(result_.profile))
                 : "contradicting options: --profile v2 reads Cluster and groups");
    }
  }

  std::string cluster_name() const {
    const Documents& side = result_.desired_documents;
    const doc::Tree* name = nullptr;
    if (side.kind == Documents::Kind::Values) name = side.values.find("clusterName");
    if (!side.objects.empty()) name = side.objects.front().at({"metadata", "name"});
    return name == nullptr ? request_.cluster : name->text();
  }

  void orders() {
    for (const std::string& text : request_.orders) {
      const std::size_t equals = text.find('=');
      const std::string name = text.substr(0, equals);
      if (equals == std::string::npos || equals + 1 == text.size()) {
        errors_.add("E017", "-",
                    fmt::format("--order {}: COMPONENT=SET,SET was expected", quoted(text)));
        continue;
      }
      const auto component = component_named(name);
      if (!component) {
        std::vector<std::string_view> known;
        for (const Component c : kComponents) known.push_back(name_of(c));
        errors_.add("E017", "-",
                    fmt::format("--order: unknown component {}{}", quoted(name),
                                did_you_mean(name, known)));
        continue;
      }
      if (result_.profile == Profile::V2) {
        errors_.add(
            "E020", "-",
            fmt::format("--order {}: groups of one component move at the same time", quoted(text)));
        continue;
      }
      auto& order = result_.order[index_of(*component)];
      for (const std::string_view part : split(std::string_view(text).substr(equals + 1), ',')) {
        const std::string set(part);
        const bool known = result_.desired.find(*component, set) != nullptr ||
                           (result_.current && result_.current->find(*component, set) != nullptr);
        if (!known) {
          errors_.add("E017", "-",
                      fmt::format("--order: unknown set {} of {}{}", quoted(set), name,
                                  did_you_mean(set, set_names(*component))));
        } else if (std::ranges::find(order, set) != order.end()) {
          errors_.add("E017", "-",
                      fmt::format("--order: repeated set {} of {}", quoted(set), name));
        } else {
          order.push_back(set);
        }
      }
    }
  }

  /// Of both sides.
  std::vector<std::string_view> set_names(Component c) const {
    std::vector<std::string_view> names;
    for (const SetSpec& set : result_.desired.of(c)) names.push_back(set.name);
    if (!result_.current) return names;
    for (const SetSpec& set : result_.current->of(c)) names.push_back(set.name);
    return names;
  }

  void max_replicas() {
    std::optional<std::int64_t> number = request_.max_replicas;
    if (!number) number = result_.live.max_replicas;
    if (!number && result_.current) number = result_.current->max_replicas;
    if (!number) number = result_.desired.max_replicas;
    result_.max_replicas = number.value_or(3);
  }

  const LoadRequest& request_;
  bool is_way_back_;
  Diagnostics errors_;
  Loaded result_;
  LiveSources sources_;
};

}  // namespace

tl::expected<Loaded, std::vector<Diagnostic>> load(const LoadRequest& request) {
  return Loader(request, false).load();
}

tl::expected<Loaded, std::vector<Diagnostic>> load_way_back(const LoadRequest& request) {
  return Loader(request, true).load();
}

}  // namespace ballast::tidb
