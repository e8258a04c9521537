// SPDX-License-Identifier: BSD-2-Clause
#include "ballast/operators/plan/kube_gates.hpp"

#include <fmt/format.h>

#include "ballast/core/shell.hpp"
#include "ballast/plan/gate.hpp"

namespace ballast::operators {

KubeGates::KubeGates(std::string_view name_space)
    : kubectl_("kubectl -n " + shell_word(name_space.empty() ? "default" : name_space) + " ") {}

std::string KubeGates::get(std::string_view kind, std::string_view name) const {
  return fmt::format("{}get {} {} -o json", kubectl_, kind, shell_word(name));
}

plan::Gate KubeGates::exists(std::string_view kind, std::string_view name) const {
  return plan::json_gate(fmt::format("{} {} is there", kind, name), get(kind, name),
                         ".metadata.name != null");
}

plan::Gate KubeGates::gone(std::string_view kind, std::string_view name) const {
  return plan::gone_gate(
      fmt::format("{} {} is gone", kind, name),
      fmt::format("{}get {} {} --ignore-not-found -o name", kubectl_, kind, shell_word(name)));
}

plan::Gate KubeGates::pod_is_ready(std::string_view pod) const {
  return plan::json_gate(fmt::format("pod {} is Ready", pod), get("pod", pod), kPodIsReady);
}

plan::Gate KubeGates::set_has_ready(std::string_view statefulset, std::int64_t pods) const {
  return plan::json_gate(fmt::format("statefulset {} has {} ready pods", statefulset, pods),
                         get("statefulset", statefulset),
                         fmt::format("(.status.readyReplicas // 0) >= {}", pods));
}

plan::Gate KubeGates::has_new_revision(std::string_view statefulset, std::string_view older) const {
  return plan::json_gate(fmt::format("statefulset {} has a new revision", statefulset),
                         get("statefulset", statefulset),
                         fmt::format(".status.updateRevision != {} and "
                                     ".status.observedGeneration >= .metadata.generation",
                                     plan::jq_text(older)));
}

plan::Gate KubeGates::runs_newest(std::string_view pod, std::string_view statefulset) const {
  return {fmt::format("pod {} runs the newest revision", pod),
          fmt::format("revision=$({}get statefulset {} -o jsonpath={}) && test -n \"$revision\" && "
                      "{} | jq -en --arg revision \"$revision\" {}",
                      kubectl_, shell_word(statefulset), shell_quoted("{.status.updateRevision}"),
                      get("pod", pod),
                      shell_quoted("input | .metadata.labels[\"controller-revision-hash\"] == "
                                   "$revision"))};
}

}  // namespace ballast::operators
