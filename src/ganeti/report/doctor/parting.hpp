// SPDX-License-Identifier: BSD-2-Clause
// Takes instances with one exclusion tag apart that run on one node, conflict after conflict: each
// is looked at in the state that the moves for the ones before it give, so that all commands hold
// together.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "ballast/ganeti/report/doctor/doctor.hpp"
#include "ballast/ganeti/report/explain/explain.hpp"

namespace ballast::ganeti::doctor {

struct Conflict {
  NodeId node;
  TagId tag;
  std::vector<InstanceId> instances;  ///< primaries of the node with the tag, in index order
};

class Parting {
 public:
  Parting(const Patient& patient, const Part& part)
      : patient_(patient), part_(part), state_(patient.state) {}

  /// The commands that leave one of the conflict's instances on the node, as many as can be had,
  /// and what keeps the others there.
  std::string advice(const Conflict& conflict);

 private:
  struct Way {
    InstanceId instance;
    ExplainedMove move;
  };
  struct Ways {
    std::optional<Way> legal;
    std::optional<Way> forbidden;
  };

  [[nodiscard]] std::vector<InstanceId> still_together(const Conflict& conflict) const;
  [[nodiscard]] Ways best_ways(const std::vector<InstanceId>& instances, NodeId node) const;
  struct Told {
    std::vector<std::string> commands;
    std::vector<std::string> reasons;  ///< why another instance has to move first
  };
  void go(const Way& way, Told& told);
  bool go_after_another(const Way& way, Told& told);
  [[nodiscard]] std::string what_keeps(const std::optional<Way>& forbidden) const;
  [[nodiscard]] std::optional<InstanceId> in_the_way(const Way& way) const;

  const Patient& patient_;
  const Part& part_;
  State state_;
};

}  // namespace ballast::ganeti::doctor
