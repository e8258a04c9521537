// SPDX-License-Identifier: BSD-2-Clause
// What shows in a cluster that an operator has made a step (plan::Gate), as kubectl tells it.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "ballast/plan/plan.hpp"

namespace ballast::operators {

/// A jq program that says true of a pod that is Ready.
constexpr std::string_view kPodIsReady =
    "any(.status.conditions[]?; .type == \"Ready\" and .status == \"True\")";

class KubeGates {
 public:
  /// Empty: the namespace "default".
  explicit KubeGates(std::string_view name_space);

  /// "kubectl -n NS ", with the blank.
  [[nodiscard]] const std::string& kubectl() const { return kubectl_; }
  /// The command that prints an object as JSON.
  [[nodiscard]] std::string get(std::string_view kind, std::string_view name) const;

  [[nodiscard]] plan::Gate exists(std::string_view kind, std::string_view name) const;
  [[nodiscard]] plan::Gate gone(std::string_view kind, std::string_view name) const;
  [[nodiscard]] plan::Gate pod_is_ready(std::string_view pod) const;
  [[nodiscard]] plan::Gate set_has_ready(std::string_view statefulset, std::int64_t pods) const;
  /// The set's revision is not `older`, and its controller has seen the change.
  [[nodiscard]] plan::Gate has_new_revision(std::string_view statefulset,
                                            std::string_view older) const;
  [[nodiscard]] plan::Gate runs_newest(std::string_view pod, std::string_view statefulset) const;

 private:
  std::string kubectl_;
};

}  // namespace ballast::operators
