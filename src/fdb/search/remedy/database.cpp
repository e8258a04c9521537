// SPDX-License-Identifier: BSD-2-Clause
// Ways out of what the database itself refuses, or the operators that share it.
#include <fmt/format.h>

#include <utility>

#include "ballast/core/units.hpp"
#include "ballast/fdb/search/remedy/remedy.hpp"

namespace ballast::fdb {
namespace {

using plan::Loss;

RemedyEdit edit_of(std::string text, Loss loss, std::string cost, std::vector<std::string> set,
                   void (*apply)(ClusterSpec&)) {
  RemedyEdit edit;
  edit.loss = loss;
  edit.cost = std::move(cost);
  edit.text = std::move(text);
  edit.set = std::move(set);
  edit.apply = [apply](Trial& trial, int) { apply(trial.spec); };
  return edit;
}

std::vector<RemedyEdit> migrations(const RemedyContext& context) {
  const auto& total = context.snapshot.database.total_kv_bytes;
  const std::string data =
      total ? size_text(*total * context.desired.redundancy().replicas) : std::string("all data");
  RemedyEdit gradual =
      edit_of("rewrite the storage servers one after the other by the perpetual wiggle",
              Loss::Effort, fmt::format("{} to move, slowly, with little load", data),
              {"databaseConfiguration.storage_migration_type=gradual",
               "databaseConfiguration.perpetual_storage_wiggle=1"},
              [](ClusterSpec& spec) {
                spec.database.knobs["storage_migration_type"] = "gradual";
                spec.database.knobs["perpetual_storage_wiggle"] = "1";
              });
  RemedyEdit aggressive = edit_of(
      "rewrite all storage servers at once", Loss::Service,
      fmt::format("{} to move as fast as the disks allow, which clients feel", data),
      {"databaseConfiguration.storage_migration_type=aggressive"},
      [](ClusterSpec& spec) { spec.database.knobs["storage_migration_type"] = "aggressive"; });
  aggressive.is_alternative = true;
  return {std::move(gradual), std::move(aggressive)};
}

RemedyEdit unlock(const RemedyContext& context) {
  return edit_of(
      "take the ID of this object from the deny list, once it is clear why it is there", Loss::Wish,
      "this operator acts on the database again, beside the others that share it",
      {fmt::format("lockOptions.denyList[id={}].allow=true", context.desired.group_prefix)},
      [](ClusterSpec& spec) { std::erase(spec.lock_deny_list, spec.group_prefix); });
}

RemedyEdit configure_by_hand(const RemedyContext& context) {
  const std::string& mode = context.desired.database.redundancy_mode;
  RemedyEdit edit;
  edit.text = "configure a mode of the operator by hand, once what it needs is running";
  edit.commands = {"fdbcli --exec 'configure " + (mode.empty() ? "double" : mode) + "'"};
  return edit;
}

}  // namespace

std::vector<RemedyEdit> database_remedies(const RemedyContext& context) {
  const std::string& gate = context.dead_end.gate;
  if (gate == "storage-migration") return migrations(context);
  if (gate == "lock") return {unlock(context)};
  if (gate == "redundancy-mode") return {configure_by_hand(context)};
  return {};
}

}  // namespace ballast::fdb
