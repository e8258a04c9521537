// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include "ballast/operators/input/diagnostics.hpp"
#include "ballast/tidb/backend/documents.hpp"
#include "ballast/tidb/model/live.hpp"

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace ballast::tidb {

/// What pd-ctl printed, all files together.
struct PdData {
  std::vector<Store> stores;  // ascending id
  bool has_stores = false;
  std::vector<Member> members;  // by name
  bool has_members = false;     // `member`
  bool has_health = false;      // `health`
  std::string leader;
  std::optional<std::int64_t> max_replicas;
  std::vector<std::string> location_labels;
  std::optional<double> low_space_ratio;
  std::optional<std::int64_t> max_store_down_s;  // without a heartbeat, until a store is Down
  std::vector<Remark> remarks;
  Time newest = 0;
};

/// Each text is told apart by its content: `store`, `member`, `health`, `config show`. Anything
/// else is E015, and so are two texts of one sort that differ about one id. A member without a name
/// (one that was added and has not started) is left out with a remark.
PdData read_pd(const std::vector<SourceText>& sources, Diagnostics& errors);

/// Bytes of a size as PD prints it: "200GiB", "9.98 GiB".
std::optional<std::int64_t> pd_size(std::string_view text);

}  // namespace ballast::tidb
