// SPDX-License-Identifier: BSD-2-Clause
// The model on which passes are simulated: the snapshot, the wish, a clock, and what the passes
// leave behind.
#pragma once

#include <algorithm>
#include <limits>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "ballast/fdb/model/cluster.hpp"
#include "ballast/fdb/model/server_config.hpp"
#include "ballast/fdb/search/step/options.hpp"
#include "ballast/fdb/search/step/trace_step.hpp"

namespace ballast::fdb {

/// A process group with what is under way for it until the next pass.
struct Member : ProcessGroup {
  bool is_new = false;             ///< added by the plan
  bool pod_created = false;        ///< in this pass
  bool pod_deleted = false;        ///< in this pass, to be made anew
  bool resources_deleted = false;  ///< in this pass, for good
  bool is_killed = false;          ///< in this pass
  bool was_touched = false;        ///< the plan made its pod (anew): snapshot troubles are over
  bool exclude_running = false;    ///< excluded, its data and roles have not moved away yet
  bool exclusion_told = false;     ///< a step of the plan says that its exclusion runs
  int pods_started = 0;            ///< by the plan: each has an address of its own
  int settled_in = 0;  ///< epoch of the world in which its conditions were found to be lasting
  bool has_bound_domain = false;  ///< fault_domain is a logical one, fixed for life
};

/// What the snapshot's pods of a class tell of sizes.
struct ClassSizes {
  std::optional<double> disk_per_request;  ///< bytes of the disk for each byte of the claim
  bool has_stored = false;                 ///< some of them tell what they store
};

/// Texts as small numbers, so that 2,000 groups compare quickly.
class Interner {
 public:
  int id(const std::string& text) {
    const auto [entry, is_new] = ids_.emplace(text, static_cast<int>(ids_.size()) + 1);
    if (is_new) texts_.push_back(text);
    return entry->second;
  }
  /// The text behind a number; null where there is none.
  [[nodiscard]] const std::string* text(int id) const {
    const auto at = static_cast<std::size_t>(id) - 1;
    return id > 0 && at < texts_.size() ? &texts_[at] : nullptr;
  }

 private:
  std::unordered_map<std::string, int> ids_;
  std::vector<std::string> texts_;  ///< behind number i + 1
};

/// What ended or delayed the pass.
struct PassState {
  int number = 0;
  bool has_ended = false;
  bool made_progress = false;
  std::int64_t delay = 0;         ///< longest delayed requeue asked for, seconds
  std::int64_t end_delay = 0;     ///< of the step that ended the pass
  std::vector<TraceStep> waits;   ///< gates that depend on time or on the world
  std::vector<TraceStep> blocks;  ///< gates that nothing known will open
  bool config_map_written = false;
  bool is_quiet = false;               ///< only the status and the removals were looked at
  bool coordinators_deferred = false;  ///< invalid, and not all addresses are ready for others
  /// Seconds after which the next pass comes.
  [[nodiscard]] std::int64_t requeue() const {
    return has_ended ? end_delay : std::max<std::int64_t>(10, delay);
  }
  /// What the fault tolerance lacked when the pass began: the operator reads the status once.
  std::optional<std::string> tolerance_lack;
};

struct World;

/// States of the world that somebody wants to see, each right after a step has been done; after a
/// wait, once it is over.
struct Captures {
  std::set<int> wanted;  ///< serial numbers of steps
  std::map<int, std::shared_ptr<const World>> taken;
  std::set<int> due;         ///< done, but what belongs to them may still follow
  std::set<int> after_pass;  ///< waits: due once the world has moved
};

struct World {
  const Cluster* snapshot = nullptr;
  ClusterSpec spec;
  PlanOptions options;
  ClusterStatus status;
  std::vector<Member> groups;  ///< sorted by ID
  Database db;
  std::map<std::string, std::string> config_map;
  std::map<std::string, std::string> config_map_metadata;  ///< as the old spec wished it
  bool has_config_map = true;
  int config_map_epoch = 0;  ///< epoch in which it was last compared
  bool has_headless_service = false;
  Time now = 0;
  PerClass<int> wanted{};
  DatabaseConfiguration wanted_configuration;
  Interner commands;
  Interner configs;
  PassState pass;
  std::vector<TraceStep> steps;
  Footprint latest_footprint;
  int passes = 0;
  int serial = 0;                 ///< of the latest step, dropped ones counted
  bool is_quiet = false;          ///< only removals are under way
  bool pods_changed = true;       ///< since the densities and images in use were counted
  bool recovery_pending = false;  ///< a configure of this pass causes a recovery afterwards
  bool replication_pending = false;
  PerClass<ClassSizes> sizes{};      ///< of the snapshot's pods, for pods that start
  bool has_estimated_sizes = false;  ///< some servers got a share of the database's sum
  bool is_upgrading = false;         ///< incompatible, servers still run the old version
  bool has_peers = false;            ///< the other objects of the database are planned as well
  bool buggify_done = false;
  std::map<std::string, Time> maintenance_groups;
  bool coordinators_moved = false;  ///< a pod that holds one went or came since the last pass
  bool has_lost_quorum = false;     ///< by steps of the plan
  bool heals = false;               ///< data that the snapshot lacks comes back with its groups
  bool heals_storage = false;       ///< some of these are storage groups
  Captures captures;

