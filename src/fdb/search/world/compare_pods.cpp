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
  return templated.name == kMain ? spec.main_image : std::string();
}

/// Something in the pod that its own spec would have made otherwise. The sidecar's image is no such
/// thing: upgrades change it in place.
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
    return is_default && now.name == kMain && now.image != spec.main_image;
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
  if (!now.image.empty() && now.name != kSidecar)
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

/// Whether a container sets the variable; nothing where the containers do not tell the variables
/// that the operator always sets.
std::optional<bool> sets_variable(const Pod& pod, std::string_view wanted) {
  const auto sets = [&pod](std::string_view name) {
    return std::ranges::any_of(
        pod.containers, [name](const Container& now) { return variable(&now, name).has_value(); });
  };
  if (sets(wanted)) return true;
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
  if (const auto dns = sets_variable(pod, "FDB_DNS_NAME"))
    testimony.hear(*dns, old.routing.dns_localities, wanted.routing.dns_localities);
  if (const auto trusts = sets_variable(pod, "FDB_TLS_CA_FILE"))
    testimony.hear(*trusts, !old.trusted_cas.empty(), !wanted.trusted_cas.empty());
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

/// The condition was noted of a pod of that age: what was noted before the pod was made was said of
/// the one in its place.
bool is_noted(const ProcessGroup& group, Condition condition, std::int64_t least_age = 0) {
  const auto& created = group.pod->created;
  if (!group.carried.has(condition)) return false;
  return group.pod->is_assumed || !created ||
         group.carried.since(condition) >= *created + least_age;
}

bool differs(const World& world, const Member& group, bool shape_differs) {
  const Pod& pod = *group.pod;
  const ClusterSpec& old = world.snapshot->spec;
  if (pod.servers != world.spec.density(group.process_class)) return true;
  const bool is_carried = is_noted(group, Condition::IncorrectPodSpec);
  if (pod.is_assumed) return pod.spec_differs || shape_differs || is_carried;
  if (contradicts(pod, world.spec, group.process_class)) return true;
  if (!shape_differs) return is_carried;
  return !is_as_wished(group, old, world.spec);
}

bool lacks(const Pairs& held, const Pairs& wanted) {
  return std::ranges::any_of(
      wanted, [&held](const auto& entry) { return std::ranges::find(held, entry) == held.end(); });
}

/// Labels and annotations are added and changed; those that a template no longer has stay.
template <class Held, class Wanted>
bool lacks_metadata(const Held& held, const Wanted& wanted) {
  return lacks(held.labels, wanted.labels) || lacks(held.annotations, wanted.annotations);
}

/// A pod that was given with its annotations tells what it holds; otherwise the spec that it was
/// made from and what was noted of it do.
bool metadata_differs(const World& world, const Member& group, bool has_annotations) {
  const Pod& pod = *group.pod;
  const auto template_of = [&group](const ClusterSpec& spec) -> const PodTemplate& {
    return spec.processes[index(group.process_class)].pod;
  };
  const PodTemplate& wanted = template_of(world.spec);
  // An annotation that is brought up to date in place; the one that names the IP family is not.
  if (pod.public_ip_source != world.spec.routing.public_ip_source) return true;
  if (has_annotations && !pod.is_assumed) return lacks_metadata(pod, wanted);
  // A pod that was scheduled a moment ago lacks the note that names its node, and nothing else.
  constexpr std::int64_t kSoon = 120;
  return lacks_metadata(template_of(world.snapshot->spec), wanted) ||
         is_noted(group, Condition::IncorrectPodMetadata, kSoon);
}

bool metadata_differs(const World& world, const Member& group, const Volume& volume) {
  const std::size_t i = index(group.process_class);
  const VolumeTemplate& wanted = world.spec.processes[i].volume;
  const bool is_given = !volume.is_assumed && !volume.spec_hash.empty();
  return is_given ? lacks_metadata(volume, wanted)
                  : lacks_metadata(world.snapshot->spec.processes[i].volume, wanted);
}

}  // namespace

void compare_specs(World& world) {
  PerClass<bool> shape_differs{};
  for (std::size_t i = 0; i < kClassCount; ++i) {
    const ProcessClass c = class_at(i);
    shape_differs[i] = pod_shape(world.snapshot->spec, c) != pod_shape(world.spec, c);
  }
  const bool has_annotations = std::ranges::any_of(
      world.groups, [](const Member& group) { return group.pod && group.pod->has_node_note; });
  for (Member& group : world.groups) {
    if (group.pod) {
      group.pod->spec_differs = differs(world, group, shape_differs[index(group.process_class)]);
      group.pod->metadata_differs = metadata_differs(world, group, has_annotations);
    }
    if (group.volume)
      group.volume->metadata_differs = metadata_differs(world, group, *group.volume);
  }
}

}  // namespace ballast::fdb
