// SPDX-License-Identifier: BSD-2-Clause
// Start commands of servers as the database reports them.
#pragma once

#include <string>

#include "ballast/fdb/search/world/world.hpp"

namespace ballast::fdb {

/// A start command as reported, held against the one that the environment of the process would
/// give. True too where the expected one has values of variables that cannot be known.
bool runs_command(const CommandInputs& inputs, const Member& group, const Process& process);

/// Gives each process and each pod of a new world the numbers of the start command and of the
/// configuration that it has, -1 where they are neither the old nor the wished ones; `old`: what
/// the snapshot's own spec and status ask for.
void number_commands(World& world, const CommandInputs& old);

/// What the process would report at this moment of a simulation: the line of the snapshot, or the
/// one that it was started with since. Not known: a line that equals no wished one.
std::string reported_command(const World& world, const Member& group, const Process& process);

}  // namespace ballast::fdb
