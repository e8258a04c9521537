// SPDX-License-Identifier: BSD-2-Clause
// What shows that the operator has made a step. Pods of groups (v2) get names that the operator
// draws, so those are told by their number.
#include "plan_gates.hpp"

#include "ballast/core/shell.hpp"
#include "ballast/operators/plan/kube_gates.hpp"
#include "ballast/plan/gate.hpp"
#include "ballast/tidb/search/remedy/parts.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace ballast::tidb {
namespace {

/// Bytes of a quantity of Kubernetes, as a jq function.
constexpr std::string_view kBytes =
    "def bytes: capture(\"^(?<n>[0-9.]+)(?<u>[A-Za-z]*)$\") | (.n | tonumber) * {\"\": 1, \"k\": "
    "1e3, \"M\": 1e6, \"G\": 1e9, \"T\": 1e12, \"Ki\": 1024, \"Mi\": 1048576, \"Gi\": 1073741824, "
    "\"Ti\": 1099511627776, \"Pi\": 1125899906842624}[.u]; ";

using Gates = std::vector<plan::Gate>;

class GateWriter {
 public:
  explicit GateWriter(const Input& input) : live_(input.live), kube_(namespace_of(input)) {
    pdctl_ =
        "pd-ctl -u " +
        shell_word(fmt::format("http://{}-pd.{}:2379", input.desired.name, namespace_of(input))) +
        " ";
  }

  [[nodiscard]] Gates of(const Line& step) const {
    switch (step.action) {
      case Action::CreateDiscovery:
        return {plan::json_gate(step.object + " is ready", kube_.get("deployment", step.object),
                                "(.status.readyReplicas // 0) >= 1")};
      case Action::CreateService:
      case Action::UpdateService:
        return {kube_.exists("service", step.object)};
      case Action::CreateConfigMap:
        return {config_map(step.object)};
      case Action::DeleteService:
        return {kube_.gone("service", step.object)};
      case Action::DeleteConfigMap:
        return {kube_.gone("configmap", step.object)};
      case Action::DeleteStatefulSet:
        return {kube_.gone("statefulset", step.object)};
      case Action::CreateStatefulSet:
        return step.phase > 0 ? group_is_ready(step, step.count)
                              : Gates{kube_.set_has_ready(step.object, step.count)};
      case Action::UpdateTemplate:
        return template_changed(step);
      case Action::ScaleOut:
        return has_drawn_name(step.object) ? group_is_ready(step, step.replicas_after)
                                           : is_well(step);
      case Action::ScaleIn:
        return is_gone_from(step);
      case Action::RestartPod:
        return is_restarted(step);
      case Action::FailoverReplace:
        return is_well(step);
      case Action::Wait:
        return step.until_ready && !has_drawn_name(step.object)
                   ? Gates{kube_.pod_is_ready(step.object)}
                   : Gates{};
      case Action::ExpandVolume:
        return is_bigger(step);
      default:
        return {};
    }
  }

 private:
  static bool has_drawn_name(const std::string& name) { return name.ends_with('?'); }

  /// Its real name may end in a digest of its content.
  [[nodiscard]] plan::Gate config_map(const std::string& name) const {
    return plan::json_gate(
        fmt::format("configmap {} is there", name), kube_.kubectl() + "get configmap -o json",
        fmt::format("any(.items[].metadata.name; startswith({}))", plan::jq_text(name)));
  }
  [[nodiscard]] Gates group_is_ready(const Line& step, std::int64_t pods) const {
    return {plan::json_gate(
        fmt::format("group {} has {} ready pods", step.set, pods),
        fmt::format("{}get pod -l {} -o json", kube_.kubectl(),
                    shell_word(fmt::format("pingcap.com/group={},pingcap.com/component={}",
                                           step.set, name_of(*step.component)))),
        fmt::format("[.items[] | select({})] | length >= {}", operators::kPodIsReady, pods))};
  }
  /// Ready, and PD says the same of its store or member.
  [[nodiscard]] Gates is_well(const Line& step) const {
    Gates gates = {kube_.pod_is_ready(step.object)};
    if (step.component == Component::Tikv) {
      gates.push_back(plan::json_gate(
          fmt::format("the store of {} is Up", step.object), pdctl_ + "store",
          fmt::format("any(.stores[].store; (.address | startswith({})) and .state_name == \"Up\")",
                      plan::jq_text(step.object + "."))));
    }
    if (step.component == Component::Pd) {
      gates.push_back(plan::json_gate(
          fmt::format("member {} is healthy", step.object), pdctl_ + "health",
          fmt::format("any(.[]; .name == {} and .health)", plan::jq_text(step.object))));
    }
    return gates;
  }

  /// Its store is a Tombstone, or forgotten, and the pod is gone.
  [[nodiscard]] Gates is_gone(const Line& step) const {
    if (has_drawn_name(step.object)) return {};
    Gates gates;
    const Store* store = step.component == Component::Tikv ? live_.store_of(step.object) : nullptr;
    if (store != nullptr && store->id != 0) {
      gates.push_back(plan::json_gate(
          fmt::format("store {} is Tombstone", store->id), pdctl_ + "store",
          fmt::format("[.stores[].store | select(.id == {} and .state_name != \"Tombstone\")] | "
                      "length == 0",
                      store->id)));
    }
    gates.push_back(kube_.gone("pod", step.object));
    return gates;
  }

  [[nodiscard]] Gates is_gone_from(const Line& step) const {
    Gates gates = is_gone(step);
    if (step.component == Component::Pd && !step.forced && !has_drawn_name(step.object)) {
      gates.push_back(
          plan::json_gate(fmt::format("member {} has left PD", step.object), pdctl_ + "member",
                          fmt::format("all(.members[]; .name != {})", plan::jq_text(step.object))));
    }
    if (!step.awaits_majority) return gates;
    gates.push_back(plan::json_gate("a majority of PD members is healthy", pdctl_ + "health",
                                    "([.[] | select(.health)] | length) * 2 > length"));
    return gates;
  }

  /// The set's revision is not the one that it had; where that is not known, nothing can be seen.
  [[nodiscard]] Gates template_changed(const Line& step) const {
    if (step.phase > 0) return {};
    for (const Component c : kComponents) {
      for (const LiveSet& set : live_.of(c)) {
        if (set.statefulset != step.object || set.update_revision.empty()) continue;
        return {kube_.has_new_revision(step.object, set.update_revision)};
      }
    }
    return {};
  }

  [[nodiscard]] Gates is_restarted(const Line& step) const {
    if (step.phase > 0 || has_drawn_name(step.object)) return {};
    const auto split = split_pod_name(step.object);
    if (!split) return is_well(step);
    Gates gates = {kube_.runs_newest(step.object, split->first)};
    std::ranges::move(is_well(step), std::back_inserter(gates));
    return gates;
  }

  [[nodiscard]] Gates is_bigger(const Line& step) const {
    const auto* wished =
        step.changes.empty() ? nullptr : step.changes.front().to.get<std::string>();
    if (wished == nullptr || has_drawn_name(step.object)) return {};
    return {plan::json_gate(fmt::format("claim {} has {}", step.object, *wished),
                            kube_.get("pvc", step.object),
                            fmt::format("{}(.status.capacity.storage | bytes) >= ({} | bytes)",
                                        kBytes, plan::jq_text(*wished)))};
  }

  const Live& live_;
  operators::KubeGates kube_;
  std::string pdctl_;
};

}  // namespace

std::vector<plan::Gate> gates_of(const Input& input, const Line& step) {
  return GateWriter(input).of(step);
}

}  // namespace ballast::tidb
