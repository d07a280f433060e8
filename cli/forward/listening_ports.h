// On which TCP ports the processes of a job listen, from /proc.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace rv::cli::forward {

struct Listener {
  int port = 0;
  std::uint64_t inode = 0;  // of the socket

  bool operator==(const Listener&) const = default;
};

/// The listening sockets in the text of /proc/net/tcp or tcp6. Lines that are not the kernel's are passed over.
std::vector<Listener> parse_listeners(std::string_view text);

/// Ports that this user's processes of job `job` on Slurm's node `node` listen on, ascending. A process is the job's
/// when its cgroup or its environment says so; Slurm's own (srun's, slurmstepd's) are left out.
std::vector<int> listening_ports(const std::string& job, const std::string& node);

}  // namespace rv::cli::forward
