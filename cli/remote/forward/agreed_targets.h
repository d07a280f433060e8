// What a forward opens on this machine: the login node's answer, checked against the request.
#pragma once

#include <string>
#include <vector>

#include "cli/remote/forward/relay_request.h"

namespace rv::forward {

/// Most ports that --auto opens beside those that were named.
inline constexpr std::size_t most_found_ports = 64;

/// An answer that keeps to the request. Ports of this machine are opened for its targets, and for no others.
class AgreedTargets {
 public:
  /// The named ports come first, in their order, on one node (the named one, or else any). Behind them, for an
  /// automatic request only, stand at most `most_found_ports` others, each once. Targets of an earlier answer come back
  /// as they were sent. Throws Error(connection) for any other answer.
  AgreedTargets(const RelayRequest& request, const Hello& hello);

  const std::string& run() const { return run_; }
  const std::string& name() const { return name_; }
  const std::vector<Target>& targets() const { return targets_; }

 private:
  std::string run_;
  std::string name_;
  std::vector<Target> targets_;
};

}  // namespace rv::forward
