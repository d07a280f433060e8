#include "cli/forward/node_relay.h"

#include <fmt/format.h>
#include <signal.h>  // NOLINT(modernize-deprecated-headers): SIGPIPE's number
#include <unistd.h>

#include "cli/forward/listening_ports.h"
#include "cli/forward/relay.h"
#include "cli/host_name.h"
#include "cli/variable.h"

namespace rv::cli::forward {

int relay_on_node(const std::string& own_address) {
  ::signal(SIGPIPE, SIG_IGN);
  allow_many_descriptors();
  Relay* self = nullptr;
  Relay relay(
      STDIN_FILENO, STDOUT_FILENO,
      [&](const std::string& /*node*/, int port) {
        std::vector<Address> addresses;
        for (const std::string& text : {std::string("127.0.0.1"), std::string("::1"), own_address}) {
          if (const auto address = numeric_address(text, port)) addresses.push_back(*address);
        }
        return addresses;
      },
      [&](const Frame& frame, const std::string& fault) {
        if (frame.kind == FrameKind::open) self->refuse(frame.channel, fault);
      });
  self = &relay;
  relay.near_end().greet();
  while (!relay.ended()) relay.turn();
  return 0;
}

int print_listening_ports() {
  const std::string named = variable("SLURMD_NODENAME");
  const std::string node = named.empty() ? host_name() : named;
  for (const int port : listening_ports(variable("SLURM_JOB_ID"), node)) fmt::print("{} {}\n", node, port);
  return 0;
}

}  // namespace rv::cli::forward
