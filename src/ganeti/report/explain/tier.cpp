// SPDX-License-Identifier: BSD-2-Clause
#include "ballast/ganeti/report/explain/tier.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "ballast/core/error.hpp"
#include "ballast/core/glob.hpp"
#include "ballast/core/shell.hpp"
#include "ballast/ganeti/model/ids_of.hpp"
#include "ballast/ganeti/model/unit_resolver.hpp"

namespace ballast::ganeti {
namespace {

std::int64_t size_of_disks(const Instance& instance) {
  std::int64_t mib = 0;
  for (const Disk& disk : instance.disks) mib += disk.size_mib;
  return mib;
}

std::string unit_names(const Cluster& cluster) {
  std::string names;
  for (const StorageKey& key : cluster.storage_keys)
    names += (names.empty() ? "" : ", ") + to_string(key);
  return names;
}

std::optional<DiskTemplate> template_of(std::string_view type) {
  for (const DiskTemplate one : kDiskTemplates) {
    if (storage_type_of(one) == type) return one;
  }
  return std::nullopt;
}

class TierMover {
 public:
  TierMover(const Cluster& cluster, const State& state, const TierWish& wish)
      : cluster_(cluster), state_(state), wish_(wish) {}

  std::vector<TierMove> run() {
    std::vector<TierMove> moves;
    for (const InstanceId id : instance_ids(cluster_)) {
      if (!matches_glob(wish_.names, cluster_[id].name) || is_there(cluster_[id])) continue;
      moves.push_back(move(id));
    }
    return moves;
  }

 private:
  [[nodiscard]] bool is_there(const Instance& instance) const {
    return instance.disk_template == wish_.disk_template &&
           std::all_of(instance.disks.begin(), instance.disks.end(),
                       [&](const Disk& disk) { return disk.unit == wish_.unit; });
  }

  /// As it will be.
  [[nodiscard]] Instance wanted(const Instance& instance) const {
    Instance target = instance;
    target.disk_template = wish_.disk_template;
    target.disk_mib = size_of_disks(instance);
    for (Disk& disk : target.disks) {
      disk.unit = wish_.unit;
      disk.meta_unit = StorageKeyId();
    }
    set_usual_takings(target);
    return target;
  }

  TierMove move(InstanceId id) {
    const Instance instance = cluster_[id];  // as it was: the cluster's becomes the new one
    const Placement before = state_[id];
    TierMove result{id, {before.primary, NodeId(), 0}, std::nullopt, hindrance_of(instance), {}, 0,
                    0};
    if (!result.hindrance.empty()) return result;
    const Instance target = wanted(instance);
    // The disks alone: memory and CPUs are there already.
    Instance disks = target;
    disks.memory_mib = 0;
    disks.vcpus = 0;
    disks.spindle_use = 0;
    disks.exclusion_tags.clear();
    disks.rules.clear();
    NodeState on_primary = state_[before.primary];
    const InstanceRef ref{InstanceId(), &disks, {before.primary, NodeId(), 0}, true};
    result.refusal = put(before.primary, on_primary, ref);
    if (result.refusal) return result;
    if (has_secondary(wish_.disk_template)) {
      result.refusal = choose_secondary(id, disks, result.after);
      if (result.refusal) return result;
    }
    settle(id, target, result.after);
    tell(instance, before, result);
    return result;
  }

  [[nodiscard]] MaybeRefusal put(NodeId node, NodeState& state, const InstanceRef& ref) const {
    const NodeState before = state;
    if (auto no = add_primary(cluster_, node, state, ref, Checks::Hard)) return no;
    return check_reserve(cluster_, node, before, state);
  }

  /// The node that holds its mirror, else the one with the most room.
  MaybeRefusal choose_secondary(InstanceId id, const Instance& disks, Placement& after) const {
    const Placement& before = state_[id];
    MaybeRefusal last;
    double best = -1;
    for (const NodeId node : node_ids(cluster_)) {
      if (node == before.primary || cluster_[node].is_offline ||
          cluster_[node].group != cluster_[before.primary].group)
        continue;
      NodeState state = state_[node];
      const InstanceRef ref{InstanceId(), &disks, {before.primary, node, 0}, true};
      auto no = add_secondary(cluster_, node, state, ref, before.primary, Checks::All);
      if (!no) no = check_reserve(cluster_, node, state_[node], state);
      if (no) {
        last = no;
        continue;
      }
      const double room = node == before.secondary ? 2 : state.disk_fraction;
      if (room <= best) continue;
      best = room;
      after.secondary = node;
    }
    if (best >= 0) return std::nullopt;
    if (last) return last;
    return Refusal{FailReason::Disk, Rule::NotMirrored, before.primary, -1, {}, 0, 0};
  }

  void settle(InstanceId id, const Instance& target, Placement& after) {
    const Placement before = state_[id];
    const InstanceRef old{id, &cluster_[id], before, false};
    remove_primary(cluster_, before.primary, state_[before.primary], old);
    if (!before.secondary.is_none())
      remove_secondary(cluster_, before.secondary, state_[before.secondary], old);
    cluster_.instances[id.index()] = target;
    const InstanceRef now{id, &cluster_[id], after, true};
    (void)add_primary(cluster_, after.primary, state_[after.primary], now, Checks::None);
    if (!after.secondary.is_none()) {
      (void)add_secondary(cluster_, after.secondary, state_[after.secondary], now, after.primary,
                          Checks::None);
    }
    take_shared_storage(cluster_, state_, now, after.primary);
    state_[id] = after;
  }