  [[nodiscard]] CommandInputs inputs() const {
    return {&spec, &status, &snapshot->name, &snapshot->name_space};
  }
  [[nodiscard]] bool is_seed() const { return options.profile == Profile::Seed; }
  [[nodiscard]] bool by_locality() const {
    return !is_seed() && spec.excludes_by_locality(status.running_version);
  }
  [[nodiscard]] bool is_tls_conversion() const {
    return status.required.tls && status.required.non_tls;
  }
  Member* find(std::string_view id);
  [[nodiscard]] const Member* find(std::string_view id) const;

  // Not operators::Trace, which writes the plan's steps for good: a wait is a line of the plan only
  // if no later pass opens its gate at once, so lines stay open (release, first_open_step) until
  // the last pass is known, and fdb/search/plan makes steps of them then.

  /// Appends a step of this pass. Classes and target order come from `targets`.
  TraceStep& emit(Reconciler reconciler, Action action, std::vector<std::string> targets,
                  std::string detail = {});
  /// A gate that time or the world will open; `until` where it is known. Without targets it holds
  /// the whole pass, and is a step only if `tells_always`.
  void wait(Reconciler reconciler, std::string gate, std::int64_t required,
            std::vector<std::string> targets, std::optional<Time> until, std::string observed = {},
            std::string stopped_by = {}, bool tells_always = false);
  /// A gate that only a change of state opens.
  void block(Reconciler reconciler, std::string gate, std::vector<std::string> targets,
             std::string observed);
  /// What `reconciler` held back at `gate` has happened: its wait lines are final.
  void release(Reconciler reconciler, std::string_view gate, std::int64_t required);
  /// The same for every wait at the gate, whatever it required.
  void release_gate(Reconciler reconciler, std::string_view gate);
  /// Takes the captures that are due: between two steps, or after a reconciler.
  void capture();
  /// Waits that were told and may still be dropped, among the steps.
  [[nodiscard]] std::vector<TraceStep>::iterator first_open_step();
  void end_pass(std::int64_t delay);
  void delay_pass(std::int64_t delay);

