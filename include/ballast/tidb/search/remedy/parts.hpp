// SPDX-License-Identifier: BSD-2-Clause
// What the remedies of the different blocks are put together from.
#pragma once

#include "ballast/tidb/search/remedy/remedies.hpp"

#include <functional>
#include <string>
#include <vector>

namespace ballast::tidb {

/// What a remedy takes, in short.
struct Price {
  Loss loss = Loss::None;
  std::string text;
};

/// Collects candidates.
class Candidates {
 public:
  Remedy& add(std::string text, Price price, std::vector<std::string> set,
              std::vector<std::string> commands, std::function<void(Input&)> apply);
  std::vector<Candidate> take() { return std::move(list_); }

 private:
  std::vector<Candidate> list_;
};

Component component_of(const Line& block);
SetSpec* wished_set(Input& input, Component c, const std::string& set);
/// "kubectl -n NS annotate tc NAME WHAT --overwrite".
std::string annotate(const Input& input, const std::string& what);

/// Members that PD calls unhealthy, by name.
std::vector<std::string> sick_members(const Input& input);
/// The state that their repair leaves.
void heal_members(Input& input);

/// A set of `replicas` pods beside another one, with its specification.
SetSpec set_beside(const Input& input, const SetSpec& spec, std::int64_t replicas);
/// --set that adds the set, where it is the first extra one of a form that inherits; else nothing.
std::vector<std::string> set_first_extra(const Input& input, const SetSpec& beside);

/// Delete slots of the default set that name `pods`; nothing where none of them helps.
void add_slots(Candidates& into, const Input& input, const Line& block,
               const std::vector<std::string>& pods, const std::string& why);
/// Delete slots of the default set, in ascending order, in place of those that are wished.
void add_slots_of(Candidates& into, const Input& input, const Line& block,
                  const std::vector<std::int64_t>& slots, const std::string& why, Price price);
/// What a majority of `members` survives, in words.
std::string pd_tolerance(std::int64_t members);

/// The running number of replicas.
void add_old_replicas(Candidates& into, const Input& input, const Line& block);

// One function a group of rows of the table.
void store_remedies(Candidates& into, const Input& input, const Line& block);
void member_remedies(Candidates& into, const Input& input, const Line& block);
void rollout_remedies(Candidates& into, const Input& input, const Line& block);
void capacity_remedies(Candidates& into, const Input& input, const Line& block);

}  // namespace ballast::tidb
