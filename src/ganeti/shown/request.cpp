// SPDX-License-Identifier: BSD-2-Clause
#include <fmt/format.h>

#include <array>

#include "ballast/core/strings.hpp"
#include "ballast/ganeti/shown/shown.hpp"
#include "parts.hpp"

namespace ballast::ganeti {
namespace {

std::string shown_index(std::int32_t index) { return std::to_string(index); }

template <class Tag>
std::string shown_ids(const std::vector<Id<Tag>>& ids) {
  return notation::shown_elements(ids, [](Id<Tag> id) { return shown_index(id.value()); });
}

class Shower {
 public:
  explicit Shower(const std::vector<std::string>& symbols) : symbols_(&symbols) {}

  std::string operator()(const AllocateRequest& request) const {
    const auto& nodes = request.restrict_to_nodes;
    return fmt::format("Allocate ({}) ({}) {}", instance(request.wanted), details(request.wanted),
                       nodes ? fmt::format("(Just {})", shown_list(*nodes)) : "Nothing");
  }
  std::string operator()(const MultiAllocateRequest& request) const {
    return "MultiAllocate " + notation::shown_elements(request.wanted, [&](const NewInstance& one) {
             return fmt::format("({},{})", instance(one), details(one));
           });
  }
  std::string operator()(const RelocateRequest& request) const {
    return fmt::format("Relocate {} {} {}", request.instance.value(),
                       notation::shown_argument(request.required_nodes), shown_ids(request.from));
  }
  std::string operator()(const ChangeGroupRequest& request) const {
    return fmt::format("ChangeGroup {} {}", shown_ids(request.instances),
                       shown_ids(request.targets));
  }
  std::string operator()(const NodeEvacuateRequest& request) const {
    constexpr std::array kModes{"ChangePrimary", "ChangeSecondary", "ChangeAll"};
    return fmt::format("NodeEvacuate {} {}", shown_ids(request.instances),
                       kModes[static_cast<std::size_t>(request.mode)]);
  }
  std::string operator()(const AllocateSecondaryRequest& request) const {
    return fmt::format("AllocateSecondary {}", request.instance.value());
  }

 private:
  /// Both its nodes are shown as 0 before it is placed, and it does not count for automatic repair.
  [[nodiscard]] std::string instance(const NewInstance& wanted) const {
    return notation::shown_instance(wanted.instance, {0, 0, -1, 0}, *symbols_, "ArNotEnabled");
  }
  static std::string details(const NewInstance& wanted) {
    const std::string group = notation::shown_optional(wanted.group);
    return fmt::format("AllocDetails {} {}", notation::shown_argument(wanted.required_nodes),
                       wanted.group ? fmt::format("({})", group) : group);
  }

  const std::vector<std::string>* symbols_;
};

}  // namespace

std::string shown_of(const Request& request, const std::vector<std::string>& symbols) {
  return std::visit(Shower(symbols), request);
}

}  // namespace ballast::ganeti
