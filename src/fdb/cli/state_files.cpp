// SPDX-License-Identifier: BSD-2-Clause
#include "ballast/fdb/cli/state_files.hpp"

#include <fmt/format.h>

#include <cstdint>
#include <map>
#include <set>

#include "ballast/fdb/cli/groups_report.hpp"
#include "ballast/report/plan_json.hpp"

namespace ballast::fdb {
namespace {

using doc::Tree;

/// Placeholders of the simulation to names and addresses that could be real: the same ones for the
/// same placeholder, whatever else there is.
class Concrete {
 public:
  Tree of(const Tree& node) {
    switch (node.kind()) {
      case Tree::Kind::String:
        return Tree::string(text(node.text()));
      case Tree::Kind::List: {
        Tree list = Tree::list();
        for (const Tree& item : node.items()) list.items().push_back(of(item));
        return list;
      }
      case Tree::Kind::Map: {
        Tree map = Tree::map();
        for (const auto& [key, value] : node.entries()) map.entries().emplace_back(key, of(value));
        return map;
      }
      default:
        return node;
    }
  }

 private:
  std::string text(const std::string& given) {
    std::string result;
    std::size_t at = 0;
    for (;;) {
      const auto open = given.find('<', at);
      const auto close = open == std::string::npos ? open : given.find('>', open);
      if (close == std::string::npos) return result + given.substr(at);
      const std::string name = given.substr(open + 1, close - open - 1);
      result += given.substr(at, open - at);
      const std::string other = replacement(name);
      result += other.empty() ? given.substr(open, close - open + 1) : other;
      at = close + 1;
    }
  }

  std::string replacement(const std::string& name) {
    constexpr std::string_view kIp = "ip of ";
    constexpr std::string_view kZone = "zone of ";
    constexpr std::string_view kHall = "hall of ";
    if (name.starts_with(kIp)) return address(name);
    if (name.starts_with(kZone)) return "zone-of-" + name.substr(kZone.size());
    if (name.starts_with(kHall)) return "hall-of-" + name.substr(kHall.size());
    if (name == "new" || name == "random" || name == "unknown") return name;
    return {};
  }

  std::string address(const std::string& name) {
    const auto known = addresses_.find(name);
    if (known != addresses_.end()) return known->second;
    constexpr std::uint32_t kAll = 1U << 17;  // 198.18.0.0/15
    std::uint32_t number = 2166136261U;       // FNV-1a
    for (const char c : name) number = (number ^ static_cast<unsigned char>(c)) * 16777619U;
    number = (number ^ (number >> 17)) % kAll;
    while (!used_.insert(number).second) number = (number + 1) % kAll;
    return addresses_[name] =
               fmt::format("198.{}.{}.{}", 18 + (number >> 16), (number >> 8) & 255, number & 255);
  }

  std::map<std::string, std::string> addresses_;
  std::set<std::uint32_t> used_;
};

Tree health_node(const World& world) {
  const bool is_full = !lacks_fault_tolerance(world);
  return Tree::map(
      {{"available", Tree::boolean(world.db.is_available)},
       {"healthy", Tree::boolean(world.db.is_available && world.db.data_is_healthy)},
       {"fullReplication", Tree::boolean(world.db.full_replication.value_or(is_full))}});
}

}  // namespace

StateFiles state_files(const Loaded& loaded, const World& world) {
  Concrete concrete;
  Tree cluster = cluster_node(world, loaded.desired_spec, false);
  if (loaded.desired_generation != 0)
    cluster.find("metadata")->set("generation", Tree::integer(loaded.desired_generation));
  cluster.find("status")->set("health", health_node(world));
  StateFiles files;
  files.cluster = doc::emit_yaml(concrete.of(cluster));
  files.objects = report::value_to_json(concrete.of(objects_node(loaded, world)).to_value());
  files.database = report::value_to_json(concrete.of(database_node(loaded, world)).to_value());
  return files;
}

}  // namespace ballast::fdb
