// SPDX-License-Identifier: BSD-2-Clause
#include "ballast/core/decimal.hpp"
#include "ballast/core/strings.hpp"
#include "ballast/core/table.hpp"
#include "ballast/ganeti/cli/tables/listing.hpp"

#include <algorithm>

namespace ballast::ganeti::cli {
namespace {

using Align = TextTable::Align;

std::string load_text(double value) { return pad_left(fixed(value, 3), 5); }

/// Division that rounds toward minus infinity: sizes in a snapshot may be negative.
std::int64_t floor_gib(std::int64_t mib) { return mib >> 10; }

}  // namespace

tl::expected<std::string, NodeId> instance_table(const Cluster& cluster, const State& state,
                                                 const Part& part) {
  TextTable table;
  table.columns = {{"F", Align::Left},        {"Name", Align::Left},     {"Pri_node", Align::Left},
                   {"Sec_node", Align::Left}, {"Auto_bal", Align::Left}, {"vcpu", Align::Right},
                   {"mem", Align::Right},     {"dsk", Align::Right},     {"lCpu", Align::Right},
                   {"lMem", Align::Right},    {"lDsk", Align::Right},    {"lNet", Align::Right}};
  for (const InstanceId id : part.instances) {
    const Instance& instance = cluster[id];
    const Placement& placement = state[id];
    std::string secondary;
    if (!placement.secondary.is_none()) {
      if (!std::binary_search(part.nodes.begin(), part.nodes.end(), placement.secondary)) {
        return tl::unexpected(placement.secondary);
      }
      secondary = cluster[placement.secondary].name;
    }
    table.rows.push_back(
        {instance.is_running() ? "R" : " ", instance.name, cluster[placement.primary].name,
         secondary, instance.auto_balance ? "Y" : "N", pad_left(std::to_string(instance.vcpus), 3),
         pad_left(std::to_string(instance.memory_mib), 5),
         pad_left(std::to_string(floor_gib(instance.disk_mib)), 5), load_text(instance.load.cpu),
         load_text(instance.load.mem), load_text(instance.load.disk),
         load_text(instance.load.net)});
  }
  return table.render();
}

}  // namespace ballast::ganeti::cli
