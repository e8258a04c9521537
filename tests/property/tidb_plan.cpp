// SPDX-License-Identifier: BSD-2-Clause
// Random pairs of clusters: every plan holds on replay, is the same twice, and leaves nothing to do
// for the wished side against itself; values survive the list form; the last stage means the wished
// file. A failure prints its seed and a smaller pair.
#include "ballast/core/random.hpp"
#include "ballast/tidb/backend/list_form.hpp"
#include "ballast/tidb/backend/load.hpp"
#include "ballast/tidb/backend/stages.hpp"
#include "ballast/tidb/search/replay.hpp"
#include "ballast/tidb/search/search.hpp"

#include <fmt/format.h>

#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

namespace {

using namespace ballast::tidb;
using ballast::Random;

struct SetText {
  std::string name;
  std::int64_t replicas = 0;
  int image = 0;
  int cpu = 0;
};

struct Cluster {
  std::vector<SetText> sets[3];
  bool rollout = true;
  int config = 0;
};

constexpr const char* kComponentNames[] = {"pd", "tikv", "tidb"};

std::string values_of(const Cluster& cluster) {
  std::string text =
      fmt::format("clusterName: demo\nenableConfigMapRollout: {}\n", cluster.rollout);
  for (int c = 0; c < 3; ++c) {
    const auto& sets = cluster.sets[c];
    const char* name = kComponentNames[c];
    text += fmt::format("{}:\n  replicas: {}\n  image: pingcap/{}:v2.{}.0\n", name,
                        sets[0].replicas, name, sets[0].image);
    text += fmt::format("  resources:\n    requests: {{cpu: \"{}\", storage: 10Gi}}\n",
                        sets[0].cpu + 1);
    if (cluster.config > 0) text += fmt::format("  config: |\n    level = {}\n", cluster.config);
    if (sets.size() > 1) text += "  extra:\n";
    for (std::size_t i = 1; i < sets.size(); ++i) {
      text += fmt::format("  - name: {}\n    replicas: {}\n", sets[i].name, sets[i].replicas);
      if (sets[i].image != sets[0].image)
        text += fmt::format("    image: pingcap/{}:v2.{}.0\n", name, sets[i].image);
      if (sets[i].cpu != sets[0].cpu)
        text += fmt::format("    resources: {{requests: {{cpu: {}000m}}}}\n", sets[i].cpu + 1);
    }
  }
  return text;
}

Cluster random_cluster(Random& random, std::int64_t size) {
  Cluster cluster;
  cluster.rollout = random.chance(70);
  for (int c = 0; c < 3; ++c) {
    SetText first;
    first.name = "default";
    first.replicas = random.between(c == 0 ? 1 : 0, size + 1);
    cluster.sets[c].push_back(first);
    for (std::int64_t i = random.between(0, size / 2); i > 0; --i) {
      cluster.sets[c].push_back({fmt::format("s{}", i), random.between(0, size), 0, 0});
    }
  }
  return cluster;
}

Cluster changed(Random& random, Cluster cluster, std::int64_t size) {
  if (random.chance(20)) cluster.config = 1;
  for (auto& sets : cluster.sets) {
    for (SetText& set : sets) {
      if (random.chance(30)) set.replicas = random.between(0, size + 1);
      if (random.chance(30)) set.image = 1;
      if (random.chance(15)) set.cpu = 3;
    }
    if (sets.size() > 1 && random.chance(25)) sets.pop_back();
    if (random.chance(25)) sets.push_back({"new", random.between(0, size), 0, 0});
  }
  return cluster;
}

/// Stores and members as pd-ctl prints them, some of them not well.
std::vector<SourceText> pd_of(Random& random, const Cluster& cluster) {
  const auto pod = [](int c, const SetText& set, std::int64_t ordinal) {
    return set.name == "default"
               ? fmt::format("demo-{}-{}", kComponentNames[c], ordinal)
               : fmt::format("demo-{}-{}-{}", kComponentNames[c], set.name, ordinal);
  };
  std::string stores;
  std::string health;
  int id = 0;
  for (const SetText& set : cluster.sets[1]) {
    for (std::int64_t i = 0; i < set.replicas; ++i) {
      const char* state = random.chance(85) ? "Up" : random.chance(50) ? "Down" : "Offline";
      stores += fmt::format(
          "{}{{\"store\":{{\"id\":{},\"address\":\"{}.x:20160\",\"state_name\":\"{}\"}},\"status\":"
          "{{\"leader_count\":{}}}}}",
          stores.empty() ? "" : ",", ++id, pod(1, set, i), state, random.between(0, 900));
    }
  }
  for (const SetText& set : cluster.sets[0]) {
    for (std::int64_t i = 0; i < set.replicas; ++i) {
      health += fmt::format("{}{{\"name\":\"{}\",\"member_id\":{},\"health\":{}}}",
                            health.empty() ? "" : ",", pod(0, set, i), ++id, random.chance(90));
    }
  }
  std::vector<SourceText> texts;
  if (random.chance(50)) texts.push_back({"store.json", "{\"stores\":[" + stores + "]}"});
  if (random.chance(50) && !health.empty()) texts.push_back({"health.json", "[" + health + "]"});
  return texts;
}

Input input_of(const Loaded& loaded, const PlanOptions& options) {
  Input input;
  input.current = loaded.current;
  input.desired = loaded.desired;
  input.live = loaded.live;
  input.options = options;
  input.options.profile = loaded.profile;
  input.options.names = loaded.style;
  input.max_replicas = loaded.max_replicas;
  return input;
}

std::string problem_of(std::uint64_t seed, std::int64_t size, std::string& pair) {
  Random random(seed);
  const Cluster before = random_cluster(random, size);
  const Cluster after = changed(random, before, size);
  LoadRequest request;
  request.current = {{"current.yaml", values_of(before)}};
  request.desired = {{"desired.yaml", values_of(after)}};
  request.pd = pd_of(random, before);
  request.profile = random.chance(70) ? Profile::V16 : Profile::V10;
  PlanOptions options;
  options.now = 1000000;
  options.set_order = random.chance(30);
  options.ramp = random.chance(30);
  options.allow_unsafe = random.chance(20);
  pair = request.current[0].text + "---\n" + request.desired[0].text;
  for (const SourceText& text : request.pd) pair += "--- " + text.text + "\n";
  const auto loaded = load(request);
  if (!loaded) return "refused: " + to_string(loaded.error().front());
  const Input input = input_of(*loaded, options);
  const Outcome outcome = plan_cluster(input);
  if (const auto broken = replay(input, outcome)) return *broken + "\n" + brief(outcome);
  if (brief(plan_cluster(input)) != brief(outcome)) return "two plans of one input differ";

  LoadRequest same = request;
  same.current = {{"current.yaml", values_of(after)}};
  same.pd.clear();
  const auto settled = load(same);
  if (!settled) return "the wished side is refused as current side";
  if (const std::string text = brief(plan_steps(input_of(*settled, options))); !text.empty())
    return "wished against wished:\n" + text;

  Diagnostics errors;
  SpecOptions spec_options;
  const ballast::kube::Node object = list_form(loaded->desired_documents, spec_options, errors);
  LoadRequest listed = same;
  listed.desired = {{"list.yaml", ballast::kube::emit_yaml(object)}};
  const auto as_list = load(listed);
  if (!as_list) return "the list form is refused: " + to_string(as_list.error().front());
  if (const std::string text = brief(plan_steps(input_of(*as_list, options))); !text.empty())
    return "values against their list form:\n" + text;

  std::vector<std::pair<Component, std::string>> order;
  for (const Step& step : outcome.steps) {
    const bool aside = !step.component || step.set.empty() || step.action == Action::LabelPods ||
                       step.action == Action::CreateService;
    if (aside) continue;
    const std::pair key{*step.component, step.set};
    if (std::find(order.begin(), order.end(), key) == order.end()) order.push_back(key);
  }
  for (const Stage& stage : make_stages(loaded->current_documents, loaded->desired_documents,
                                        spec_options, order, errors)) {
    LoadRequest staged = same;
    staged.desired = {{"stage.yaml", ballast::kube::emit_yaml(stage.document)}};
    const auto read = load(staged);
    if (!read) return stage.name + " is refused: " + to_string(read.error().front());
    if (stage.name.ends_with(order.back().second) &&
        stage.name.starts_with(fmt::format("{:02}-", order.size()))) {
      if (const std::string text = brief(plan_steps(input_of(*read, options))); !text.empty())
        return "the last stage is not the wished state:\n" + text;
    }
  }
  return errors.empty() ? "" : to_string(errors.sorted().front());
}

}  // namespace

int main(int argc, char** argv) {
  const std::uint64_t seeds = argc > 1 ? std::strtoull(argv[1], nullptr, 10) : 400;
  const std::uint64_t first = argc > 2 ? std::strtoull(argv[2], nullptr, 10) : 1;
  for (std::uint64_t seed = first; seed < first + seeds; ++seed) {
    std::string pair;
    std::string problem = problem_of(seed, 4, pair);
    if (problem.empty()) continue;
    for (std::int64_t size = 1; size < 4; ++size) {
      std::string smaller_pair;
      std::string smaller = problem_of(seed, size, smaller_pair);
      if (smaller.empty()) continue;
      problem = std::move(smaller);
      pair = std::move(smaller_pair);
      break;
    }
    std::printf("seed %llu: %s\n%s\n", static_cast<unsigned long long>(seed), problem.c_str(),
                pair.c_str());
    return 1;
  }
  std::printf("%llu pairs hold\n", static_cast<unsigned long long>(seeds));
  return 0;
}
