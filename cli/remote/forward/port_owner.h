// Proof that what listens on a port of a node is the run's, before anything is sent there.
#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "cli/remote/forward/dialler.h"
#include "cli/remote/forward/job_processes.h"
#include "cli/remote/forward/listening_ports.h"

namespace rv::forward {

class PortOwner {
 public:
  /// An address of this node where a connection reaches the run's own sockets.
  struct Door {
    std::string address;
    int port = 0;
    std::set<std::uint64_t> sockets;  // that it reaches
  };
  struct Answer {
    std::vector<Door> doors;  // to be tried in this order
    std::string refusal;      // somebody else holds the port, in words; of no use beside a door
  };

  /// `node`: this one's name, for the words.
  PortOwner(JobProcesses processes, std::string node) : processes_(std::move(processes)), node_(std::move(node)) {}

  /// A socket is taken for the run's when a process of the run has it open, or when it is the user's own and no other
  /// job's.
  Answer ask(int port);

  /// True when the same sockets as before get what is sent to the door. To be asked once connected: a socket that was
  /// there before and after was there all the time, so that it, and nobody else's, got the connection.
  bool unchanged(const Door& door) const;

 private:
  struct Holder {
    pid_t process = 0;
    Kinship kinship;
  };
  /// Empty: the run may have it.
  std::string refusal_of(const Listener& listener);
  bool run_still_has(std::uint64_t inode) const;
  std::vector<Holder> holders_of(std::uint64_t inode) const;

  JobProcesses processes_;
  std::string node_;
  std::map<std::uint64_t, pid_t> runs_;  // sockets of the run, and a process of it that had them open
};

}  // namespace rv::forward
