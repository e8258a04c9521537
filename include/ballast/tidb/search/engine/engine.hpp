// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include "ballast/tidb/search/basis/input.hpp"
#include "ballast/tidb/search/basis/outcome.hpp"
#include "ballast/tidb/search/placement/capacity.hpp"

#include <array>
#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace ballast::tidb {

/// Stores per zone in the course of a plan.
struct ZoneHistory {
  std::map<std::string, std::string> zone_of;  // pod -> zone
  std::map<std::string, std::int64_t> first_counts;
  std::map<std::string, std::int64_t> counts;
  std::vector<std::string> texts;  // the counts, before the plan and after each removal
  std::string emptied;             // the first zone that a step empties
  std::size_t at_step = 0;
  std::size_t from_default = 0;  // removals from the default set
};

/// The simulation behind a plan under the profiles v1.0 and v1.6: it applies the operator's rules
/// to a copy of what runs, and each thing the operator would do becomes a step. Every wait ends
/// well.
class Engine {
 public:
  explicit Engine(const Input& input);
  Outcome run();

 private:
  enum class Phase : std::uint8_t { Normal, Scale, Upgrade };
  /// False: the component is blocked and its planning has ended.
  using Going = bool;

  // engine.cpp: components in turn
  void plan_component(Component c);
  Going work(Component c);
  void defer(Component c);
  bool participates(Component c) const;
  bool is_available(Component c) const;
  Going check_quorum();

  // force.cpp
  bool pd_answers() const;
  bool may_force_pd() const;
  Going force_pd();
  Going force_update(const SetSpec& wished, LiveSet& live);
  Going may_force_replicas(const SetSpec& wished);
  void force_replicas(const SetSpec& wished, LiveSet& live, const std::vector<std::int64_t>& added,
                      const std::vector<std::int64_t>& gone);

  // slots.cpp
  void warn_slots();
  void warn_unused_slots(const SetSpec& set);

  // asked_evictions.cpp
  void serve_evictions(Component c);
  void end_when_ready(const LiveSet& live, const LivePod& pod, const Store& store);
  void delete_when_empty(const LiveSet& live, LivePod& pod, Store& store);

  // suspend.cpp
  bool is_suspended(Component c) const;
  bool changes_before_suspension(Component c) const;
  bool earlier_change(Component c) const;
  bool is_held_by_changes(Component c) const;
  bool other_goes(const std::string& name) const;
  void suspend();
  void suspend_component(Component c);
  bool may_suspend(std::string_view name) const;
  void suspend_other(const std::string& name);
  void resume_other(const std::string& name);
  Line suspension_of(const std::string& statefulset) const;

  // engine.cpp
  bool changes(Component c, const std::string& set) const;
  bool upgrade_wanted(Component c) const;
  bool needs_upgrade(Component c, const std::string& set) const;
  std::vector<std::string> template_difference(Component c, const std::string& set) const;

  // create.cpp
  Going create_component(Component c);
  Going create_set(const SetSpec& wished);
  void objects_of_set(const SetSpec& spec);
  void warn_reused_claims(const SetSpec& spec, const std::vector<std::string>& pods);
  void fill_new_set(const SetSpec& wished, LiveSet& live);
  Going may_resume_pd(const SetSpec& wished);
  void start_store(const std::string& pod);
  void start_member(const std::string& pod);
  void services_before(Component c);
  void services_after(Component c);
  void service(Action action, Component c, const std::string& set, const std::string& name,
               std::string_view why);

