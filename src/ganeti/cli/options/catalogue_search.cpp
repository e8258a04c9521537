// SPDX-License-Identifier: BSD-2-Clause
#include "ballast/ganeti/cli/options/catalogue.hpp"
#include "instance_size.hpp"

#include "ballast/ganeti/cli/options/values.hpp"

#include <array>

namespace ballast::ganeti::cli {
namespace {

Status set_threads(Settings& settings, MaybeText value) {
  constexpr std::int64_t kMost = 256;
  std::int64_t threads = 0;
  const Status read = set_int(threads, "number", value);
  if (!read) return read;
  if (threads < 1 || threads > kMost) {
    return fail(fmt::format("{} is not between 1 and {}", quoted(value.value_or("")), kMost));
  }
  settings.balance.threads = static_cast<int>(threads);
  return {};
}

Status set_template(Settings& settings, MaybeText value) {
  settings.tool.disk_template = parse_disk_template(value.value_or(""));
  if (settings.tool.disk_template) return {};
  return fail("Invalid string value for type DiskTemplate: " + shown_string(value.value_or("")));
}

Status set_soft_errors(Settings& settings, MaybeText value) {
  if (value && *value != "all")
    return fail(fmt::format("Invalid choice '{}', pass 'all' or nothing", *value));
  settings.balance.ignore_soft_errors = true;
  settings.tool.ignore_all_soft_errors = settings.tool.ignore_all_soft_errors || value.has_value();
  return {};
}

Status set_spindle_use(Settings& settings, MaybeText value) {
  std::int64_t spindles = 0;
  const Status read = set_int(spindles, "parsing spindle-use", value);
  if (!read) return read;
  if (spindles < 0) return fail("Invalid value of the spindle-use (expected >= 0)");
  settings.tool.spindle_use = spindles;
  return {};
}

Status set_size(std::optional<InstanceSize>& size, std::string_view kind, MaybeText value) {
  const auto read = read_instance_size(kind, value.value_or(""));
  if (!read) return fail(read.error());
  size = *read;
  return {};
}

constexpr bool kReference = true;
constexpr bool kOurs = false;

const auto kSearch = std::to_array<CatalogueRow>({
    {'E', "evac-mode", Takes::Nothing, "", "none", "only move instances away from offline nodes", kReference,
     [](Settings& s, MaybeText) -> Status { s.balance.evacuation = true; return {}; }},
    {0, "restricted-migration", Takes::Nothing, "", "none",
     "no moves that replace a primary; instances then migrate only away from offline nodes", kReference,
     [](Settings& s, MaybeText) -> Status { s.balance.restricted_migration = true; return {}; }},
    {'l', "max-length", Takes::Value, "N", "integer", "stop after N steps; negative: no limit", kReference,
     [](Settings& s, MaybeText v) { return set_int(s.balance.max_length, "max solution length", v); }},
    {'e', "min-score", Takes::Value, "EPSILON", "float", "stop when the score is this close to its lower bound", kReference,
     [](Settings& s, MaybeText v) { return set_double(s.balance.min_score, "min score", v); }},
    {'g', "min-gain", Takes::Value, "DELTA", "float", "least gain of a step once the score is below the gain limit", kReference,
     [](Settings& s, MaybeText v) { return set_double(s.balance.min_gain, "min gain", v); }},
    {0, "min-gain-limit", Takes::Value, "SCORE", "float", "score below which steps must gain the least gain", kReference,
     [](Settings& s, MaybeText v) { return set_double(s.balance.min_gain_limit, "min gain limit", v); }},
    {0, "no-disk-moves", Takes::Nothing, "", "none", "no moves that copy disks", kReference,
     [](Settings& s, MaybeText) -> Status { s.balance.disk_moves = false; return {}; }},
    {0, "no-instance-moves", Takes::Nothing, "", "none", "no moves that change an instance's primary node", kReference,
     [](Settings& s, MaybeText) -> Status { s.balance.instance_moves = false; return {}; }},
    {0, "ignore-soft-errors", Takes::Nothing, "", "none", "ignore soft limits: policy ratios, N+1, low disk, tags", kReference,
     [](Settings& s, MaybeText) -> Status { s.balance.ignore_soft_errors = true; return {}; }},
    {0, "ignore-soft-errors@hail", Takes::OptionalValue, "all", "none",
     "ignore soft limits: policy ratios, N+1, low disk, tags; with all on the secondary nodes of new instances, too", kReference,
     set_soft_errors},
    {0, "always-answer", Takes::Nothing, "", "none", "answer \"success\": false where the document is JSON but cannot be used", kOurs,
     [](Settings& s, MaybeText) -> Status { s.tool.always_answer = true; return {}; }},
    {0, "evacuate-in-place", Takes::Nothing, "", "none",
     "evacuating \"all\": keep the half of a mirrored instance that is elsewhere already", kOurs,
     [](Settings& s, MaybeText) -> Status { s.tool.evacuate_in_place = true; return {}; }},
    {0, "explain@hail", Takes::Nothing, "", "none", "say for each candidate on standard error why it fits or not", kOurs,
     [](Settings& s, MaybeText) -> Status { s.tool.explain = true; return {}; }},
    {0, "threads", Takes::Value, "N", "integer", "search with N threads; the plan does not depend on it", kOurs, set_threads},
    {0, "no-capacity-checks", Takes::Nothing, "", "none", "do not check that every node can be evacuated", kReference,
     [](Settings& s, MaybeText) -> Status { s.tool.capacity_checks = false; return {}; }},
    {0, "independent-groups", Takes::Nothing, "", "none", "look at each group on its own", kReference,
     [](Settings& s, MaybeText) -> Status { s.tool.independent_groups = true; return {}; }},
    {0, "accept-existing-errors", Takes::Nothing, "", "none", "accept what violates N+1 already; only add nothing to it",
     kReference, [](Settings& s, MaybeText) -> Status { s.tool.accept_existing_errors = true; return {}; }},
    {0, "no-worse", Takes::Nothing, "", "none",
     "nodes that cannot be emptied now stop nothing, unless more instances would have no place", kOurs,
     [](Settings& s, MaybeText) -> Status { s.tool.no_worse = true; return {}; }},
    {0, "thorough", Takes::Nothing, "", "none",
     "search the sizes of the tiered run; -l then counts what is placed", kOurs,
     [](Settings& s, MaybeText) -> Status { s.tool.thorough = true; return {}; }},
    {0, "explain@hspace", Takes::Nothing, "", "none", "say which group, node and instance bar one more of each run's last size", kOurs,
     [](Settings& s, MaybeText) -> Status { s.tool.explain = true; return {}; }},
    {0, "no-simulation", Takes::Nothing, "", "none", "do not simulate a rebalancing", kReference,
     [](Settings& s, MaybeText) -> Status { s.tool.no_simulation = true; return {}; }},
    {0, "doctor", Takes::Nothing, "", "none", "say what ails the cluster, with names, figures and what to do", kOurs,
     [](Settings& s, MaybeText) -> Status { s.tool.doctor = true; return {}; }},
    {0, "what-if", Takes::Value, "LOSS", "string",
     "what happens when node=NAME, group=NAME, location=TAG or unit=TYPE/KEY[@NODE] is gone, or each node by itself (each); most: how many may be down together; leave=N: the next N nodes that may leave; tier=NAMES:TYPE/KEY: instances on another storage; repeatable", kOurs,
     [](Settings& s, MaybeText v) -> Status { s.tool.what_if.push_back(text_of_value(v)); return {}; }},
    {0, "disk-template", Takes::Value, "TEMPLATE",
     "choices=diskless,file,sharedfile,plain,blockdev,drbd,rbd,ext,gluster", "disk template of the new instances", kReference,
     set_template},
    {0, "spindle-use", Takes::Value, "SPINDLES", "float", "spindles that each new instance uses", kReference, set_spindle_use},
    {0, "standard-alloc", Takes::Value, "STDSPEC", "string",
     "size of the standard run's instances: disk,memory,vcpus[,spindles]", kReference,
     [](Settings& s, MaybeText v) { return set_size(s.tool.standard_size, "standard", v); }},
    {0, "tiered-alloc", Takes::Value, "TSPEC", "string",
     "first size of the tiered run's instances: disk,memory,vcpus[,spindles]", kReference,
     [](Settings& s, MaybeText v) { return set_size(s.tool.tiered_size, "tiered", v); }},
    {0, "restrict-allocation-to", Takes::Value, "NODE,...", "manynodes", "place new instances on these nodes only", kReference,
     [](Settings& s, MaybeText v) -> Status { s.tool.allocation_nodes = comma_list(v); return {}; }},
    {0, "offline-maintenance", Takes::Nothing, "", "none", "plan as if every instance were shut down", kReference,
     [](Settings& s, MaybeText) -> Status { s.tool.offline_maintenance = true; return {}; }},
    {0, "node-tags", Takes::Value, "TAG,...", "string", "only nodes with one of these tags", kReference,
     [](Settings& s, MaybeText v) -> Status { s.tool.node_tags = comma_list(v); return {}; }},
    {0, "print-moves", Takes::Nothing, "", "none", "print where the instances go", kReference,
     [](Settings& s, MaybeText) -> Status { s.tool.print_moves = true; return {}; }},
    {0, "full-evacuation", Takes::Nothing, "", "none", "move secondaries away, too", kReference,
     [](Settings& s, MaybeText) -> Status { s.tool.full_evacuation = true; return {}; }},
    {0, "skip-non-redundant", Takes::Nothing, "", "none", "leave out nodes with an instance that has no copy elsewhere",
     kReference, [](Settings& s, MaybeText) -> Status { s.tool.skip_non_redundant = true; return {}; }},
    {0, "ignore-non-redundant", Takes::Nothing, "", "none", "ignore instances that have no copy elsewhere", kReference,
     [](Settings& s, MaybeText) -> Status { s.tool.ignore_non_redundant = true; return {}; }},
    {0, "shared-movable", Takes::Nothing, "", "none",
     "instances on shared storage count as movable, not as non-redundant", kOurs,
     [](Settings& s, MaybeText) -> Status { s.tool.shared_is_movable = true; return {}; }},
    {0, "forecast", Takes::Nothing, "", "none",
     "say when the cluster is full, by the growth between the snapshots OLD... NEW", kOurs,
     [](Settings& s, MaybeText) -> Status { s.tool.forecast = true; return {}; }},
    {0, "dates", Takes::Value, "DATE,...", "string",
     "with --forecast: dates of the snapshots, in place of those in their names", kOurs,
     [](Settings& s, MaybeText v) -> Status { s.tool.dates = comma_list(v); return {}; }},
    {'f', "force", Takes::Nothing, "", "none", "go on in spite of warnings", kReference,
     [](Settings& s, MaybeText) -> Status { s.tool.force = true; return {}; }},
    {0, "one-step-only", Takes::Nothing, "", "none", "print the first step only", kReference,
     [](Settings& s, MaybeText) -> Status { s.tool.one_step_only = true; return {}; }},
    {0, "minimal-resources", Takes::Value, "FACTOR", "float",
     "what each node must keep free, in standard instances, before a standby node is switched on", kReference,
     [](Settings& s, MaybeText v) { return set_double(s.tool.minimal_resources, "minimal resources", v); }},
    {0, "target-resources", Takes::Value, "FACTOR", "float", "what each node keeps free after squeezing, in standard instances",
     kReference, [](Settings& s, MaybeText v) { return set_double(s.tool.target_resources, "target resources", v); }},
});

}  // namespace

std::span<const CatalogueRow> search_rows() { return kSearch; }

}  // namespace ballast::ganeti::cli
