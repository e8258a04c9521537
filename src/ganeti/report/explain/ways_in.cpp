// SPDX-License-Identifier: BSD-2-Clause
#include <algorithm>

#include "ballast/ganeti/model/unit_resolver.hpp"
#include "moves.hpp"

namespace ballast::ganeti::alloc {
namespace {

constexpr std::int64_t kScale = 64;  ///< steps of sizes in proportion

/// `step` parts of `whole` of a figure; not below the least, where it is not smaller anyway.
std::int64_t part_of(std::int64_t figure, std::int64_t step, std::int64_t whole,
                     std::int64_t least) {
  return std::max(figure * step / whole, std::min(figure, least));
}

/// The smallest figures that some policy lets in.
InstanceSpec least_of(const Cluster& cluster) {
  std::optional<InstanceSpec> least;
  for (const Group& group : cluster.groups) {
    for (const SpecRange& range : group.policy.ranges) {
      if (!least) least = range.min;
      least->memory_mib = std::min(least->memory_mib, range.min.memory_mib);
      least->disk_mib = std::min(least->disk_mib, range.min.disk_mib);
      least->cpu_count = std::min(least->cpu_count, range.min.cpu_count);
    }
  }
  InstanceSpec found = least.value_or(InstanceSpec{});
  found.memory_mib = std::max<std::int64_t>(found.memory_mib, 1);
  found.disk_mib = std::max<std::int64_t>(found.disk_mib, 1);
  found.cpu_count = std::max<std::int64_t>(found.cpu_count, 1);
  return found;
}

class Ways {
 public:
  Ways(const ScopedCluster& scope, const AllocateRequest& request, const AllocatorOptions& options,
       std::size_t most_moves)
      : scope_(scope),
        scene_(scene_of(scope)),
        request_(request),
        options_(options),
        most_moves_(most_moves),
        least_(least_of(scene_.cluster)) {}

  WaysIn find() {
    WaysIn ways;
    ways.options = options();
    ways.groups = groups();
    const Instance& wanted = request_.wanted.instance;
    ways.less_memory = largest(
        wanted.memory_mib, [&](std::int64_t memory) { return sized(memory, kAll, wanted.vcpus); });
    if (!wanted.disks.empty()) {
      const std::int64_t step = largest_step(
          [&](std::int64_t part) {
            return fits(sized(wanted.memory_mib, part, wanted.vcpus, kFine));
          },
          kFine);
      if (step > 0)
        ways.less_disk = size_of(sized(wanted.memory_mib, step, wanted.vcpus, kFine), 0);
    }
    const std::int64_t now =
        largest_step([&](std::int64_t part) { return fits(in_proportion(part)); }, kScale);
    if (now > 0) ways.smaller = size_of(in_proportion(now), 0);
    if (most_moves_ > 0) ways.after_moves = after_moves(now);
    return ways;
  }

 private:
  static constexpr std::int64_t kAll = kScale;
  static constexpr std::int64_t kFine = 4096;  ///< steps of disks alone

  [[nodiscard]] bool fits(const AllocateRequest& request, const AllocatorOptions& how) const {
    return answer_request(scene_.cluster, scene_.state, request, how).success;
  }
  [[nodiscard]] bool fits(const AllocateRequest& request) const { return fits(request, options_); }

  /// Each option by itself; where none is enough, all together.
  [[nodiscard]] std::vector<std::string> options() const {
    std::vector<std::string> found;
    const auto try_with = [&](const std::string& name, const AllocatorOptions& how) {
      if (fits(request_, how)) found.push_back(name);
    };
    AllocatorOptions all = options_;
    std::string names;
    const auto join_in = [&](const char* name) {
      names += (names.empty() ? "" : " ") + std::string(name);
    };
    if (options_.capacity_checks) {
      AllocatorOptions how = options_;
      how.capacity_checks = all.capacity_checks = false;
      join_in("--no-capacity-checks");
      try_with("--no-capacity-checks", how);
    }
    if (!options_.ignore_soft_errors && !options_.ignore_all_soft_errors) {
      AllocatorOptions how = options_;
      how.ignore_soft_errors = true;
      try_with("--ignore-soft-errors", how);
    }
    if (!options_.ignore_all_soft_errors) {
      AllocatorOptions how = options_;
      how.ignore_all_soft_errors = all.ignore_all_soft_errors = true;
      join_in("--ignore-soft-errors=all");
      const bool is_known =
          std::find(found.begin(), found.end(), "--ignore-soft-errors") != found.end();
      if (!is_known) try_with("--ignore-soft-errors=all", how);
    }
    if (found.empty() && names.find(' ') != std::string::npos) try_with(names, all);
    return found;
  }

