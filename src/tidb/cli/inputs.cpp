// SPDX-License-Identifier: BSD-2-Clause
#include "inputs.hpp"

#include "ballast/core/file.hpp"

#include <string>
#include <utility>
#include <vector>

namespace ballast::tidb {

std::optional<Error> read_files(Settings& settings) {
  LoadRequest& load = settings.load;
  load.sets = settings.sets;
  load.object_name = settings.name;
  load.ns = settings.name_space;
  settings.plan.assume_healthy = settings.assume_healthy;
  settings.plan.allow_unsafe = settings.allow_unsafe;
  settings.plan.rate_mib = settings.rate_mib;
  settings.plan.parallel = settings.parallel;
  for (auto [files, into] : {std::pair{&settings.current, &load.current},
                             {&settings.desired, &load.desired},
                             {&settings.kube, &load.kube},
                             {&settings.pd, &load.pd},
                             {&settings.nodes, &load.nodes},
                             {&settings.volumes, &load.volumes}}) {
    for (const std::string& file : *files) {
      auto text = read_file(file);
      if (!text) return text.error();
      into->push_back({file == "-" ? "(standard input)" : file, std::move(*text)});
    }
  }
  return std::nullopt;
}

Input input_of(const Loaded& loaded, const Settings& settings) {
  Input input;
  input.current = loaded.current;
  input.desired = loaded.desired;
  input.live = loaded.live;
  input.options = settings.plan;
  input.options.profile = loaded.profile;
  input.options.names = loaded.style;
  for (const Component c : kComponents) {
    if (!loaded.order[index_of(c)].empty()) input.options.order[c] = loaded.order[index_of(c)];
  }
  input.max_replicas = loaded.max_replicas;
  input.options.now = settings.now.value_or(input.live.newest);
  if (!settings.now && input.options.now == 0) input.options.now = operators::system_clock();
  return input;
}

}  // namespace ballast::tidb
