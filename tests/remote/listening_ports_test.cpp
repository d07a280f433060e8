#include "cli/remote/forward/listening_ports.h"

#include <doctest/doctest.h>

#include "fake_proc.h"

namespace rv::forward {

namespace {

forward::Listener listener(const std::string& address, std::uint64_t inode) {
  return {.address = forward::address_bytes(address), .port = 8888, .user = 0, .inode = inode};
}

std::vector<std::uint64_t> inodes(const std::vector<forward::Listener>& listeners) {
  std::vector<std::uint64_t> found;
  for (const auto& one : listeners) found.push_back(one.inode);
  return found;
}

using Inodes = std::vector<std::uint64_t>;

}  // namespace

TEST_CASE("only listening sockets of the kernel's tables, IPv4 and IPv6") {
  // Lines of /proc/net/tcp and tcp6 of a Debian 12 machine.
  const auto listeners = forward::parse_listeners(
      "  sl  local_address rem_address   st tx_queue rx_queue tr tm->when retrnsmt   uid  timeout inode\n"
      "   0: 0100007F:1F90 00000000:0000 0A 00000000:00000000 00:00000000 00000000  1000        0 4711 1 "
      "0000000000000000 100 0 0 10 0\n"
      "   1: 0100007F:1F90 0100007F:D431 01 00000000:00000000 00:00000000 00000000  1000        0 4712 1 "
      "0000000000000000 20 4 30 10 -1\n"
      "   0: 00000000000000000000000001000000:22B8 00000000000000000000000000000000:0000 0A 00000000:00000000 "
      "00:00000000 00000000     0        0 18446744073709551615 1 0000000000000000 100 0 0 10 0\n"
      "cut off: 0100007F\n");
  CHECK(listeners == std::vector<forward::Listener>{{forward::address_bytes("127.0.0.1"), 8080, 1000, 4711},
                                                    {forward::address_bytes("::1"), 8888, 0, 18446744073709551615U}});
}

TEST_CASE("both of the kernel's tables are read, as far as sockets listen") {
  const FakeProc proc;
  proc.listens("0.0.0.0", 8888, 1000, 1);
  proc.listens("::", 8888, 1000, 2);
  CHECK(inodes(forward::read_listeners(proc.path())) == Inodes{1, 2});
  CHECK(forward::read_listeners("/nowhere").empty());
}

TEST_CASE("a connection gets to the socket of its address, else to one of any address") {
  const auto local = forward::address_bytes("127.0.0.1");
  const auto six = forward::address_bytes("::1");
  CHECK(inodes(forward::receivers({listener("127.0.0.1", 1), listener("::", 2)}, local, 8888)) == Inodes{1});
  CHECK(inodes(forward::receivers({listener("::ffff:127.0.0.1", 1), listener("::", 2)}, local, 8888)) == Inodes{1});
  CHECK(inodes(forward::receivers({listener("127.0.0.1", 1), listener("::", 2)}, six, 8888)) == Inodes{2});
  CHECK(inodes(forward::receivers({listener("0.0.0.0", 1), listener("::", 2)}, local, 8888)) == Inodes{1});
  CHECK(inodes(forward::receivers({listener("::", 2)}, local, 8888)) == Inodes{2});
  CHECK(inodes(forward::receivers({listener("0.0.0.0", 1)}, six, 8888)).empty());
  CHECK(inodes(forward::receivers({listener("127.0.0.2", 1), listener("::1", 2)}, local, 8888)).empty());
  // Several of one user share a port.
  CHECK(inodes(forward::receivers({listener("0.0.0.0", 1), listener("0.0.0.0", 2)}, local, 8888)) == Inodes{1, 2});
  CHECK(forward::receivers({listener("127.0.0.1", 1)}, local, 8889).empty());
}

}  // namespace rv::forward
