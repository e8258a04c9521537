// SPDX-License-Identifier: BSD-2-Clause
// Names of older operators.
#include <fmt/format.h>

#include <array>
#include <utility>

#include "ballast/fdb/backend/readers.hpp"

namespace ballast::fdb {
namespace {

using doc::Tree;

struct Rename {
  std::string_view from;
  std::array<std::string_view, 3> to;  ///< path below `spec`, empty parts at the end
};

constexpr std::array<Rename, 8> kRenames = {{
    {"storageServersPerDisk", {"storageServersPerPod", "", ""}},
    {"storageServerPerDisk", {"storageServersPerPod", "", ""}},
    {"instancesToRemove", {"processGroupsToRemove", "", ""}},
    {"instancesToRemoveWithoutExclusion", {"processGroupsToRemoveWithoutExclusion", "", ""}},
    {"instanceIDPrefix", {"processGroupIDPrefix", "", ""}},
    {"distributionConfig", {"faultDomain", "distribution", ""}},
    {"DistributionConfig", {"faultDomain", "distribution", ""}},
    {"automountServiceAccountToken", {"", "", ""}},
}};

class Resolver {
 public:
  Resolver(Tree& object, const ReadContext& context) : object_(object), context_(context) {}

  void run() {
    if (Tree* spec = object_.find("spec"); spec != nullptr && spec->is_map()) {
      resolve_spec(*spec);
      move_to_status(*object_.find("spec"));
    }
  }

 private:
  void note(const std::string& from, const std::string& to) {
    if (context_.notes != nullptr) context_.notes->push_back({"alias", from + " is read as " + to});
  }

  static Tree& child(Tree& parent, std::string_view key) {
    Tree* found = parent.find(key);
    if (found == nullptr || !found->is_map()) {
      parent.set(key, Tree::map({}, parent.place()));
      found = parent.find(key);
    }
    return *found;
  }

  /// Moves `from` of `spec` to a path; a value that is there already wins.
  void move(Tree& spec, std::string_view from, std::initializer_list<std::string_view> path) {
    const Tree* old = spec.find(from);
    if (old == nullptr) return;
    Tree value = *old;
    spec.erase(from);
    Tree* at = &spec;
    std::string text = "spec";
    std::string_view last;
    for (const std::string_view part : path) {
      if (!last.empty()) at = &child(*at, last);
      last = part;
      text += "." + std::string(part);
    }
    if (at->find(last) != nullptr) {
      if (context_.notes != nullptr) {
        context_.notes->push_back(
            {"alias-conflict", fmt::format("spec.{} is ignored, {} is there too", from, text)});
      }
      return;
    }
    at->set(last, std::move(value));
    note("spec." + std::string(from), text);
  }

  void resolve_spec(Tree& spec) {
    for (const Rename& rename : kRenames) {
      if (rename.to[0].empty()) continue;
      if (rename.to[1].empty()) {
        move(spec, rename.from, {rename.to[0]});
      } else {
        move(spec, rename.from, {rename.to[0], rename.to[1]});
      }
    }
    resolve_domain(spec);
    resolve_strategy(spec);
    resolve_services(spec);
    resolve_processes(spec);
    for (const std::string_view key : {"sidecarVersion", "sidecarVersions", "nextInstanceID"}) {
      if (spec.erase(key)) note("spec." + std::string(key), "nothing");
    }
  }

  void resolve_domain(Tree& spec) {
    Tree* domain = spec.find("faultDomain");
    if (domain == nullptr || !domain->is_map()) return;
    for (const std::string_view key :
         {"distributionConfig", "DistributionConfig", "Distribution"}) {
      const Tree* old = domain->find(key);
      if (old == nullptr) continue;
      Tree value = *old;
      domain->erase(key);
      if (domain->find("distribution") == nullptr) domain->set("distribution", std::move(value));
      note("spec.faultDomain." + std::string(key), "spec.faultDomain.distribution");
    }
  }

  void resolve_strategy(Tree& spec) {
    if (const Tree* old = spec.find("updatePodsByReplacement")) {
      const Place place = old->place();
      const bool replaces = old->as_bool().value_or(false);
      spec.erase("updatePodsByReplacement");
      Tree& automation = child(spec, "automationOptions");
      if (automation.find("podUpdateStrategy") == nullptr) {
        automation.set("podUpdateStrategy", Tree::string(replaces ? "Replace" : "Delete", place));
      }
      note("spec.updatePodsByReplacement", "spec.automationOptions.podUpdateStrategy");
    }
    Tree* automation = spec.find("automationOptions");
    if (automation == nullptr || !automation->is_map()) return;
    if (const Tree* old = automation->find("deletePods")) {
      const Place place = old->place();
      const bool deletes = old->as_bool().value_or(true);
      automation->erase("deletePods");
      if (!deletes && automation->find("deletionMode") == nullptr) {
        automation->set("deletionMode", Tree::string("None", place));
      }
      note("spec.automationOptions.deletePods", "spec.automationOptions.deletionMode");
    }
  }

