// SPDX-License-Identifier: BSD-2-Clause
#include "ballast/ganeti/search/balance/candidates.hpp"

#include <doctest/doctest.h>

#include <vector>

using namespace ballast::ganeti;
using enum MoveKind;

namespace {

using Kinds = std::vector<MoveKind>;

Kinds kinds_of(const MoveKinds& kinds) {
  Kinds result;
  if (kinds.failover) result.push_back(Failover);
  for (const MoveKind kind : kinds.per_target()) result.push_back(kind);
  return result;
}

Kinds mirrored(const BalanceOptions& options, bool is_primary_online, bool is_secondary_online) {
  return kinds_of(kinds_for(Mirroring::Internal, options, is_primary_online, is_secondary_online));
}

const Kinds kAll{Failover, ReplaceSecondary, ReplaceAndFailover, ReplacePrimary,
                 FailoverAndReplace};

}  // namespace

TEST_CASE("a mirrored instance tries all kinds, in the reference's order") {
  const BalanceOptions options;
  CHECK(mirrored(options, true, true) == kAll);
  CHECK(mirrored(options, false, true) == kAll);
}

TEST_CASE("nothing fails over to an offline secondary") {
  const BalanceOptions options;
  const Kinds kinds{ReplaceSecondary, ReplaceAndFailover};
  CHECK(mirrored(options, true, false) == kinds);
  CHECK(mirrored(options, false, false) == kinds);
}

TEST_CASE("without disk moves there are failovers only, without instance moves new secondaries") {
  BalanceOptions options;
  options.disk_moves = false;
  CHECK(mirrored(options, true, true) == Kinds{Failover});
  CHECK(mirrored(options, true, false).empty());
  options.disk_moves = true;
  options.instance_moves = false;
  CHECK(mirrored(options, true, true) == Kinds{ReplaceSecondary});
  CHECK(mirrored(options, false, false) == Kinds{ReplaceSecondary});
  options.disk_moves = false;
  CHECK(mirrored(options, true, true).empty());
}

TEST_CASE("restricted migration moves primaries off offline nodes alone") {
  BalanceOptions options;
  options.restricted_migration = true;
  CHECK(mirrored(options, true, true) == Kinds{Failover, ReplaceSecondary});
  CHECK(mirrored(options, true, false) == Kinds{ReplaceSecondary});
  CHECK(mirrored(options, false, false) == Kinds{ReplaceSecondary, ReplaceAndFailover});
  CHECK(mirrored(options, false, true) ==
        Kinds{Failover, ReplaceSecondary, ReplaceAndFailover, FailoverAndReplace});
}

TEST_CASE("shared storage goes anywhere, an instance without a mirror nowhere") {
  BalanceOptions options;
  CHECK(kinds_of(kinds_for(Mirroring::External, options, true, false)) == Kinds{FailoverToAny});
  CHECK(kinds_of(kinds_for(Mirroring::None, options, true, false)).empty());
  options.instance_moves = false;
  CHECK(kinds_of(kinds_for(Mirroring::External, options, true, false)).empty());
}
