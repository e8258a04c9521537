// SPDX-License-Identifier: BSD-2-Clause
#include "ballast/core/shell.hpp"
#include "parts.hpp"

namespace ballast::fdb {

void add_commands(const Cluster& snapshot, const TraceStep& step, plan::Step& out) {
  const std::string kubectl = "kubectl -n " + shell_word(snapshot.name_space) + " ";
  const std::string selector = "foundationdb.org/fdb-cluster-name=" + shell_word(snapshot.name);
  for (const std::string& command : step.commands) {
    const std::string text =
        step.action == Action::ConfigureDatabase ? "configure " + command : command;
    out.commands.push_back({plan::CommandUse::Hand, "fdbcli --exec " + shell_quoted(text)});
  }
  switch (step.action) {
    case Action::MarkForRemoval:
    case Action::AddProcessGroup:
    case Action::SetStatus:
      out.commands.push_back({plan::CommandUse::Watch, kubectl + "get foundationdbcluster " +
                                                           shell_word(snapshot.name) + " -o yaml"});
      break;
    case Action::CreatePvc:
      out.commands.push_back({plan::CommandUse::Watch, kubectl + "get pvc -l " + selector});
      break;
    case Action::CreatePod:
    case Action::DeletePod:
    case Action::DeleteResources:
      out.commands.push_back({plan::CommandUse::Watch, kubectl + "get pods -l " + selector});
      break;
    case Action::UpdateConfigMap:
    case Action::CreateConfigMap:
      out.commands.push_back(
          {plan::CommandUse::Watch,
           kubectl + "get configmap " + shell_word(step.targets.front()) + " -o yaml"});
      break;
    case Action::Exclude:
    case Action::KillProcesses:
    case Action::ConfigureDatabase:
      out.commands.push_back({plan::CommandUse::Watch, "fdbcli --exec 'status details'"});
      break;
    default:
      break;
  }
}

}  // namespace ballast::fdb
