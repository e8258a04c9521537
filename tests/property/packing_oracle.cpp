// SPDX-License-Identifier: BSD-2-Clause
// Bin packing of fault domains against an exhaustive search: every way to lay up to 9 groups over
// up to 4 domains (and beyond), every wanted count. The replacements must be as few as any choice
// of victims allows, and the domains must end between minimum and maximum.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdio>
#include <cstdlib>
#include <numeric>
#include <string>
#include <vector>

#include "ballast/core/random.hpp"
#include "ballast/fdb/search/spread/packing.hpp"

namespace {

using ballast::Random;
using namespace ballast::fdb;

constexpr int kMostGroups = 9;
constexpr int kMostDomains = 4;
constexpr std::size_t kDropped =
    kMostDomains;  ///< slot of groups in a domain that is no longer wanted
constexpr std::size_t kUnbound = kMostDomains + 1;

/// Groups per domain, then those in a dropped one, then the unbound ones.
using Load = std::array<int, kMostDomains + 2>;

struct Scene {
  Load load{};
  int domains = 1;
  int wanted = 0;

  [[nodiscard]] int minimum() const { return wanted / domains; }
  [[nodiscard]] int maximum() const { return (wanted + domains - 1) / domains; }
};

std::string shown(const Scene& scene) {
  return fmt::format("load {},{},{},{} dropped {} unbound {}, {} domains, {} wanted", scene.load[0],
                     scene.load[1], scene.load[2], scene.load[3], scene.load[kDropped],
                     scene.load[kUnbound], scene.domains, scene.wanted);
}

[[noreturn]] void give_up(const Scene& scene, const std::string& why) {
  fmt::print(stderr, "packing_oracle: {}: {}\n", shown(scene), why);
  std::exit(1);
}

int sum(const Load& load, int domains) {
  return std::accumulate(load.begin(), load.begin() + domains, 0);
}

/// Can additions alone (or a shrink that takes from the fullest) bring what stays between minimum
/// and maximum?
bool is_good_rest(const Scene& scene, const Load& stays) {
  int lacking = 0;
  for (int z = 0; z < scene.domains; ++z) {
    const int n = stays[static_cast<std::size_t>(z)];
    if (n > scene.maximum()) return false;
    lacking += std::max(0, scene.minimum() - n);
  }
  return lacking <= std::max(0, scene.wanted - sum(stays, scene.domains));
}

/// Fewest victims over all choices; groups of one domain are alike here.
int fewest_victims(const Scene& scene, Load stays, int domain, int taken, int best) {
  if (taken >= best) return best;
  if (domain == scene.domains) return is_good_rest(scene, stays) ? taken : best;
  const auto z = static_cast<std::size_t>(domain);
  const int all = stays[z];
  for (int k = 0; k <= all; ++k) {
    stays[z] = all - k;
    best = fewest_victims(scene, stays, domain + 1, taken + k, best);
  }
  return best;
}

std::vector<PackingMember> members_of(const Scene& scene) {
  std::vector<PackingMember> members;
  int number = 0;
  for (std::size_t slot = 0; slot < scene.load.size(); ++slot) {
    for (int i = 0; i < scene.load[slot]; ++i) {
      PackingMember member;
      member.number = ++number;
      member.id = fmt::format("storage-{}", number);
      if (slot != kUnbound)
        member.domain = slot == kDropped ? scene.domains : static_cast<int>(slot);
      members.push_back(member);
    }
  }
  return members;
}

void check_scene(const Scene& scene) {
  const auto members = members_of(scene);
  const auto victims = packing_victims(members, scene.wanted, scene.domains);
  Load stays = scene.load;
  for (const PackingVictim& victim : victims) {
    const auto it = std::ranges::find(members, victim.id, &PackingMember::id);
    if (it == members.end()) give_up(scene, "a victim that is no member");
    const bool is_misplaced = !it->domain || *it->domain >= scene.domains;
    const std::size_t slot = !it->domain    ? kUnbound
                             : is_misplaced ? kDropped
                                            : static_cast<std::size_t>(*it->domain);
    if (--stays[slot] < 0) give_up(scene, "a victim twice");
  }
  if (stays[kDropped] + stays[kUnbound] > 0) give_up(scene, "a misplaced group stays");
  if (!is_good_rest(scene, stays)) give_up(scene, "what stays cannot be completed");

  const int misplaced = scene.load[kDropped] + scene.load[kUnbound];
  const int fewest = misplaced + fewest_victims(scene, scene.load, 0, 0, kMostGroups + 1);
  if (static_cast<int>(victims.size()) != fewest) {
    give_up(scene, fmt::format("{} victims, {} would do", victims.size(), fewest));
  }
  std::vector<int> occupied(stays.begin(), stays.begin() + scene.domains);
  const int missing = std::max(0, scene.wanted - sum(stays, scene.domains));
  for (const int z : packing_places(occupied, missing)) ++occupied[static_cast<std::size_t>(z)];
  for (const int n : occupied) {
    if (n < scene.minimum() || n > scene.maximum())
      give_up(scene, "a domain ends outside of minimum and maximum");
  }
}

long check_all(Scene& scene, std::size_t slot, int left) {
  if (slot == scene.load.size()) {
    long count = 0;
    for (scene.wanted = 0; scene.wanted <= kMostGroups + 1; ++scene.wanted, ++count)
      check_scene(scene);
    return count;
  }
  const bool is_used = slot >= kMostDomains || static_cast<int>(slot) < scene.domains;
  long count = 0;
  for (int n = 0; n <= (is_used ? left : 0); ++n) {
    scene.load[slot] = n;
    count += check_all(scene, slot + 1, left - n);
  }
  scene.load[slot] = 0;
  return count;
}

/// Among the groups of a domain, nobody who stays is a better victim than one who goes, by the
/// rule's own order.
bool is_better_victim(const PackingMember& a, const PackingMember& b) {
  if (a.wants_replacement != b.wants_replacement) return a.wants_replacement;
  if (a.is_coordinator != b.is_coordinator) return b.is_coordinator;
  if (*a.stored_bytes != *b.stored_bytes) return *a.stored_bytes < *b.stored_bytes;
  if (*a.created != *b.created) return *a.created > *b.created;
  return a.number > b.number;
}

void check_choice(std::uint64_t seed) {
  Random random(seed);
  Scene scene;
  scene.domains = static_cast<int>(random.between(1, kMostDomains));
  for (int z = 0; z < scene.domains; ++z)
    scene.load[static_cast<std::size_t>(z)] = static_cast<int>(random.below(5));
  scene.wanted = static_cast<int>(random.below(kMostGroups + 2));
  auto members = members_of(scene);
  for (PackingMember& member : members) {
    member.wants_replacement = random.chance(20);
    member.is_coordinator = random.chance(30);
    member.stored_bytes = random.between(1, 2);
    member.created = random.between(1, 2);
  }
  const auto victims = packing_victims(members, scene.wanted, scene.domains);
  const auto goes = [&](const PackingMember& m) {
    return std::ranges::find(victims, m.id, &PackingVictim::id) != victims.end();
  };
  for (const PackingMember& gone : members) {
    for (const PackingMember& kept : members) {
      if (goes(gone) && !goes(kept) && gone.domain == kept.domain && is_better_victim(kept, gone)) {
        give_up(scene, fmt::format("seed {}: {} goes although {} should", seed, gone.id, kept.id));
      }
    }
  }
}

}  // namespace

/// [SEEDS] [FIRST_SEED] are those of the random part; the exhaustive part is always whole.
int main(int argc, char** argv) {
  long count = 0;
  for (int domains = 1; domains <= kMostDomains; ++domains) {
    Scene scene;
    scene.domains = domains;
    count += check_all(scene, 0, kMostGroups);
  }
  const std::uint64_t seeds = argc > 1 ? std::strtoull(argv[1], nullptr, 10) : 20'000;
  const std::uint64_t first = argc > 2 ? std::strtoull(argv[2], nullptr, 10) : 1;
  for (std::uint64_t seed = first; seed < first + seeds; ++seed) check_choice(seed);
  fmt::print("{} scenes, {} choices\n", count, seeds);
  return count > 0 ? 0 : 1;
}
