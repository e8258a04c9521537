// SPDX-License-Identifier: BSD-2-Clause
#include <fmt/format.h>
#include <chrono>
#include <cstdlib>
#include "ballast/cli/options.hpp"
#include "ballast/cli/run_main.hpp"
#include "ballast/fdb/backend/load.hpp"
#include "ballast/fdb/search/simulate.hpp"
#include "ballast/kube/object.hpp"
using namespace ballast;
int main(int argc, char** argv) {
  return cli::run_main(argc, argv, [](const cli::Invocation& inv, cli::Streams& s) {
    fdb::LoadRequest r; fdb::PlanOptions o;
    for (std::size_t i = 1; i + 1 < inv.words.size(); i += 2) {
      const auto& k = inv.words[i]; const auto& v = inv.words[i+1];
      if (k == "--current") r.current = v;
      if (k == "--desired") r.desired = v;
      if (k == "--kube") r.kube.push_back(v);
      if (k == "--status") r.status = v;
      if (k == "--set") r.sets.push_back(v);
      if (k == "--now") r.now = kube::parse_time(v);
      if (k == "--profile" && v == "seed") { r.is_seed = true; o.profile = fdb::Profile::Seed; }
      if (k == "--zones") o.existing_zones = true;
    }
    auto loaded = fdb::load(r);
    if (!loaded) { for (auto& f : loaded.error()) s.err("hfdb: " + to_string(f) + "\n"); return 1; }
    auto sim = fdb::simulate(loaded->snapshot, loaded->desired, o);
    s.out(to_brief(sim.steps));
    for (auto& st : sim.steps) if (st.action == fdb::Action::Blocked) s.err(st.gate + ": " + st.observed + "\n");
    for (auto& l : sim.left) s.err("left " + l.group + " " + l.condition + "\n");
    for (auto& d : loaded->snapshot.disagreements) s.err(d.text + "\n");
    s.err(fmt::format("passes {} time {}\n", sim.passes, sim.world.now - loaded->snapshot.now));
    return sim.ending == fdb::Ending::Blocked ? 3 : 0;
  });
}
