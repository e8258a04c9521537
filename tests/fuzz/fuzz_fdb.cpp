// SPDX-License-Identifier: BSD-2-Clause
// Whatever the files hold: an error has a code and one line, and a plan keeps the rules. Parts are separated by a line "===":
// current, desired, kube, status.
#include <array>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>

#include "ballast/fdb/backend/load.hpp"
#include "ballast/fdb/model/counts.hpp"
#include "ballast/fdb/search/planner.hpp"

namespace {

using namespace ballast::fdb;

void require(bool holds) {
  if (!holds) std::abort();
}

/// Plans of thousands of pods are right but slow; the fuzzer is after other things.
bool is_small(const Loaded& loaded) {
  int pods = static_cast<int>(loaded.snapshot.groups.size());
  for (const int count : wanted_pods(loaded.desired)) pods += count;
  return pods < 100;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  std::string_view text(reinterpret_cast<const char*>(data), size);
  LoadRequest request;
  request.current = "current";
  request.now = 1'700'000'000;
  for (const std::string_view name : {"current", "desired", "kube", "status"}) {
    const auto end = text.find("\n===\n");
    const std::string_view part = text.substr(0, end == std::string_view::npos ? end : end + 1);
    if (!part.empty() || name == "current") {
      request.texts[std::string(name)] = std::string(part);
      if (name == "desired") request.desired = "desired";
      if (name == "kube") request.kube = {"kube"};
      if (name == "status") request.status = "status";
    }
    if (end == std::string_view::npos) break;
    text.remove_prefix(end + 5);
  }
  const auto loaded = load(request);
  if (!loaded) {
    require(!loaded.error().empty());
    for (const Finding& finding : loaded.error()) {
      require(finding.code.size() == 4 && finding.code.front() == 'F');
      require(finding.message.find('\n') == std::string::npos);
    }
    return 0;
  }
  if (!is_small(*loaded)) return 0;
  const Simulation simulation = simulate(loaded->snapshot, loaded->desired, {});
  require(find_broken_rules(loaded->snapshot, simulation.steps).empty());
  require(to_brief(simulation.steps) == to_brief(simulate(loaded->snapshot, loaded->desired, {}).steps));
  return 0;
}
