#pragma once

#include <optional>
#include <string>
#include <vector>

#include "workers/ranks/channel.h"

namespace rv::workers {

/// One way into this machine: an interface that is up, and its IPv4 address.
struct Interface {
  std::string name;             ///< "eth0"
  std::string address;          ///< "10.1.2.3"
  std::optional<int> megabits;  ///< as its driver says; nothing: it does not
};

/// Those of this machine without the loopback, in the system's order.
std::vector<Interface> own_interfaces();

/// What a rank tells the others of how to reach it.
struct Reach {
  std::string host;
  std::string machine;  ///< the same for two ranks on one machine: the kernel's boot ID
  int port = 0;
  std::vector<Interface> interfaces;
};

Json to_json(const Reach& reach);
/// Throws Json::exception for another's words.
Reach reach_from_json(const Json& json);

/// The address of `to` by its interface of this name, from `from`; empty: there is no such way. An address that both
/// machines have (a container bridge's) leads nowhere but back. On one machine without an interface the loopback "lo"
/// is the way.
std::string address_by(const Reach& from, const Reach& to, const std::string& interface);

/// The interfaces that any two of them could meet by, each name once.
std::vector<std::string> common_names(const std::vector<Reach>& all);

}  // namespace rv::workers
