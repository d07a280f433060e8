#include "cli/remote/forward/node_relay.h"

#include <fmt/format.h>
#include <signal.h>  // NOLINT(modernize-deprecated-headers): SIGPIPE's number
#include <unistd.h>

#include "base/os/host_name.h"
#include "base/variable.h"
#include "cli/remote/forward/job_processes.h"
#include "cli/remote/forward/port_owner.h"
#include "cli/remote/forward/relay.h"

namespace rv::forward {

namespace {

std::string this_node() {
  const std::string named = variable("SLURMD_NODENAME");
  return named.empty() ? os::host_name() : named;
}

JobProcesses processes_of_run(const std::string& array) {
  return JobProcesses(
      {.job = variable("SLURM_JOB_ID"), .sluid = variable("SLURM_JOB_SLUID"), .array = array, .user = ::geteuid()});
}

}  // namespace

int relay_on_node(const std::string& array) {
  ::signal(SIGPIPE, SIG_IGN);
  allow_many_descriptors();
  Relay relay(STDIN_FILENO, STDOUT_FILENO, PortOwner(processes_of_run(array), this_node()));
  while (!relay.ended()) relay.turn();
  return 0;
}

int print_listening_ports(const std::string& array) {
  const std::string node = this_node();
  for (const int port : processes_of_run(array).listening_ports(node)) fmt::print("{} {}\n", node, port);
  return 0;
}

}  // namespace rv::forward
