// Listening TCP sockets of this machine, from the kernel's tables, and which of them gets a connection.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace rv::forward {

struct Listener {
  std::string address;  // 4 bytes of IPv4 or 16 of IPv6, in network order
  int port = 0;
  unsigned user = 0;        // who made the socket
  std::uint64_t inode = 0;  // of the socket

  bool operator==(const Listener&) const = default;
};

/// The listening sockets in the text of /proc/net/tcp or tcp6. Lines that are not the kernel's are passed over.
std::vector<Listener> parse_listeners(std::string_view text);

/// The listening ports of this machine. `proc`: the folder of the kernel's tables.
std::vector<Listener> read_listeners(const std::string& proc = "/proc");

/// The sockets among which the kernel chooses for a connection to `address` and `port`: those bound to the
/// address before those that take any, for IPv4 the ones of IPv6 last.
std::vector<Listener> receivers(const std::vector<Listener>& listeners, const std::string& address, int port);

/// "127.0.0.1" → its bytes. Empty if it is not an address.
std::string address_bytes(const std::string& digits);

/// An IPv4-mapped IPv6 address becomes the IPv4 address; others are unchanged.
std::string unmapped(const std::string& address);

}  // namespace rv::forward
