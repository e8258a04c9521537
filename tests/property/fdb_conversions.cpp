// SPDX-License-Identifier: BSD-2-Clause
// Each direction of each conversion ends: from a healthy cluster to the edited spec, and from there
// back, with a few conversions in one edit.
#include <fmt/format.h>

#include <array>
#include <cstdint>
#include <cstdio>
#include <string>
#include <string_view>
#include <utility>

#include "ballast/core/random.hpp"
#include "ballast/fdb/search/check/second_opinion.hpp"
#include "ballast/fdb/search/plan/planner.hpp"
#include "ballast/fdb/search/simulate/parts.hpp"

#include "support/each_seed.hpp"
#include "support/fdb_cases.hpp"

namespace {

using namespace ballast;
using namespace ballast::fdb;
using namespace ballast::fdb_cases;

struct Conversion {
  std::string_view name;
  void (*apply)(ClusterSpec& spec);
};

constexpr std::array kConversions = std::to_array<Conversion>({
    {"tls", [](ClusterSpec& s) { s.enable_tls = !s.enable_tls; }},
    {"dns",
     [](ClusterSpec& s) {
       Routing& r = s.routing;
       r.dns_in_cluster_file = !r.dns_in_cluster_file;
       r.dns_localities = r.headless_service = r.dns_in_cluster_file;
     }},
    {"image",
     [](ClusterSpec& s) {
       s.image_type = s.image_type == ImageType::Split ? ImageType::Unified : ImageType::Split;
     }},
    {"localities",
     [](ClusterSpec& s) { s.automation.use_localities = !s.automation.use_localities; }},
    {"service",
     [](ClusterSpec& s) {
       IpSource& source = s.routing.public_ip_source;
       source = source == IpSource::Pod ? IpSource::Service : IpSource::Pod;
     }},
    {"engine",
     [](ClusterSpec& s) {
       s.database.storage_engine =
           s.database.storage_engine == "ssd-2" ? "ssd-rocksdb-v1" : "ssd-2";
     }},
    {"storage density", [](ClusterSpec& s) { s.storage_servers_per_pod ^= 3; }},
    {"log density", [](ClusterSpec& s) { s.log_servers_per_pod ^= 3; }},
});

std::string text_of(unsigned conversions) {
  std::string text;
  for (std::size_t i = 0; i < kConversions.size(); ++i) {
    if ((conversions >> i & 1U) != 0)
      text += fmt::format("{}{}", text.empty() ? "" : ", ", kConversions[i].name);
  }
  return text;
}

ClusterSpec converted(ClusterSpec spec, unsigned conversions) {
  for (std::size_t i = 0; i < kConversions.size(); ++i) {
    if ((conversions >> i & 1U) != 0) kConversions[i].apply(spec);
  }
  return spec;
}

/// What is wrong with the way; empty: it ends where it should.
std::string problem_of(const Cluster& from, const ClusterSpec& wish, const Simulation& way) {
  const auto broken = find_broken_rules({from, wish, {}, way.steps});
  if (!broken.empty()) return broken.front();
  if (way.ending == Ending::Reconciled) {
    const Simulation again = simulate(end_of(from, way.world), wish, {});
    return again.steps.empty() ? "" : "the end is not at rest:\n" + to_brief(again.steps);
  }
  return to_brief(way.steps);
}

Case base_case(std::uint64_t seed) {
  Case it = make_case(seed, 0);
  for (ClusterSpec* spec : {&it.snapshot.spec, &it.desired})
    spec->database.knobs["storage_migration_type"] = "aggressive";
  if (it.snapshot.database.configuration)
    it.snapshot.database.configuration->knobs["storage_migration_type"] = "aggressive";
  return it;
}

std::string check(std::uint64_t seed) {
  Random random(seed * 104'729);
  // Each conversion alone first, then pairs and more.
  const unsigned conversions = seed <= kConversions.size()
                                   ? 1U << (seed - 1)
                                   : static_cast<unsigned>(random.below(1U << kConversions.size()) &
                                                           random.below(1U << kConversions.size()));
  Case it = base_case(seed);
  const ClusterSpec wish = converted(it.snapshot.spec, conversions);
  const Simulation forth = simulate(it.snapshot, wish, {});
  if (const std::string text = problem_of(it.snapshot, wish, forth); !text.empty())
    return text_of(conversions) + ", forth:\n" + text;
  Cluster end = end_of(it.snapshot, forth.world);
  const Simulation back = simulate(end, it.snapshot.spec, {});
  if (const std::string text = problem_of(end, it.snapshot.spec, back); !text.empty())
    return text_of(conversions) + ", back:\n" + text;
  return "";
}

}  // namespace

int main(int argc, char** argv) {
  const test::Seeds seeds = test::seeds_of(argc, argv, 400);
  if (!test::holds_for_each(seeds, check)) return 1;
  std::printf("%llu conversions end, forth and back\n",
              static_cast<unsigned long long>(seeds.count));
  return 0;
}
