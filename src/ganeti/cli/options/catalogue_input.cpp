// SPDX-License-Identifier: BSD-2-Clause
#include "ballast/cli/values.hpp"
#include "ballast/ganeti/backend/rules/file.hpp"
#include "ballast/ganeti/backend/simulate/size.hpp"
#include "ballast/ganeti/cli/options/catalogue.hpp"

#include "ballast/ganeti/cli/options/values.hpp"

#include <array>

namespace ballast::ganeti::cli {
namespace {

Status add_default_storage(Settings& settings, MaybeText value) {
  const std::string_view text = value.value_or("");
  const auto equals = text.find('=');
  if (equals == std::string_view::npos || equals == 0) {
    return fail(fmt::format("{}: expected TYPE=KEY", quoted(text)));
  }
  settings.load.default_storage.push_back(
      {canonical_storage_type(text.substr(0, equals)), std::string(text.substr(equals + 1))});
  return {};
}

/// As all sizes: MiB, or with a unit. None: not a size.
std::optional<std::int64_t> size_mib_of(std::string_view text) {
  constexpr std::int64_t kMost = std::int64_t{1} << 50U;
  const auto size = parse_size(text);
  if (!size || *size < 0 || *size > kMost) return std::nullopt;
  return *size;
}

/// memory[@NODE]=SIZE|SHARE%
Status add_memory_reserve(Settings& settings, std::string_view whose, std::string_view size) {
  RuleSpec spec;
  spec.kind = RuleKind::ReserveMemory;
  spec.name = "--reserve";
  spec.must_match = true;
  if (whose.starts_with('@') && whose.size() > 1) spec.nodes.emplace_back(whose.substr(1));
  if (const Status read = parse_memory(size, spec); !read) return read;
  settings.limits.rules.push_back(std::move(spec));
  return {};
}

/// "memory" or "memory@NODE": not a unit.
bool is_memory(std::string_view text) { return text == "memory" || text.starts_with("memory@"); }

/// Rules by tags that begin with "TAG:".
Status add_tag_rule(Settings& settings, RuleKind kind, std::string_view option, MaybeText value) {
  const std::string_view tag = value.value_or("");
  if (tag.empty()) return fail("expected a tag");
  RuleSpec spec;
  spec.kind = kind;
  spec.name = fmt::format("--{} {}", option, tag);
  spec.tag_prefix = std::string(tag) + ":";
  settings.limits.rules.push_back(std::move(spec));
  return {};
}

Status add_excluded_nodes(Settings& settings, MaybeText value) {
  RuleSpec spec;
  spec.kind = RuleKind::ExcludeNodes;
  spec.name = "--exclude-nodes";
  spec.nodes = comma_list(value);
  spec.must_match = true;
  if (spec.nodes.empty()) return fail("expected names of nodes");
  settings.limits.rules.push_back(std::move(spec));
  return {};
}

/// TYPE/KEY[@NODE]. A key may hold "@", so the last one counts.
Status add_forbidden_unit(Settings& settings, MaybeText value) {
  std::string_view text = value.value_or("");
  RuleSpec spec;
  spec.kind = RuleKind::ForbidUnits;
  spec.name = "--forbid-unit";
  spec.must_match = true;
  if (const auto at = text.rfind('@'); at != std::string_view::npos) {
    spec.nodes.emplace_back(text.substr(at + 1));
    text = text.substr(0, at);
  }
  auto unit = parse_unit(text);
  if (!unit) return fail(unit.error());
  spec.units.push_back(std::move(*unit));
  settings.limits.rules.push_back(std::move(spec));
  return {};
}

/// [TYPE/KEY=]SIZE|largest, or memory[@NODE]=SIZE|SHARE%. A key may hold "=", so the last one
/// counts.
Status add_reserve(Settings& settings, MaybeText value) {
  const std::string_view text = value.value_or("");
  const auto equals = text.rfind('=');
  Reserve reserve;
  std::string_view size = text;
  if (equals != std::string_view::npos) {
    const std::string_view unit = text.substr(0, equals);
    if (is_memory(unit))
      return add_memory_reserve(settings, unit.substr(6), text.substr(equals + 1));
    const auto slash = unit.find('/');
    if (slash == std::string_view::npos || slash == 0) {
      return fail(fmt::format("{}: expected TYPE/KEY before the size", quoted(text)));
    }
    reserve.unit = StorageKey{canonical_storage_type(unit.substr(0, slash)),
                              std::string(unit.substr(slash + 1))};
    size = text.substr(equals + 1);
  }
  if (size != "largest") {
    reserve.size_mib = size_mib_of(size);
    if (!reserve.size_mib) {
      return fail(fmt::format("{}: expected a size such as 4096 (MiB) or 160g, or \"largest\"",
                              quoted(text)));
    }
  }
  settings.limits.reserves.push_back(std::move(reserve));
  return {};
}

/// The first, and more.
Status add_utilisation_file(Settings& settings, MaybeText value) {
  if (settings.load.utilisation_file) {
    settings.load.more_utilisation_files.push_back(text_of_value(value));
  } else {
    settings.load.utilisation_file = text_of_value(value);
  }
  return {};
}

Status set_max_cpu_option(Settings& settings, MaybeText value) {
  double ratio = 0;
  const Status read = set_double(ratio, "parsing max-cpu", value);
  if (!read) return read;
  if (ratio <= 0) return fail("Invalid value of the max-cpu ratio, expected >0");
  settings.limits.max_cpu = ratio;
  return {};
}

constexpr ballast::cli::Range kSeconds{1, 86'400};

Status set_timeout(Settings& settings, MaybeText value) {
  const auto seconds =
      ballast::cli::parse_integer(value.value_or(""), kSeconds.least, kSeconds.most);
  if (!seconds) return fail(seconds.error());
  settings.source.timeout_seconds = *seconds;
  return {};
}

Status set_answer_limit(Settings& settings, MaybeText value) {
  const auto mib = parse_size(value.value_or(""));
  constexpr std::int64_t kMostMib = std::int64_t{1} << 40;
  if (!mib || *mib < 1 || *mib > kMostMib)
    return fail(fmt::format("answer limit {}: expected a size", quoted(value.value_or(""))));
  settings.source.most_answer_bytes = *mib * 1024 * 1024;
  return {};
}

constexpr bool kReference = true;
constexpr bool kOurs = false;

const auto kInput = std::to_array<CatalogueRow>({
    {'t', "text-data", Takes::Value, "FILE", "file", "read the snapshot from the text file FILE", kReference,
     [](Settings& s, MaybeText v) -> Status { s.source.text_file = text_of_value(v); return {}; }},
    {'m', "master", Takes::Value, "ADDRESS", "host", "read the cluster through its remote API at ADDRESS", kReference,
     [](Settings& s, MaybeText v) -> Status { s.source.rapi_address = text_of_value(v); return {}; }},
    {'L', "luxi", Takes::OptionalValue, "SOCKET", "file", "read the cluster through its local query socket", kReference,
     [](Settings& s, MaybeText v) -> Status { s.source.luxi_socket = text_of_value(v); return {}; }},
    {'I', "ialloc-src", Takes::Value, "FILE", "file", "read the snapshot from an allocator request in FILE", kReference,
     [](Settings& s, MaybeText v) -> Status { s.source.allocator_file = text_of_value(v); return {}; }},
    {0, "simulate", Takes::Value, "SPEC", "string",
     "simulate an empty group: policy,nodes,disk,memory,cpus,spindles[;SIZE,TYPE,KEY]...; repeatable", kReference,
     [](Settings& s, MaybeText v) -> Status { s.source.simulated.push_back(text_of_value(v)); return {}; }},
    {0, "static-kvm-node-memory", Takes::Value, "N", "integer",
     "memory in MiB that a KVM node itself uses, in place of the reported figure; 0 keeps the reported one", kReference,
     [](Settings& s, MaybeText v) { return set_int(s.load.static_kvm_memory, "static node memory", v); }},
    {'U', "dynu-file", Takes::Value, "FILE", "file", "read the instances' utilisation from FILE; of several the mean counts", kReference,
     add_utilisation_file},
    {0, "worst-load", Takes::Nothing, "", "none", "of several utilisation files the largest figure counts, not the mean", kOurs,
     [](Settings& s, MaybeText) -> Status { s.load.worst_utilisation = true; return {}; }},
    {0, "ignore-dynu", Takes::Nothing, "", "none", "take every utilisation as zero", kReference,
     [](Settings& s, MaybeText) -> Status { s.load.ignore_dynamic = true; return {}; }},
    {0, "mond", Takes::OptionalValue, "CHOICE", "choices=yes,no", "ask the monitoring daemons for utilisation (yes or no)",
     kReference, [](Settings& s, MaybeText v) { return set_choice(s.load.monitoring, v); }},
    {0, "mond-data", Takes::Value, "FILE", "file", "read the monitoring daemons' answers from FILE", kReference,
     [](Settings& s, MaybeText v) -> Status { s.load.monitoring_file = text_of_value(v); return {}; }},
    {0, "exit-on-missing-mond-data", Takes::Nothing, "", "none", "give up where a monitoring daemon does not answer",
     kReference, [](Settings& s, MaybeText) -> Status { s.load.monitoring_must_be_complete = true; return {}; }},
    {0, "mond-xen", Takes::Nothing, "", "none", "use the Xen figures of the monitoring daemons", kReference,
     [](Settings& s, MaybeText) -> Status { s.load.monitoring_xen = true; return {}; }},
    {0, "exclusion-tags", Takes::Value, "TAG,...", "string", "keep instances with the same tag of these prefixes apart",
     kReference, [](Settings& s, MaybeText v) -> Status { s.load.exclusion_prefixes = comma_list(v); return {}; }},
    {0, "select-instances", Takes::Value, "INSTS", "manyinstances", "move only these instances", kReference,
     [](Settings& s, MaybeText v) -> Status { s.load.selected_instances = comma_list(v); return {}; }},
    {0, "exclude-instances", Takes::Value, "INSTS", "manyinstances", "do not move these instances", kReference,
     [](Settings& s, MaybeText v) -> Status { s.load.excluded_instances = comma_list(v); return {}; }},
    {'O', "offline", Takes::Value, "NODE", "onenode", "take this node as offline; repeatable", kReference,
     [](Settings& s, MaybeText v) -> Status { s.limits.offline_nodes.push_back(text_of_value(v)); return {}; }},
    {0, "max-cpu", Takes::Value, "RATIO", "float", "most virtual CPUs per physical CPU on a node, in place of the policy's",
     kReference, set_max_cpu_option},
    {0, "min-disk", Takes::Value, "RATIO", "float", "least share of a node's disk that must stay free (0 to 1)", kReference,
     [](Settings& s, MaybeText v) { return set_double(s.limits.min_disk, "min free disk space", v); }},
    {0, "timeout", Takes::Value, "SECONDS", "integer", "longest wait for each answer of the remote API, LUXI or a daemon (60)", kOurs,
     set_timeout, kSeconds},
    {0, "answer-limit", Takes::Value, "SIZE", "string", "longest answer of the remote API, LUXI or a daemon (MiB, or with a unit such as g; 1 GB)", kOurs,
     set_answer_limit},
    {0, "rapi-ca", Takes::Value, "FILE", "file", "trust only a remote API whose certificate FILE (PEM) vouches for", kOurs,
     [](Settings& s, MaybeText v) -> Status { s.source.rapi_ca_file = text_of_value(v); return {}; }},
    {0, "rapi-user-file", Takes::Value, "FILE", "file", "user and password of the remote API, with a blank between them, in FILE", kOurs,
     [](Settings& s, MaybeText v) -> Status { s.source.rapi_user_file = text_of_value(v); return {}; }},
    {0, "rapi-any-name", Takes::Nothing, "", "none", "with --rapi-ca: whatever host name the certificate is made out to", kOurs,
     [](Settings& s, MaybeText) -> Status { s.source.rapi_any_host_name = true; return {}; }},
    {0, "storage", Takes::Nothing, "", "none", "ask for storage units, too: submits query jobs to the master", kOurs,
     [](Settings& s, MaybeText) -> Status { s.source.query_storage = true; return {}; }},
    {0, "ignore-storage", Takes::Nothing, "", "none", "ignore storage units: only the nodes' total disk counts", kOurs,
     [](Settings& s, MaybeText) -> Status { s.load.ignore_storage = true; return {}; }},
    {0, "state-of-record", Takes::Nothing, "", "none",
     "with -m: memory of running instances by their records; with -L and -I it always is", kOurs,
     [](Settings& s, MaybeText) -> Status { s.load.state_of_record = true; return {}; }},
    {0, "corrected-n1", Takes::Nothing, "", "none",
     "judge N+1 from the first by the memory that moves go by, not by what was reported free", kOurs,
     [](Settings& s, MaybeText) -> Status { s.load.corrected_n1 = true; return {}; }},
    {0, "default-storage", Takes::Value, "TYPE=KEY", "string",
     "the storage unit of disks of this type that name none; repeatable", kOurs, add_default_storage},
    {0, "reserve", Takes::Value, "[TYPE/KEY=]SIZE", "string",
     "keep SIZE (MiB, or with a unit such as g; \"largest\": the largest disk) free on every unit or the named one, or of memory (memory[@NODE]=SIZE or SHARE%); repeatable", kOurs, add_reserve},
    {0, "add-node", Takes::Value, "GROUP,N,DISK,MEMORY,CPUS", "string",
     "as if N empty nodes more were there; further fields: ,SPINDLES and ;SIZE,TYPE,KEY; repeatable", kOurs,
     [](Settings& s, MaybeText v) -> Status { s.limits.added_nodes.push_back(text_of_value(v)); return {}; }},
    {0, "rules", Takes::Value, "FILE", "file", "keep the rules of FILE (ballast-rules(5)); repeatable", kOurs,
     [](Settings& s, MaybeText v) -> Status { s.limits.rule_files.push_back(text_of_value(v)); return {}; }},
    {0, "pin", Takes::Value, "TAG", "string",
     "instances with a tag TAG:... run only on nodes with the same tag; repeatable", kOurs,
     [](Settings& s, MaybeText v) { return add_tag_rule(s, RuleKind::Pin, "pin", v); }},
    {0, "apart", Takes::Value, "TAG", "string",
     "instances with the same tag TAG:... run on different nodes; repeatable", kOurs,
     [](Settings& s, MaybeText v) { return add_tag_rule(s, RuleKind::Apart, "apart", v); }},
    {0, "together", Takes::Value, "TAG", "string",
     "instances with the same tag TAG:... run on one node; repeatable", kOurs,
     [](Settings& s, MaybeText v) { return add_tag_rule(s, RuleKind::Together, "together", v); }},
    {0, "exclude-nodes", Takes::Value, "NODE,...", "manynodes", "move nothing to these nodes", kOurs, add_excluded_nodes},
    {0, "forbid-unit", Takes::Value, "TYPE/KEY[@NODE]", "string",
     "put no disk on this storage unit; repeatable", kOurs, add_forbidden_unit},
});

}  // namespace

std::span<const CatalogueRow> input_rows() { return kInput; }

}  // namespace ballast::ganeti::cli
