// SPDX-License-Identifier: BSD-2-Clause
// The fields of pods and volume claims that Kubernetes knows, as deep as people write them by hand.
#include <algorithm>
#include <array>
#include <initializer_list>
#include <string_view>

#include "ballast/fdb/backend/readers.hpp"

namespace ballast::fdb {
namespace {

using doc::Tree;

enum class Shape {
  Any,  ///< not looked into
  PodSpec,
  Containers,
  Container,
  Resources,
  PodSecurity,
  ContainerSecurity,
  Affinity,
  Probe,
  ClaimSpec,
};

struct Field {
  std::string_view name;
  Shape shape = Shape::Any;
};

constexpr std::array kPodSpec = std::to_array<Field>({{"activeDeadlineSeconds"},
                                                      {"affinity", Shape::Affinity},
                                                      {"automountServiceAccountToken"},
                                                      {"containers", Shape::Containers},
                                                      {"dnsConfig"},
                                                      {"dnsPolicy"},
                                                      {"enableServiceLinks"},
                                                      {"ephemeralContainers"},
                                                      {"hostAliases"},
                                                      {"hostIPC"},
                                                      {"hostNetwork"},
                                                      {"hostPID"},
                                                      {"hostUsers"},
                                                      {"hostname"},
                                                      {"hostnameOverride"},
                                                      {"imagePullSecrets"},
                                                      {"initContainers", Shape::Containers},
                                                      {"nodeName"},
                                                      {"nodeSelector"},
                                                      {"os"},
                                                      {"overhead"},
                                                      {"preemptionPolicy"},
                                                      {"priority"},
                                                      {"priorityClassName"},
                                                      {"readinessGates"},
                                                      {"resourceClaims"},
                                                      {"resources", Shape::Resources},
                                                      {"restartPolicy"},
                                                      {"runtimeClassName"},
                                                      {"schedulerName"},
                                                      {"schedulingGates"},
                                                      {"securityContext", Shape::PodSecurity},
                                                      {"serviceAccount"},
                                                      {"serviceAccountName"},
                                                      {"setHostnameAsFQDN"},
                                                      {"shareProcessNamespace"},
                                                      {"subdomain"},
                                                      {"terminationGracePeriodSeconds"},
                                                      {"tolerations"},
                                                      {"topologySpreadConstraints"},
                                                      {"volumes"}});
constexpr std::array kContainer =
    std::to_array<Field>({{"args"},
                          {"command"},
                          {"env"},
                          {"envFrom"},
                          {"image"},
                          {"imagePullPolicy"},
                          {"lifecycle"},
                          {"livenessProbe", Shape::Probe},
                          {"name"},
                          {"ports"},
                          {"readinessProbe", Shape::Probe},
                          {"resizePolicy"},
                          {"resources", Shape::Resources},
                          {"restartPolicy"},
                          {"restartPolicyRules"},
                          {"securityContext", Shape::ContainerSecurity},
                          {"startupProbe", Shape::Probe},
                          {"stdin"},
                          {"stdinOnce"},
                          {"terminationMessagePath"},
                          {"terminationMessagePolicy"},
                          {"tty"},
                          {"volumeDevices"},
                          {"volumeMounts"},
                          {"workingDir"}});
constexpr std::array kResources = std::to_array<Field>({{"claims"}, {"limits"}, {"requests"}});
constexpr std::array kPodSecurity = std::to_array<Field>({{"appArmorProfile"},
                                                          {"fsGroup"},
                                                          {"fsGroupChangePolicy"},
                                                          {"runAsGroup"},
                                                          {"runAsNonRoot"},
                                                          {"runAsUser"},
                                                          {"seLinuxChangePolicy"},
                                                          {"seLinuxOptions"},
                                                          {"seccompProfile"},
                                                          {"supplementalGroups"},
                                                          {"supplementalGroupsPolicy"},
                                                          {"sysctls"},
                                                          {"windowsOptions"}});
constexpr std::array kContainerSecurity = std::to_array<Field>({{"allowPrivilegeEscalation"},
                                                                {"appArmorProfile"},
                                                                {"capabilities"},
                                                                {"privileged"},
                                                                {"procMount"},
                                                                {"readOnlyRootFilesystem"},
                                                                {"runAsGroup"},
                                                                {"runAsNonRoot"},
                                                                {"runAsUser"},
                                                                {"seLinuxOptions"},
                                                                {"seccompProfile"},
                                                                {"windowsOptions"}});
constexpr std::array kAffinity =
    std::to_array<Field>({{"nodeAffinity"}, {"podAffinity"}, {"podAntiAffinity"}});
constexpr std::array kProbe = std::to_array<Field>({{"exec"},
                                                    {"failureThreshold"},
                                                    {"grpc"},
                                                    {"httpGet"},
                                                    {"initialDelaySeconds"},
                                                    {"periodSeconds"},
                                                    {"successThreshold"},
                                                    {"tcpSocket"},
                                                    {"terminationGracePeriodSeconds"},
                                                    {"timeoutSeconds"}});
constexpr std::array kClaimSpec = std::to_array<Field>({{"accessModes"},
                                                        {"dataSource"},
                                                        {"dataSourceRef"},
                                                        {"resources", Shape::Resources},
                                                        {"selector"},
                                                        {"storageClassName"},
                                                        {"volumeAttributesClassName"},
                                                        {"volumeMode"},
                                                        {"volumeName"}});

struct Fields {
  const Field* first = nullptr;
  std::size_t count = 0;
  [[nodiscard]] const Field* begin() const { return first; }
  [[nodiscard]] const Field* end() const { return first + count; }
};

Fields fields_of(Shape shape) {
  const auto all = [](const auto& list) { return Fields{list.data(), list.size()}; };
  switch (shape) {
    case Shape::PodSpec:
      return all(kPodSpec);
    case Shape::Container:
      return all(kContainer);
    case Shape::Resources:
      return all(kResources);
    case Shape::PodSecurity:
      return all(kPodSecurity);
    case Shape::ContainerSecurity:
      return all(kContainerSecurity);
    case Shape::Affinity:
      return all(kAffinity);
    case Shape::Probe:
      return all(kProbe);
    case Shape::ClaimSpec:
      return all(kClaimSpec);
    case Shape::Any:
    case Shape::Containers:
      break;
  }
  return {};
}

Tree known_part(const Tree& node, Shape shape, const std::string& path,
                const ReadContext& context) {
  if (shape == Shape::Containers && node.is_list()) {
    Tree list = Tree::list({}, node.place());
    for (const Tree& item : node.items())
      list.items().push_back(known_part(item, Shape::Container, path, context));
    return list;
  }
  const Fields fields = fields_of(shape);
  if (fields.count == 0 || !node.is_map()) return node;
  MapReader reader(&node, path, context);
  for (const Field& field : fields) reader.ignore({field.name});
  reader.finish();
  Tree map = Tree::map({}, node.place());
  for (const auto& [key, value] : node.entries()) {
    const auto* const field = std::ranges::find(fields, key, &Field::name);
    if (field == fields.end()) continue;
    map.set(key, known_part(value, field->shape, reader.path_of(key), context));
  }
  return map;
}

}  // namespace

doc::Tree known_pod_spec(const doc::Tree& spec, const std::string& path,
                         const ReadContext& context) {
  return known_part(spec, Shape::PodSpec, path, context);
}

doc::Tree known_claim_spec(const doc::Tree& spec, const std::string& path,
                           const ReadContext& context) {
  return known_part(spec, Shape::ClaimSpec, path, context);
}

}  // namespace ballast::fdb
