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
  /// Where the run can be reached, or why rv does not connect.
  struct Access {
    std::vector<Door> doors;  // to be tried in this order; empty: none
    std::string refusal;      // the message if another user or job holds the port; unused if there are doors
  };

  /// `node`: this node's name, for the message.
  PortOwner(JobProcesses processes, std::string node) : processes_(std::move(processes)), node_(std::move(node)) {}

  /// A socket belongs to the run if a process of the run has it open, or if it is the user's and no other
  /// job's.
  Access ask(int port);

  /// Whether the same sockets as before receive what is sent to the door. Call it once connected: a socket that was
  /// there before and after existed all the time, so it got the connection and no other socket did.
  bool unchanged(const Door& door) const;

 private:
  struct Holder {
    pid_t process = 0;
    Membership membership;
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
