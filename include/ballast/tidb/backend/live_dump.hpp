// SPDX-License-Identifier: BSD-2-Clause
// The other way round: what runs, as kubectl and pd-ctl would print it, and as a status.
#pragma once

#include "ballast/doc/tree.hpp"
#include "ballast/tidb/model/live.hpp"
#include "ballast/tidb/model/spec.hpp"

#include <optional>
#include <string>

namespace ballast::tidb {

/// A List of StatefulSets (not of groups), pods and claims. Of the templates only the images are
/// shown: the rest is as the specification of the same moment says.
doc::Tree kube_list_of(const Live& live, const std::string& cluster, Form form);

/// What `store`, `member`, `health` and `config show` print; nothing where it is not known, and for
/// `store`, `member` and `health` where the operator's own status is told to be out of date.
std::optional<doc::Tree> pd_stores_of(const Live& live);
std::optional<doc::Tree> pd_members_of(const Live& live);
std::optional<doc::Tree> pd_health_of(const Live& live);
std::optional<doc::Tree> pd_config_of(const Live& live);

/// status of a TidbCluster: phases, members, stores, failure records.
doc::Tree status_of(const Live& live);

/// status of a group.
doc::Tree group_status_of(const LiveSet& group);

}  // namespace ballast::tidb
