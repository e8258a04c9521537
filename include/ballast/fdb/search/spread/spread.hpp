// SPDX-License-Identifier: BSD-2-Clause
// Bin packing of all classes over logical fault domains: who is replaced and why, domains before
// and after, hosts, and the rounds in which whole domains can be acted on.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "ballast/fdb/model/cluster.hpp"
#include "ballast/fdb/search/spread/packing.hpp"

namespace ballast::fdb {

struct SpreadOptions {
  int domains = 1;           ///< at least 1
  bool is_required = false;  ///< the anti-affinity: required or preferred
  bool by_class = false;     ///< its scope: pods of the same class only
};

struct SpreadVictim {
  std::string id;
  std::string from;  ///< key of its domain; empty: unbound
  PackingReason reason = PackingReason::Dropped;
  std::optional<std::int64_t> stored_bytes;
};

struct SpreadNewcomer {
  std::string id;  ///< by the lowest free number
  std::string to;  ///< key of its domain
};

/// A host that holds pods of a second domain; the pods to move are those of the domain that has
/// fewer there.
struct SharedHost {
  std::string host;
  std::string with;                 ///< key of the domain that keeps the host
  std::vector<std::string> groups;  ///< on that host, of this domain
};

struct SpreadDomain {
  std::string key;
  int before = 0;
  int after = 0;
  std::vector<std::string> groups;  ///< unmarked ones of now, by ID
  std::vector<std::string> hosts;   ///< of these, sorted; empty where no pods are known
  std::vector<SharedHost> shares;   ///< in the order of hosts
};

/// Rounds to act on every pod of a class; nothing: it never ends (mode None) or is not known.
struct SpreadRounds {
  std::optional<int> before;
  std::optional<int> after;
};

struct SpreadClass {
  ProcessClass process_class = ProcessClass::Unset;
  int wanted = 0;
  int minimum = 0;
  int maximum = 0;
  std::vector<SpreadDomain>
      domains;  ///< the wanted ones, then dropped ones that hold groups, by index
  std::vector<std::string> unbound;  ///< groups that are bound to no domain
  std::vector<std::string> marked;   ///< leave anyway and are not counted
  std::vector<SpreadVictim> victims;
  std::vector<SpreadNewcomer> newcomers;
  int shrink = 0;  ///< groups beyond `wanted` that stay after the packing and that a shrink takes
                   ///< from the fullest domains
  bool counts_hosts = false;  ///< rounds before count hosts; else observed fault domains
  SpreadRounds removal;       ///< by removalMode
  SpreadRounds recreation;    ///< by deletionMode

  [[nodiscard]] int present() const;  ///< unmarked groups of now
};

struct SpreadWarning {
  std::string code;
  bool is_danger = false;
  std::string text;
};

struct Spread {
  SpreadOptions options;
  std::string topology_key;
  Mode removal_mode = Mode::Zone;
  Mode deletion_mode = Mode::Zone;
  std::int64_t wait_between_removals_seconds = 60;
  bool hosts_known = false;
  std::vector<SpreadClass> classes;  ///< in class order; only those with groups now or wanted
  std::vector<SpreadWarning> warnings;

  [[nodiscard]] int replacements() const;
  /// Sum over the victims; nothing where one of them is not known.
  [[nodiscard]] std::optional<std::int64_t> bytes() const;
};

/// Preconditions: domains >= 1. Uses the groups and pods of `cluster`, everything else of
/// `desired`.
Spread plan_spread(const Cluster& cluster, const ClusterSpec& desired,
                   const SpreadOptions& options);

/// Why the domains cannot be had (fewer than 1 or than the redundancy mode needs; a key that
/// defines the zone itself); empty: they can.
std::string spread_refusal(const ClusterSpec& desired, int domains);

}  // namespace ballast::fdb
