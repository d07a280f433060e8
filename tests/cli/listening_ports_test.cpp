#include "cli/forward/listening_ports.h"

#include <doctest/doctest.h>

namespace rv::cli::forward {

TEST_CASE("only listening sockets of the kernel's tables, IPv4 and IPv6") {
  // Lines of /proc/net/tcp and tcp6 of a Debian 12 machine.
  const auto listeners = parse_listeners(
      "  sl  local_address rem_address   st tx_queue rx_queue tr tm->when retrnsmt   uid  timeout inode\n"
      "   0: 0100007F:1F90 00000000:0000 0A 00000000:00000000 00:00000000 00000000  1000        0 4711 1 "
      "0000000000000000 100 0 0 10 0\n"
      "   1: 0100007F:1F90 0100007F:D431 01 00000000:00000000 00:00000000 00000000  1000        0 4712 1 "
      "0000000000000000 20 4 30 10 -1\n"
      "   0: 00000000000000000000000001000000:22B8 00000000000000000000000000000000:0000 0A 00000000:00000000 "
      "00:00000000 00000000     0        0 18446744073709551615 1 0000000000000000 100 0 0 10 0\n"
      "cut off: 0100007F\n");
  CHECK(listeners == std::vector<Listener>{{8080, 4711}, {8888, 18446744073709551615U}});
}

}  // namespace rv::cli::forward
