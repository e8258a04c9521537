// SPDX-License-Identifier: BSD-2-Clause
// Loads a snapshot, asks for a plan and walks its steps: embed data/ganeti/office.data
#include <cstdio>

#include "ballast/core/file.hpp"
#include "ballast/ganeti/backend/text/text.hpp"
#include "ballast/ganeti/loading/pipeline.hpp"
#include "ballast/ganeti/search/balance/balance.hpp"
#include "ballast/ganeti/search/planning/builder.hpp"

int main(int count, char** arguments) {
  namespace ganeti = ballast::ganeti;
  if (count != 2) return 2;
  const auto content = ballast::read_file(arguments[1]);
  if (!content) return std::puts(content.error().message.c_str()), 1;
  auto snapshot = ganeti::read_text(*content, arguments[1], {});
  if (!snapshot) return std::puts(snapshot.error().message.c_str()), 1;
  if (const auto ready = ganeti::run_pipeline(*snapshot, {}); !ready)
    return std::puts(ready.error().message.c_str()), 1;
  ganeti::set_min_disk(*snapshot, 0);

  const ganeti::Cluster& cluster = snapshot->cluster;
  for (const ganeti::Part& part : ganeti::parts_of(cluster, snapshot->state)) {
    const auto found = ganeti::balance(cluster, snapshot->state, part, {});
    const auto sets = ganeti::job_sets(cluster, found.steps);
    const auto plan = ganeti::balance_plan(cluster, snapshot->state, part, found, sets,
                                           /*ignore_soft_errors=*/false);
    std::printf("%s: %s\n", cluster[part.group].name.c_str(), plan.headline.c_str());
    for (const ballast::plan::Step& step : plan.steps)
      std::printf("%d. %s %s\n", step.n, step.action.c_str(), step.subject.name.c_str());
  }
}
