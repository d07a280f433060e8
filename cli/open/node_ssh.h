// A connection of ssh to a run's node, on the login node's side: sshd in a step of the run's job.
#pragma once

#include <string>

namespace rv::cli {

struct NodeSshRequest {
  std::string run;   // ID
  std::string node;  // empty: the run's first
  std::string key;   // the public key that may log in
};
std::string to_text(const NodeSshRequest& request);

/// `request`: to_text() of one. Connects stdin and stdout with an sshd on the node where the run is now. Returns the
/// exit code. Throws Error(no_such_run) for a run that holds no node.
int serve_node_ssh(const std::string& request);

}  // namespace rv::cli