  // scale.cpp
  Going scale(Component c);
  Going scale_out_set(const SetSpec& wished);
  Going scale_in_set(Component c, const std::string& set);
  Going remove_sets(Component c);
  void delete_set(Component c, const std::string& set);
  Going may_join(const SetSpec& spec, const LiveSet& live, const std::string& pod);
  void explain_scale_out(const SetSpec& spec, const LiveSet& live, Line& step);
  void hold_back(LiveSet& live) const;
  void add_pod(const SetSpec& spec, LiveSet& live, std::int64_t ordinal);
  Going scale_out_pod(const SetSpec& wished, std::int64_t ordinal);
  Going stale_claims(const SetSpec& wished, const std::string& pod, std::int64_t ordinal,
                     Line& step);
  Going scale_in_pod(Component c, const std::string& set, std::int64_t ordinal);
  void finish_scale_in(LiveSet& live, Line step);
  std::vector<std::int64_t> additions(Component c, const std::string& set) const;
  std::vector<std::int64_t> removals(Component c, const std::string& set) const;
  std::int64_t pods_in_a_pass(Component c, const std::string& set, bool out) const;
  std::string pace_of(Component c, const std::string& set, bool out) const;
  std::optional<std::int64_t> batch_for(Component c, const std::string& set, bool out);

  // scale_pd.cpp, scale_tikv.cpp
  Going scale_in_pd(LiveSet& live, const std::string& pod, Line& step);
  Going scale_in_tikv(LiveSet& live, const LivePod& pod, Line& step);
  Going max_replicas_guard(const LiveSet& live, const std::string& pod, const Store* store);
  Going batch_guard(Component c, const std::string& set, const std::vector<std::int64_t>& batch);
  Going without_store(const LiveSet& live, const LivePod& pod);
  void drain_store(Store& store, const LivePod& pod, Line& step);
  void check_room(const Store& leaving);
  std::string transfer_on_removal(const LiveSet& live, std::int64_t ordinal);
  Going synced(Component c, const std::string& set, const std::string& pod);

  // failover.cpp
  std::vector<Failure> records_left(Component c, const std::string& set) const;
  void recover(Component c);
  Going fail_over(Component c);
  Going fail_over_tikv();
  /// The set that one failure was dealt with in; none: nothing is due, or blocked.
  std::optional<std::string> fail_over_pd();
  std::optional<std::string> fail_over_tidb();
  std::vector<std::string> due_stores();
  void replace_member(LiveSet& live, Failure& failure);
  std::int64_t adding_records(Component c, const std::string& set) const;
  bool is_wished(Component c, const std::string& pod) const;
  bool wished_pods_well(const SetSpec& wished, const LiveSet& live) const;
  bool pod_well(Component c, const LivePod& pod) const;
  bool changes_places(Component c) const;
  bool limit_reached(const SetSpec& wished, const LiveSet& live, const std::string& pod);

  // early_template.cpp
  Going template_goes_along(Component c, const std::string& set);
  Going template_of_no_pods(Component c);
  Going pass_before_recovery(Component c);

  // upgrade.cpp
  Going upgrade(Component c);
  std::string in_the_way(Component c) const;
  Going gates(Component c);
  Going begin_upgrade(const SetSpec& wished, LiveSet& live);
  bool pauses_ddl(const SetSpec& wished, const LiveSet& live) const;
  Going may_pause_ddl(const SetSpec& wished, const LiveSet& live);
  std::int64_t partition_of(const SetSpec& wished, const LiveSet& live) const;
  Going upgrade_set(Component c, const SetSpec& wished);
  Going update_template(const SetSpec& wished, LiveSet& live);
  Going may_change_template(const SetSpec& wished, LiveSet& live,
                            const std::vector<std::string>& fields);
  Going restart(const SetSpec& wished, LiveSet& live, LivePod& pod);
  // restarted.cpp
  Going end_rollout(Component c);
  Going await_lowest(const SetSpec& spec, LiveSet& live);
  Going check_updated(const SetSpec& wished, LivePod& pod);
  void wait_until_long_ready(const SetSpec& wished, const LivePod& pod);
  bool eviction_goes_on(const LivePod& pod) const;
  void end_eviction(const SetSpec& wished, LivePod& pod);
  void end_evictions(const SetSpec& wished, std::span<LivePod> pods);
  /// False: there is nothing to wait for.
  bool wait_for_leaders(const SetSpec& wished, const LivePod& pod);
  Going wait_until_well(const SetSpec& wished, LivePod& pod);
  // restart.cpp
  bool is_only_tikv() const;
  std::string freeing(const LiveSet& live, std::int64_t ordinal) const;
  const LivePod* next_to_evict(const LiveSet& live, std::int64_t below,
                               const std::vector<std::string>& passed_over) const;
  void evict_early(LiveSet& live, const LivePod& pod, Line& step);
  void restart_without_store(const SetSpec& wished, LiveSet& live, const LivePod& pod, Line& step);
  std::vector<std::string> pods_just_added(Component c, const std::string& set) const;
  void tell_early_eviction(const LiveSet& live, const std::vector<std::string>& added);
  Going restart_pd(const SetSpec& wished, LiveSet& live, LivePod& pod, Line& step);
  Going check_stores_up(const SetSpec& spec, const LivePod& pod);
  void evict_and_restart(const SetSpec& spec, const LiveSet& live, const LivePod& pod,
                         const Store& store, Line& step);
  Going restart_tikv(const SetSpec& wished, LiveSet& live, LivePod& pod, Line& step);
  Going restart_tidb(const SetSpec& wished, LiveSet& live, LivePod& pod, Line& step);
  void tell_transfer(const std::string& to, Line& step) const;
  std::string transfer_on_restart(const LiveSet& live, std::int64_t ordinal);
  void update_configs(const SetSpec& wished, LiveSet& live);
  Going expand(Component c);
  bool is_class_changed(const SetSpec& spec, const LiveSet& live) const;