  [[nodiscard]] std::string hindrance_of(const Instance& instance) const {
    const auto is_fixed = [](DiskTemplate one) {
      return one == DiskTemplate::Diskless || one == DiskTemplate::Blockdev;
    };
    if (instance.is_forthcoming) return "it does not exist yet";
    if (is_fixed(instance.disk_template) || is_fixed(wish_.disk_template)) {
      return fmt::format("Ganeti does not convert {} to {}", text_of(instance.disk_template),
                         text_of(wish_.disk_template));
    }
    return {};
  }

  /// LVM disks of one volume group become a mirror's half, and the other way round, in place.
  [[nodiscard]] bool stays_in_place(const Instance& instance) const {
    const bool are_lvm =
        uses_local_disk(instance.disk_template) && uses_local_disk(wish_.disk_template);
    if (!are_lvm || instance.disk_template == wish_.disk_template) return false;
    if (wish_.unit.is_none()) return true;
    return std::all_of(instance.disks.begin(), instance.disks.end(), [&](const Disk& disk) {
      return !disk.unit.is_none() && cluster_[disk.unit].key == cluster_[wish_.unit].key;
    });
  }

  void tell(const Instance& instance, const Placement& before, TierMove& move) const {
    const std::int64_t size = size_of_disks(instance);
    const std::int64_t mirror = move.after.secondary.is_none() ? 0 : size;
    const std::string name = shell_operand(instance.name);
    if (instance.is_running()) move.commands.push_back("gnt-instance shutdown " + name);
    if (instance.disk_template == wish_.disk_template) {
      move.stopped_mib = 2 * size;
      move.copied_mib = move.stopped_mib + mirror;
      add_backup_commands(instance, before, move);
    } else {
      move.stopped_mib = stays_in_place(instance) ? 0 : size;
      const bool keeps_mirror = stays_in_place(instance) && has_secondary(instance.disk_template);
      move.copied_mib = move.stopped_mib + (keeps_mirror ? 0 : mirror);
      move.commands.push_back(convert_command(name, move));
    }
    if (instance.is_running()) move.commands.push_back("gnt-instance startup " + name);
  }

  [[nodiscard]] std::string convert_command(const std::string& name, const TierMove& move) const {
    std::string command = fmt::format("gnt-instance modify -t {}", text_of(wish_.disk_template));
    if (!move.after.secondary.is_none())
      command += " --no-wait-for-sync -n " + shell_operand(cluster_[move.after.secondary].name);
    if (wish_.disk_template == DiskTemplate::Ext && !wish_.unit.is_none())
      command += " --ext-params " + shell_word("provider=" + cluster_[wish_.unit].key);
    return command + " " + name;
  }

  void add_backup_commands(const Instance& instance, const Placement& before,
                           TierMove& move) const {
    const std::string name = shell_operand(instance.name);
    const std::string node = shell_operand(cluster_[before.primary].name);
    std::string disks;
    for (std::size_t d = 0; d < instance.disks.size(); ++d) {
      const std::string vg = wish_.unit.is_none() || !uses_local_disk(wish_.disk_template)
                                 ? std::string()
                                 : ",vg=" + cluster_[wish_.unit].key;
      disks +=
          " --disk " + shell_word(fmt::format("{}:size={}M{}", d, instance.disks[d].size_mib, vg));
    }
    std::string places = cluster_[move.after.primary].name;
    if (!move.after.secondary.is_none()) places += ":" + cluster_[move.after.secondary].name;
    move.commands.push_back(fmt::format("gnt-backup export -n {} {}", node, name));
    move.commands.push_back("gnt-instance remove -f " + name);
    move.commands.push_back(fmt::format("gnt-backup import --src-node {} -t {}{} -n {} {}", node,
                                        text_of(wish_.disk_template), disks, shell_word(places),
                                        name));
  }

  Cluster cluster_;
  State state_;
  const TierWish& wish_;
};

}  // namespace

Result<TierWish> read_tier_wish(const Cluster& cluster, std::string_view text) {
  const std::size_t colon = text.find(':');
  const auto expected = [&] {
    return fail(fmt::format(
        "{}: expected NAMES:TYPE/KEY{}", quoted(text),
        cluster.has_storage ? "; there are " + unit_names(cluster) : " or NAMES:TEMPLATE"));
  };
  if (colon == std::string_view::npos || colon == 0) return expected();
  TierWish wish;
  wish.names = text.substr(0, colon);
  const std::string_view tier = text.substr(colon + 1);
  const std::size_t slash = tier.find('/');
  if (!cluster.has_storage) {
    const auto disk_template = parse_disk_template(tier);
    if (!disk_template) return expected();
    wish.disk_template = *disk_template;
    return wish;
  }
  if (slash == std::string_view::npos) return expected();
  const StorageKey key{canonical_storage_type(tier.substr(0, slash)),
                       std::string(tier.substr(slash + 1))};
  const auto place = std::find(cluster.storage_keys.begin(), cluster.storage_keys.end(), key);
  const auto disk_template = template_of(key.type);
  if (place == cluster.storage_keys.end() || !disk_template) return expected();
  wish.unit = StorageKeyId(static_cast<std::size_t>(place - cluster.storage_keys.begin()));
  wish.disk_template = *disk_template;
  return wish;
}

std::vector<TierMove> tier_moves(const Cluster& cluster, const State& state, const TierWish& wish) {
  return TierMover(cluster, state, wish).run();
}

}  // namespace ballast::ganeti
