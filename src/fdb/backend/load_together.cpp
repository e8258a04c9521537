// SPDX-License-Identifier: BSD-2-Clause
#include <fmt/format.h>

#include <map>
#include <set>
#include <utility>

#include "ballast/core/error.hpp"
#include "ballast/fdb/backend/load.hpp"
#include "ballast/fdb/backend/readers.hpp"

namespace ballast::fdb {
namespace {

void refuse_clashes(const std::vector<Loaded>& objects, Diagnostics& errors) {
  std::map<std::string, std::string> owners;
  std::set<std::string> names;
  for (const Loaded& object : objects) {
    const Cluster& cluster = object.snapshot;
    const std::string name = cluster.name_space + "/" + cluster.name;
    if (!names.insert(name).second) {
      errors.add("F012", "metadata.name",
                 fmt::format("{}: expected each object once", quoted(name)),
                 object.current_spec.place());
      continue;
    }
    for (const ProcessGroup& group : cluster.groups) {
      const auto [owner, is_new] = owners.emplace(group.id, name);
      if (is_new) continue;
      errors.add("F012", "status.processGroups",
                 fmt::format("{} is a process group of {} too: expected IDs that tell the objects "
                             "apart (processGroupIDPrefix)",
                             quoted(group.id), owner->second),
                 object.current_spec.place());
      break;
    }
  }
}

}  // namespace

tl::expected<std::vector<Loaded>, std::vector<Diagnostic>> load_together(
    const std::vector<LoadRequest>& requests) {
  std::vector<Loaded> objects;
  Diagnostics errors;
  for (const LoadRequest& request : requests) {
    errors.rank(request.current);
    auto loaded = load(request);
    if (loaded) {
      objects.push_back(std::move(*loaded));
      continue;
    }
    for (const Diagnostic& error : loaded.error())
      errors.add(error.code, error.path, error.message, error.place);
  }
  if (errors.empty()) refuse_clashes(objects, errors);
  if (!errors.empty()) return tl::unexpected(errors.sorted());
  std::set<std::string> groups;
  for (const Loaded& object : objects) {
    for (const ProcessGroup& group : object.snapshot.groups) groups.insert(group.id);
  }
  note_foreign(objects.front().snapshot, groups);
  return objects;
}

}  // namespace ballast::fdb
