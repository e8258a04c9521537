// SPDX-License-Identifier: BSD-2-Clause
// Whatever the files hold: an error has a code and one line, and a plan holds on replay. Parts are
// separated by a line "===": desired, current, kube, pd, nodes, volumes.
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>
#include <vector>

#include "ballast/tidb/backend/load.hpp"
#include "ballast/tidb/search/answer/search.hpp"
#include "ballast/tidb/search/replay/replay.hpp"

namespace {

using namespace ballast::tidb;

void require(bool holds) {
  if (!holds) std::abort();
}

std::vector<std::string> parts_of(std::string_view text) {
  std::vector<std::string> parts;
  for (std::size_t at = text.find("\n===\n"); at != std::string_view::npos;
       at = text.find("\n===\n")) {
    parts.emplace_back(text.substr(0, at + 1));
    text.remove_prefix(at + 5);
  }
  parts.emplace_back(text);
  parts.resize(6);
  return parts;
}

/// Plans of thousands of pods are right but slow; the fuzzer is after other things.
bool is_small(const Loaded& loaded) {
  std::int64_t pods = 0;
  for (const Component c : kComponents) {
    pods += total_replicas(loaded.desired.of(c));
    for (const LiveSet& set : loaded.live.of(c)) pods += set.replicas;
  }
  return pods < 200;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const auto parts = parts_of({reinterpret_cast<const char*>(data), size});
  LoadRequest request;
  const auto give = [&](std::vector<SourceText>& into, std::size_t part, const char* name) {
    if (!parts[part].empty()) into.push_back({name, parts[part]});
  };
  give(request.desired, 0, "desired");
  give(request.current, 1, "current");
  give(request.kube, 2, "kube");
  give(request.pd, 3, "pd");
  give(request.nodes, 4, "nodes");
  give(request.volumes, 5, "volumes");
  if (request.desired.empty() && request.current.empty()) return 0;
  auto loaded = load(request);
  if (!loaded) {  // a name is only asked for where the files tell none
    request.cluster = "demo";
    loaded = load(request);
  }
  if (!loaded) {
    require(!loaded.error().empty());
    for (const Diagnostic& error : loaded.error()) {
      require(error.code.size() == 4 && to_string(error).find('\n') == std::string::npos);
    }
    return 0;
  }
  if (!is_small(*loaded)) return 0;
  Input input;
  input.current = loaded->current;
  input.desired = loaded->desired;
  input.live = loaded->live;
  input.options.profile = loaded->profile;
  input.options.names = loaded->style;
  input.options.now = 1700000000;
  input.max_replicas = loaded->max_replicas;
  require(replay(input, plan_cluster(input)).problems.empty());
  return 0;
}
