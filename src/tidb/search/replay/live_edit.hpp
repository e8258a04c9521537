// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include "ballast/tidb/model/live.hpp"

#include <cstdint>
#include <string>

namespace ballast::tidb {

/// Changes what runs as a step that is done leaves it: peers that join, leave and become well.
class LiveEdit {
 public:
  /// `live` must outlive it. `named`: pods keep the names of their StatefulSet; else new ones get
  /// six letters and digits, as operator v2 gives them.
  LiveEdit(Live& live, bool named);

  /// A pod of the set that has just started on its newest template; `name` may end in "??????".
  LivePod fresh(const LiveSet& set, const std::string& name, std::int64_t ordinal);
  /// Gives a name to each pod of a group that has none, and to as many nameless stores or members.
  void name_all(LiveSet& set);
  /// Its store or member is there.
  void join(Component component, const std::string& pod);
  /// Its member is gone, its store a Tombstone; with `forgotten` nothing is left of the store.
  void leave(Component component, const std::string& pod, bool forgotten);
  void make_well(const LiveSet& set, LivePod& pod);
  /// Left over from a pod that was scaled in.
  void mark_claim(const std::string& name, const std::string& pod);
  Claim& claim_named(const std::string& name);
  /// The pod of the name; where the plan knew none, one that leaves, or one that is still outdated.
  LivePod* instance(LiveSet& set, const std::string& name, bool leaves) const;
  /// All pods on the newest template: it is the current one.
  static void finish_rolling(LiveSet& set);

 private:
  Live& live_;
  bool named_;
  std::uint64_t next_store_ = 1;
  std::uint64_t next_member_ = 1;
  std::size_t names_ = 0;
};

}  // namespace ballast::tidb
