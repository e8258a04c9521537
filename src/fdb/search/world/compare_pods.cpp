// SPDX-License-Identifier: BSD-2-Clause
// Which pods were made from another spec than the wished one. The operator compares hashes that
// cannot be computed here, so a pod that was given is asked itself, as far as it can tell.
#include <algorithm>
#include <functional>
#include <optional>
#include <string_view>

#include "ballast/fdb/search/world/world.hpp"

namespace ballast::fdb {
namespace {

constexpr std::string_view kMain = "foundationdb";
constexpr std::string_view kSidecar = "foundationdb-kubernetes-sidecar";

const Container* named(const std::vector<Container>& list, std::string_view name) {
  const auto found = std::ranges::find(list, name, &Container::name);
  return found == list.end() ? nullptr : &*found;
}

/// The image that the spec gives to a container; empty where the spec leaves it to others.
std::string wanted_image(const ClusterSpec& spec, const Container& templated) {
  if (!templated.image.empty()) return templated.image;
  if (templated.name == kMain) return spec.main_image;
  return templated.name == kSidecar ? spec.sidecar_image : std::string();
}

/// Something in the pod that its own spec would have made otherwise.
bool contradicts(const Pod& pod, const ClusterSpec& spec, ProcessClass c) {
  const PodTemplate& wanted = spec.processes[index(c)].pod;
  if (pod.node_selector != wanted.node_selector || pod.image_type != spec.image_type) return true;
  return std::ranges::any_of(pod.containers, [&](const Container& now) {
    const Container* other = named(wanted.containers, now.name);
    if (other == nullptr) return false;
    if (now.has_resources &&
        (now.cpu_milli != other->cpu_milli || now.memory_bytes != other->memory_bytes))
      return true;
    const bool is_default = other->image.empty() && !now.image.empty();
    if (!is_default || (now.name != kMain && now.name != kSidecar)) return false;
    return now.image != (now.name == kMain ? spec.main_image : spec.sidecar_image);
  });
}

/// What the parts of a pod say in which two specs differ.
class Testimony {
 public:
  /// `is` speaks for the wish where it equals `wanted`, against it otherwise.
  template <class T>
  void hear(const T& is, const T& old, const T& wanted) {
    if (old == wanted) return;
    (is == wanted ? for_ : against_) = true;
  }
  [[nodiscard]] bool is_for() const { return for_ && !against_; }

