#pragma once

#include <optional>
#include <string>
#include <vector>

#include "workers/ranks/channel.h"

namespace rv::workers {

/// A network interface of this machine that is up, and its IPv4 address.
struct Interface {
  std::string name;             ///< "eth0"
  std::string address;          ///< "10.1.2.3"
  std::optional<int> megabits;  ///< Mbit/s as the driver reports it; nothing if it does not
};

/// The interfaces of this machine except the loopback, in the system's order.
std::vector<Interface> own_interfaces();

/// How the other ranks can reach a rank.
struct Reach {
  std::string host;
  std::string machine;  ///< the kernel's boot ID: equal for two ranks on one machine
  int port = 0;
  std::vector<Interface> interfaces;
};

Json to_json(const Reach& reach);
/// Throws Json::exception if the document has another form.
Reach reach_from_json(const Json& json);

/// Returns the address of `to` on the interface of this name, for a connection from `from`; empty if there is no such
/// connection. An address that both machines have (a container bridge's) leads back to the same machine and does not
/// count. Between ranks of one machine without an interface the loopback "lo" is used.
std::string address_by(const Reach& from, const Reach& to, const std::string& interface);

/// The names of the interfaces by which at least two of the ranks could connect, each once.
std::vector<std::string> common_names(const std::vector<Reach>& all);

}  // namespace rv::workers