  // warnings.cpp, zones.cpp
  void warn_input();
  void warn_end_state();
  void warn_sets(Component c);
  void warn_outdated();
  void note_auto_recovery();
  void warn_claims();
  void warn_claims_missing();
  bool has_several_sets() const;
  void zones_of_plan();
  bool follow_zones(ZoneHistory& history) const;
  std::string better_slots_text(const ZoneHistory& history) const;
  void zones_of_layout();
  void later();
  void later_if(const std::string& condition, const std::string& then);
  void finish();

  // common.cpp. Not operators::Trace, which ends a plan at its first block: here the other
  // components go on beside one that is blocked, and what is tried as a way out is compared line by
  // line with what the wish gave before any of it is a step of a plan.
  Going block(Component c, const std::string& set, const std::string& object, std::string code,
              std::string required, std::string observed);
  /// A block that may pass by itself: with --assume-healthy a wait, else as block().
  Going block_or_wait(Component c, const std::string& set, const std::string& object,
                      std::string code, std::string required, std::string observed);
  /// A refusal of the planner: with --allow-unsafe a warning, else as block().
  Going refuse(Component c, const std::string& set, const std::string& object, std::string code,
               std::string required, std::string observed);
  Line& emit(Line step);
  Line make(Action action, Component c, std::string set, std::string object,
            std::string detail = "-");
  void warn(std::string code, std::string subject, std::string text);
  void note(std::string code, std::string text);
  void assume(std::string code, std::string text);
  std::string kubectl(std::string_view rest) const { return tidb::kubectl(input_, rest); }
  std::string pdctl(std::string_view rest) const { return tidb::pdctl(input_, rest); }
  void watch_pod(Line& step, const std::string& pod) const;

  bool v16() const { return input_.options.profile == Profile::V16; }
  const SetSpec* wished(Component c, const std::string& set) const;
  LiveSet* running(Component c, const std::string& set) { return live_.find(c, set); }
  const LiveSet* running(Component c, const std::string& set) const { return live_.find(c, set); }
  std::int64_t target(Component c, const std::string& set) const;

  const Input& input_;
  Live live_;   // as the steps so far have left it
  Live start_;  // as it was
  Outcome out_;
  Capacity capacity_;
  std::array<std::vector<std::string>, kComponentCount> order_;    // wished sets
  std::array<std::vector<std::string>, kComponentCount> removed_;  // sets that only run
  std::array<Phase, kComponentCount> phase_{};
  std::string stop_code_;
  std::string evicted_early_;  // pod whose eviction begins with the restart of the next one
  std::map<std::string, std::vector<std::string>> unreplaced_;  // by StatefulSet: past the limit
  Phase part_ = Phase::Normal;  // the part of a component that is being planned
  std::int64_t next_batch_ = 0;
  std::string batch_key_;
  std::int64_t batch_room_ = 0;
  std::string cluster_;
};

}  // namespace ballast::tidb