  /// Seconds since the last recovery; very large where it is not known.
  [[nodiscard]] std::int64_t recovery_age() const;
  void recovered() { db.recovered_at = now; }
  [[nodiscard]] int command_id(ProcessClass c, ImageType image, int density);
  [[nodiscard]] int config_id(ProcessClass c, ImageType image, int density);
  /// Start commands and configurations may differ from now on.
  void clear_signature_cache() {
    command_cache_.clear();
    config_cache_.clear();
    ++epoch_;
    forget_awake();
  }
  /// Its conditions stay as they are until something happens to the group.
  [[nodiscard]] bool is_settled(const Member& group) const { return group.settled_in == epoch_; }
  void settle_down(Member& group) const { group.settled_in = epoch_; }
  /// Something happens to the group: its conditions are looked at again.
  void rouse(Member& group) {
    group.settled_in = 0;
    forget_awake();
  }
  /// Positions of the groups to which a pass may do something: those that have not settled, and the
  /// departing ones. The others are as wished, or wait untouched until their replacement begins.
  /// The list stays as it is while it is walked, but not when groups come or go.
  const std::vector<std::size_t>& awake();
  /// It is put together anew when it is asked for next.
  void forget_awake() { knows_awake_ = false; }
  /// Positions of the groups that are marked or whose resources are terminating. Whoever marks,
  /// adds or drops groups calls `forget_departing`.
  const std::vector<std::size_t>& departing();
  void forget_departing() {
    departing_.reset();
    forget_awake();
  }
  /// Groups of each class, all and unmarked.
  struct Counts {
    PerClass<int> all{};
    PerClass<int> unmarked{};
  };
  const Counts& counts();
  [[nodiscard]] int epoch() const { return epoch_; }
  /// Pods and volumes there are once what was deleted in this pass is gone.
  [[nodiscard]] Footprint footprint() const;
  /// `latest_footprint` brought up to date where the pass did nothing but remove.
  void shrink_footprint();
  /// Servers that the group should have.
  [[nodiscard]] int expected_processes(const Member& group) const;

 private:
  int epoch_ = 1;
  std::optional<std::vector<std::size_t>> departing_;
  Counts counts_;  ///< of the time when `departing_` was put together
  std::vector<std::size_t> awake_;
  bool knows_awake_ = false;
  std::size_t closed_steps_ = 0;  ///< none of the first ones is a wait that may still change
  std::map<std::tuple<ProcessClass, ImageType, int>, int> command_cache_;
  std::map<std::tuple<ProcessClass, ImageType, int>, int> config_cache_;
};

/// The start of a simulation: snapshot and wish joined, nothing done yet.
World make_world(const Cluster& snapshot, const ClusterSpec& desired, const PlanOptions& options);

/// The pod was made a moment ago and is on its way up, as far as the snapshot can tell.
bool is_starting(const Cluster& snapshot, const ClusterSpec& desired, const ProcessGroup& group);

/// Differences of pods and volumes from the wish, once, at the start of a simulation.
void compare_specs(World& world);

/// The group's pod, or its claim once that is gone, is being deleted and will be gone soon. A pod
/// that has been so for longer than the operator waits for it is stuck, say on a dead node.
bool is_vanishing(const World& world, const Member& group);

/// Some groups with data neither report nor have been emptied, or are being emptied just now.
bool lacks_data(const World& world, std::optional<ProcessClass> of_class = std::nullopt);

/// What happens between two passes. True where anything did.
bool settle(World& world);

/// Killed servers are back and recoveries over: what a step of the last pass set off at once.
void settle_restarts(World& world);

/// Servers of a pod that starts now: running, reporting, holding nothing yet.
void start_processes(World& world, Member& group);

// Gates. Each returns whether it holds; where it does not, the wait or block is recorded and the
// pass ended or delayed.

/// A gate of the database: available, at most 10 generations, and the last recovery at least `age`
/// seconds ago.
struct DatabaseGate {
  Reconciler reconciler = Reconciler::UpdateStatus;
  std::int64_t age = 0;
  bool checks_state = true;
  std::vector<std::string> targets;
  bool tells_always = false;  ///< a wait is a step although it holds no group
};
bool passes(World& world, const DatabaseGate& gate);

/// Takes or extends the lock that operators of one database share, where the object uses it.
bool takes_lock(World& world, Reconciler reconciler, const std::vector<std::string>& targets);
/// The fault tolerance was there when the pass began; `gate.age` is not looked at.
bool is_tolerant(World& world, const DatabaseGate& gate);

/// The fault tolerance that the configured mode wants is there; otherwise why not.
std::optional<std::string> lacks_fault_tolerance(const World& world);

}  // namespace ballast::fdb