  [[nodiscard]] std::vector<std::string> groups() const {
    std::vector<std::string> found;
    if (request_.wanted.group || !options_.capacity_checks) return found;
    for (const Group& group : scene_.cluster.groups) {
      if (group.alloc_policy == AllocPolicy::Unallocable) continue;
      AllocateRequest named = request_;
      named.wanted.group = group.name;
      if (fits(named)) found.push_back(group.name);
    }
    return found;
  }

  /// The instance with that memory and those CPUs, its disks scaled to `part` of `whole` each.
  [[nodiscard]] AllocateRequest sized(std::int64_t memory, std::int64_t part, std::int64_t vcpus,
                                      std::int64_t whole = kScale) const {
    AllocateRequest request = request_;
    Instance& instance = request.wanted.instance;
    instance.memory_mib = memory;
    instance.vcpus = vcpus;
    for (Disk& disk : instance.disks) {
      const std::int64_t less =
          disk.size_mib - alloc::part_of(disk.size_mib, part, whole, least_.disk_mib);
      disk.size_mib -= less;
      disk.taken_mib = std::max<std::int64_t>(0, disk.taken_mib - less);
      instance.disk_mib -= less;
    }
    return request;
  }

  [[nodiscard]] AllocateRequest in_proportion(std::int64_t part) const {
    const Instance& wanted = request_.wanted.instance;
    return sized(alloc::part_of(wanted.memory_mib, part, kScale, least_.memory_mib), part,
                 alloc::part_of(wanted.vcpus, part, kScale, least_.cpu_count));
  }

  [[nodiscard]] static FittingSize size_of(const AllocateRequest& request, std::size_t moves) {
    const Instance& instance = request.wanted.instance;
    return {instance.memory_mib, instance.disk_mib, instance.vcpus, moves};
  }

  /// The largest step below `whole` at which the answer is yes; 0: none. Policies may forbid the
  /// smallest ones, so some in between are asked first.
  template <class Ask>
  [[nodiscard]] static std::int64_t largest_step(Ask ask, std::int64_t whole) {
    std::int64_t yes = 0;
    for (std::int64_t step = whole / 2; step > 0 && yes == 0; step /= 2) {
      for (const std::int64_t one : {step, step + step / 2}) {
        if (one < whole && ask(one)) yes = std::max(yes, one);
      }
    }
    std::int64_t no = whole;
    while (yes > 0 && no - yes > 1) {
      const std::int64_t middle = (yes + no) / 2;
      (ask(middle) ? yes : no) = middle;
    }
    return yes;
  }

  template <class Make>
  [[nodiscard]] std::optional<FittingSize> largest(std::int64_t whole, Make make) const {
    const std::int64_t found =
        largest_step([&](std::int64_t value) { return fits(make(value)); }, whole);
    if (found == 0) return std::nullopt;
    return size_of(make(found), 0);
  }

  [[nodiscard]] std::optional<MadeRoom> room_for(const AllocateRequest& request) const {
    AllocationExplanation explained =
        explain_new(scope_, request.wanted, request.restrict_to_nodes, options_);
    look_for_room(scope_, request, options_, most_moves_, explained);
    return std::move(explained.room);
  }

  /// Between what fits now and what was asked for, which found no room.
  [[nodiscard]] std::optional<FittingSize> after_moves(std::int64_t now) const {
    std::optional<FittingSize> found;
    std::int64_t yes = now;
    std::int64_t no = kScale;
    while (no - yes > 1) {
      const std::int64_t middle = (yes + no) / 2;
      const AllocateRequest request = in_proportion(middle);
      const auto room = room_for(request);
      if (room) found = size_of(request, room->moves.size());
      (room ? yes : no) = middle;
    }
    return found;
  }

  const ScopedCluster& scope_;
  Scene scene_;
  const AllocateRequest& request_;
  const AllocatorOptions& options_;
  std::size_t most_moves_;
  InstanceSpec least_;
};

}  // namespace

void look_for_ways(const ScopedCluster& scope, const AllocateRequest& request,
                   const AllocatorOptions& options, std::size_t most_moves,
                   AllocationExplanation& explanation) {
  const bool fits = std::any_of(explanation.candidates.begin(), explanation.candidates.end(),
                                [](const CandidateVerdict& one) { return !one.refusal; });
  if (fits || explanation.candidates.empty()) return;
  Ways ways(scope, request, options, explanation.room ? 0 : most_moves);
  explanation.ways = ways.find();
}

}  // namespace ballast::ganeti::alloc
