// SPDX-License-Identifier: BSD-2-Clause
#include "ballast/fdb/search/spread/packing.hpp"

#include <algorithm>
#include <charconv>
#include <cstddef>

namespace ballast::fdb {
namespace {

/// Should `a` leave before `b`? Both are in the same domain.
bool leaves_before(const PackingMember& a, const PackingMember& b) {
  if (a.wants_replacement != b.wants_replacement) return a.wants_replacement;
  if (a.is_coordinator != b.is_coordinator) return !a.is_coordinator;
  if (a.stored_bytes && b.stored_bytes && *a.stored_bytes != *b.stored_bytes) {
    return *a.stored_bytes < *b.stored_bytes;
  }
  if (a.created && b.created && *a.created != *b.created) return *a.created > *b.created;
  return a.number != b.number ? a.number > b.number : a.id > b.id;
}

class Packer {
 public:
  Packer(const std::vector<PackingMember>& members, int wanted, int domains)
      : members_(members),
        gone_(members.size(), false),
        load_(static_cast<std::size_t>(domains), 0) {
    minimum_ = wanted / domains;
    maximum_ = (wanted + domains - 1) / domains;
    wanted_ = wanted;
  }

  std::vector<PackingVictim> run() {
    drop_misplaced();
    while (const auto fullest = fullest_above(maximum_))
      take_from(*fullest, PackingReason::OverMaximum);
    while (deficit() > open()) {
      const auto fullest = fullest_above(minimum_);
      if (!fullest) break;
      take_from(*fullest, PackingReason::Rebalance);
    }
    return std::move(victims_);
  }

 private:
  void drop_misplaced() {
    for (std::size_t i = 0; i < members_.size(); ++i) {
      const auto& domain = members_[i].domain;
      if (domain && *domain < static_cast<int>(load_.size())) {
        ++load_[static_cast<std::size_t>(*domain)];
        continue;
      }
      gone_[i] = true;
      victims_.push_back(
          {members_[i].id, domain ? PackingReason::Dropped : PackingReason::Unbound});
    }
  }

  [[nodiscard]] std::optional<std::size_t> fullest_above(int bound) const {
    std::optional<std::size_t> best;
    for (std::size_t z = 0; z < load_.size(); ++z) {
      if (load_[z] > bound && (!best || load_[z] >= load_[*best])) best = z;
    }
    return best;
  }

  void take_from(std::size_t domain, PackingReason reason) {
    std::optional<std::size_t> victim;
    for (std::size_t i = 0; i < members_.size(); ++i) {
      if (gone_[i] || members_[i].domain != static_cast<int>(domain)) continue;
      if (!victim || leaves_before(members_[i], members_[*victim])) victim = i;
    }
    if (!victim) return;
    gone_[*victim] = true;
    --load_[domain];
    victims_.push_back({members_[*victim].id, reason});
  }

  [[nodiscard]] int open() const {
    int sum = 0;
    for (const int n : load_) sum += n;
    return std::max(0, wanted_ - sum);
  }
  [[nodiscard]] int deficit() const {
    int sum = 0;
    for (const int n : load_) sum += std::max(0, minimum_ - n);
    return sum;
  }

  const std::vector<PackingMember>& members_;
  std::vector<bool> gone_;
  std::vector<int> load_;
  std::vector<PackingVictim> victims_;
  int minimum_ = 0;
  int maximum_ = 0;
  int wanted_ = 0;
};

}  // namespace

std::string_view code(PackingReason reason) {
  switch (reason) {
    case PackingReason::Dropped:
      return "fault-domain-dropped";
    case PackingReason::Unbound:
      return "fault-domain-unbound";
    case PackingReason::OverMaximum:
      return "fault-domain-over-max";
    case PackingReason::Rebalance:
      return "fault-domain-rebalance";
  }
  return "";
}

std::vector<PackingVictim> packing_victims(const std::vector<PackingMember>& members, int wanted,
                                           int domains) {
  // An unknown size or age equals every other. That is no order unless it is unknown for all.
  std::vector<PackingMember> compared = members;
  const auto all_know = [&](auto field) {
    return std::all_of(members.begin(), members.end(),
                       [field](const PackingMember& m) { return (m.*field).has_value(); });
  };
  const bool sizes = all_know(&PackingMember::stored_bytes);
  const bool ages = all_know(&PackingMember::created);
  for (PackingMember& member : compared) {
    if (!sizes) member.stored_bytes.reset();
    if (!ages) member.created.reset();
  }
  return Packer(compared, std::max(0, wanted), domains).run();
}

std::vector<int> packing_places(std::vector<int> occupied, int count) {
  std::vector<int> places;
  if (occupied.empty()) return places;
  for (int i = 0; i < count; ++i) {
    const auto emptiest = std::min_element(occupied.begin(), occupied.end());
    ++*emptiest;
    places.push_back(static_cast<int>(emptiest - occupied.begin()));
  }
  return places;
}

std::string domain_key(ProcessClass c, int domain) {
  return std::string(name(c)) + "-" + std::to_string(domain);
}

std::optional<int> domain_of_key(ProcessClass c, std::string_view key) {
  const std::string_view front = name(c);
  if (key.size() < front.size() + 2 || key.substr(0, front.size()) != front ||
      key[front.size()] != '-') {
    return std::nullopt;
  }
  const auto digits = key.substr(front.size() + 1);
  int domain = 0;
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), domain);
  if (error != std::errc() || end != digits.data() + digits.size() || domain < 0)
    return std::nullopt;
  return domain;
}

}  // namespace ballast::fdb
