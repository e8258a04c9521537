// SPDX-License-Identifier: BSD-2-Clause
// The servers of the whole database as coordinators are chosen among them: those of the object's
// own groups and those of other objects.
#pragma once

#include <string>
#include <vector>

#include "ballast/fdb/search/spread/choose.hpp"
#include "ballast/fdb/search/world/world.hpp"

namespace ballast::fdb {

bool uses_names(const World& world);
/// How many coordinators the wished configuration asks for.
int wanted_coordinators(const World& world);
/// How many of them may stand in one zone, data centre and data hall.
HardLimits coordinator_limits(const World& world);

struct Server {
  const Process* process = nullptr;
  const Member* group = nullptr;  ///< null: of another object
  const std::string* id = nullptr;
  ProcessClass process_class = ProcessClass::Unset;
};

template <class Visit>
void for_each_server(const World& world, const Visit& visit) {
  for (const Member& group : world.groups) {
    for (const Process& process : group.processes)
      visit(Server{&process, &group, &group.id, group.process_class});
  }
  for (const ForeignProcess& other : world.db.foreign)
    visit(Server{&other.process, nullptr, &other.group, other.process.process_class});
}

/// The name of the group's pod.
std::string dns_of(const World& world, const Member& group);
/// Empty where it is not known: names of other objects' pods cannot be made up.
std::string dns_of(const World& world, const Server& server);

/// Of all addresses of the process the one with the wanted TLS flag; null where it has none yet.
const Address* wanted_address(const World& world, const Process& process);

/// Every server, testers apart, listens at the kind of address that is wanted. Until then no set of
/// coordinators is accepted, whichever servers it names.
bool all_listen_as_wanted(const World& world);

/// Who holds each current coordinator's address, in their order.
struct Holders {
  std::vector<Server> wanted;  ///< by the address with the wanted TLS flag; process null: nobody
  std::vector<Server> any;     ///< by any address
};
Holders holders(const World& world);

}  // namespace ballast::fdb