 private:
  bool for_ = false;
  bool against_ = false;
};

std::optional<std::string> variable(const Container* container, std::string_view name) {
  if (container == nullptr) return std::nullopt;
  const auto found =
      std::ranges::find(container->env, name, &std::pair<std::string, std::string>::first);
  return found == container->env.end() ? std::nullopt : std::optional(found->second);
}

void hear_container(Testimony& testimony, const Container& now, const ClusterSpec& old_spec,
                    const ClusterSpec& new_spec, ProcessClass c) {
  const Container* old = named(old_spec.processes[index(c)].pod.containers, now.name);
  const Container* wanted = named(new_spec.processes[index(c)].pod.containers, now.name);
  if (old == nullptr || wanted == nullptr) return;
  if (!now.image.empty())
    testimony.hear(now.image, wanted_image(old_spec, *old), wanted_image(new_spec, *wanted));
  if (now.has_resources) {
    testimony.hear(now.cpu_milli, old->cpu_milli, wanted->cpu_milli);
    testimony.hear(now.memory_bytes, old->memory_bytes, wanted->memory_bytes);
  }
  for (const Container* side : {old, wanted}) {
    for (const auto& [name, value] : side->env)
      testimony.hear(variable(&now, name), variable(old, name), variable(wanted, name));
  }
}

/// Whether the pod's servers get a DNS name; nothing where its containers do not tell the variables
/// that the operator always sets.
std::optional<bool> has_dns_name(const Pod& pod) {
  const auto sets = [&pod](std::string_view name) {
    return std::ranges::any_of(
        pod.containers, [name](const Container& now) { return variable(&now, name).has_value(); });
  };
  if (sets("FDB_DNS_NAME")) return true;
  return sets("FDB_INSTANCE_ID") ? std::optional(false) : std::nullopt;
}

/// The specs differ in something that the pod shows, and all that it shows of it is as wished: an
/// edit that never reached this pod is taken back, or one that has reached it is repeated.
bool is_as_wished(const ProcessGroup& group, const ClusterSpec& old, const ClusterSpec& wanted) {
  const Pod& pod = *group.pod;
  const ProcessClass c = group.process_class;
  const auto template_of = [c](const ClusterSpec& spec) -> const PodTemplate& {
    return spec.processes[index(c)].pod;
  };
  Testimony testimony;
  testimony.hear(pod.servers, old.density(c), wanted.density(c));
  testimony.hear(pod.image_type, old.image_type, wanted.image_type);
  testimony.hear(pod.public_ip_source, old.routing.public_ip_source,
                 wanted.routing.public_ip_source);
  testimony.hear(pod.ip_family, old.routing.ip_family, wanted.routing.ip_family);
  if (const auto dns = has_dns_name(pod))
    testimony.hear(*dns, old.routing.dns_localities, wanted.routing.dns_localities);
  testimony.hear(group.prefix, old.group_prefix, wanted.group_prefix);
  testimony.hear(pod.node_selector, template_of(old).node_selector,
                 template_of(wanted).node_selector);
  testimony.hear(pod.fs_group, template_of(old).fs_group, template_of(wanted).fs_group);
  testimony.hear(pod.run_as_user, template_of(old).run_as_user, template_of(wanted).run_as_user);
  testimony.hear(pod.distribution_key.empty(), !old.uses_distribution(),
                 !wanted.uses_distribution());
  for (const Container& now : pod.containers) hear_container(testimony, now, old, wanted, c);
  return testimony.is_for();
}

bool differs(const World& world, const Member& group, bool shape_differs) {
  const Pod& pod = *group.pod;
  const ClusterSpec& old = world.snapshot->spec;
  if (pod.servers != world.spec.density(group.process_class)) return true;
  const bool is_carried = group.carried.has(Condition::IncorrectPodSpec);
  if (pod.is_assumed) return pod.spec_differs || shape_differs || is_carried;
  if (contradicts(pod, world.spec, group.process_class)) return true;
  if (!shape_differs) return is_carried;
  return !is_as_wished(group, old, world.spec);
}

/// The condition came right after the pod: it lacked the note that names its node, and nothing
/// else.
bool is_mark_of_birth(const ProcessGroup& group) {
  constexpr std::int64_t kSoon = 120;
  const auto& created = group.pod->created;
  if (group.pod->is_assumed || !created) return false;
  const std::int64_t age = group.carried.since(Condition::IncorrectPodMetadata) - *created;
  return age >= 0 && age < kSoon;
}

}  // namespace

void compare_specs(World& world) {
  PerClass<bool> shape_differs{};
  PerClass<bool> labels_differ{};
  PerClass<bool> volume_labels_differ{};
  const ClusterSpec& old = world.snapshot->spec;
  for (std::size_t i = 0; i < kClassCount; ++i) {
    const ProcessClass c = class_at(i);
    shape_differs[i] = pod_shape(old, c) != pod_shape(world.spec, c);
    const auto& a = old.processes[i];
    const auto& b = world.spec.processes[i];
    labels_differ[i] = a.pod.labels != b.pod.labels || a.pod.annotations != b.pod.annotations;
    volume_labels_differ[i] =
        a.volume.labels != b.volume.labels || a.volume.annotations != b.volume.annotations;
  }
  // A pod that was scheduled a moment ago lacks the note that names its node, and nothing else.
  const bool has_notes = std::ranges::any_of(
      world.groups, [](const Member& group) { return group.pod && group.pod->has_node_note; });
  for (Member& group : world.groups) {
    const auto i = index(group.process_class);
    if (group.pod) {
      Pod& pod = *group.pod;
      pod.spec_differs = differs(world, group, shape_differs[i]);
      // Both are annotations, which are brought up to date in place like any other.
      const bool has_other_notes = pod.public_ip_source != world.spec.routing.public_ip_source ||
                                   pod.ip_family != world.spec.routing.ip_family;
      pod.metadata_differs = pod.metadata_differs || labels_differ[i] || has_other_notes ||
                             (group.carried.has(Condition::IncorrectPodMetadata) &&
                              (pod.has_node_note || !has_notes) && !is_mark_of_birth(group));
    }
    if (group.volume) {
      group.volume->metadata_differs = group.volume->metadata_differs || volume_labels_differ[i];
    }
  }
}

}  // namespace ballast::fdb
