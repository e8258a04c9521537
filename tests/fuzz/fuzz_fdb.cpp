// SPDX-License-Identifier: BSD-2-Clause
// One file with a FoundationDBCluster and Kubernetes objects: whatever is accepted can be shown and
// planned, and the plan breaks no rule.
#include <sys/mman.h>
#include <unistd.h>

#include <cstdint>
#include <cstdlib>
#include <string>

#include "ballast/fdb/backend/load.hpp"
#include "ballast/fdb/cli/groups_report.hpp"
#include "ballast/fdb/cli/spread_report.hpp"
#include "ballast/fdb/search/check/second_opinion.hpp"
#include "ballast/fdb/search/pass/reconcilers.hpp"
#include "ballast/fdb/search/plan/planner.hpp"

namespace {

using namespace ballast;
using namespace ballast::fdb;

/// A file in memory that can be opened by its name.
class MemoryFile {
 public:
  MemoryFile(const std::uint8_t* data, std::size_t size) : fd_(::memfd_create("input", 0)) {
    if (fd_ < 0 || ::write(fd_, data, size) != static_cast<ssize_t>(size)) std::abort();
  }
  MemoryFile(const MemoryFile&) = delete;
  MemoryFile& operator=(const MemoryFile&) = delete;
  ~MemoryFile() { ::close(fd_); }

  [[nodiscard]] std::string name() const { return "/proc/self/fd/" + std::to_string(fd_); }

 private:
  int fd_;
};

void check(const Loaded& loaded) {
  constexpr std::size_t kMostGroups = 40;  // keeps each run short
  World world = make_world(loaded.snapshot, loaded.snapshot.spec, {});
  update_status(world);
  (void)groups_to_text(group_table(world), loaded.snapshot);
  (void)doc::emit_yaml(cluster_node(world, loaded.current_spec, false));
  if (loaded.snapshot.groups.size() > kMostGroups) return;
  int wanted = 0;
  for (const int count : world.wanted) wanted += count;
  if (wanted > static_cast<int>(kMostGroups)) return;
  const Spread spread = plan_spread(loaded.snapshot, loaded.desired, {3, false, false});
  (void)spread_to_text(spread, loaded.snapshot);
  (void)report::document_to_json(spread_document(spread, loaded.snapshot));
  PlanOptions options;
  options.max_passes = 20;
  const Planned planned =
      make_plan(loaded.snapshot, loaded.desired, options, loaded.desired_generation);
  if (!find_broken_rules({loaded.snapshot, loaded.desired, options, planned.simulation.steps})
           .empty())
    std::abort();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const MemoryFile file(data, size);
  LoadRequest request;
  request.current = file.name();
  request.kube = {file.name()};
  request.now = 1772366400;
  const auto loaded = load(request);
  if (loaded) {
    check(*loaded);
  } else if (loaded.error().empty()) {
    std::abort();
  }
  return 0;
}