  void resolve_services(Tree& spec) {
    const Tree* old = spec.find("services");
    if (old == nullptr || !old->is_map()) return;
    const Tree services = *old;
    spec.erase("services");
    Tree& routing = child(spec, "routing");
    const auto take = [&](std::string_view from, std::string_view to) {
      const Tree* value = services.find(from);
      if (value == nullptr) return;
      if (routing.find(to) == nullptr) routing.set(to, *value);
      note("spec.services." + std::string(from), "spec.routing." + std::string(to));
    };
    take("headless", "headlessService");
    take("publicIPSource", "publicIPSource");
  }

  void resolve_processes(Tree& spec) {
    static constexpr std::array<std::string_view, 8> kPodParts = {
        "resources", "containers",         "initContainers",
        "volumes",   "podSecurityContext", "automountServiceAccountToken",
        "podLabels", "podTemplate"};
    for (const std::string_view key :
         {"volumeClaim", "customParameters", "podTemplate", "volumeSize", "storageClass"}) {
      if (spec.find(key) != nullptr) child(child(spec, "processes"), "general");
    }
    move(spec, "podTemplate", {"processes", "general", "podTemplate"});
    move(spec, "customParameters", {"processes", "general", "customParameters"});
    move(spec, "volumeClaim", {"processes", "general", "volumeClaimTemplate"});
    if (const Tree* size = spec.find("volumeSize")) {
      Tree value = *size;
      spec.erase("volumeSize");
      Tree& claim = child(child(child(spec, "processes"), "general"), "volumeClaimTemplate");
      Tree& requests = child(child(child(claim, "spec"), "resources"), "requests");
      if (requests.find("storage") == nullptr) requests.set("storage", std::move(value));
      note("spec.volumeSize", "spec.processes.general.volumeClaimTemplate");
    }
    if (const Tree* storage_class = spec.find("storageClass")) {
      Tree value = *storage_class;
      spec.erase("storageClass");
      Tree& claim = child(child(child(spec, "processes"), "general"), "volumeClaimTemplate");
      if (child(claim, "spec").find("storageClassName") == nullptr)
        child(claim, "spec").set("storageClassName", std::move(value));
      note("spec.storageClass", "spec.processes.general.volumeClaimTemplate");
    }
    for (const std::string_view key : kPodParts) move_pod_part(spec, key);
    Tree* processes = spec.find("processes");
    if (processes == nullptr || !processes->is_map()) return;
    for (auto& [name, settings] : processes->entries()) {
      if (!settings.is_map()) continue;
      const Tree* old = settings.find("volumeClaim");
      if (old == nullptr) continue;
      Tree value = *old;
      settings.erase("volumeClaim");
      if (settings.find("volumeClaimTemplate") == nullptr)
        settings.set("volumeClaimTemplate", std::move(value));
      note("spec.processes." + name + ".volumeClaim", "volumeClaimTemplate");
    }
  }

  void move_pod_part(Tree& spec, std::string_view key) {
    const Tree* old = spec.find(key);
    if (old == nullptr || key == "podTemplate") return;
    Tree value = *old;
    spec.erase(key);
    Tree& pod = child(child(child(spec, "processes"), "general"), "podTemplate");
    note("spec." + std::string(key), "spec.processes.general.podTemplate");
    if (key == "podLabels") {
      child(pod, "metadata").set("labels", std::move(value));
    } else if (key == "podSecurityContext") {
      child(pod, "spec").set("securityContext", std::move(value));
    } else if (key == "resources") {
      Tree container =
          Tree::map({{"name", Tree::string("foundationdb")}, {"resources", std::move(value)}});
      child(pod, "spec").set("containers", Tree::list({std::move(container)}));
    } else {
      child(pod, "spec").set(key, std::move(value));
    }
  }

  void move_to_status(Tree& spec) {
    for (const std::string_view key :
         {"runningVersion", "connectionString", "configured", "pendingRemovals"}) {
      const Tree* old = spec.find(key);
      if (old == nullptr) continue;
      Tree value = *old;
      spec.erase(key);
      Tree& status = child(object_, "status");
      if (key == "pendingRemovals") {
        status.set("pendingRemovalsByPod", std::move(value));
      } else if (status.find(key) == nullptr) {
        status.set(key, std::move(value));
      }
      note("spec." + std::string(key), "status." + std::string(key));
      if (Tree* again = object_.find("spec")) (void)again;
      return move_to_status(*object_.find("spec"));
    }
  }

  Tree& object_;
  const ReadContext& context_;
};

}  // namespace

void resolve_aliases(doc::Tree& object, const ReadContext& context) {
  Resolver(object, context).run();
}

}  // namespace ballast::fdb
