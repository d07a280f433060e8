// The arguments of rv forward.
#pragma once

#include <string>
#include <vector>

namespace rv::forward {

struct PortPair {
  int local = 0;
  int remote = 0;

  bool operator==(const PortPair&) const = default;
};

struct ForwardArguments {
  std::vector<PortPair> ports;
  std::string run;  // empty: none was named
};

/// "8888", "8080:8888" (local:remote) and at most one ID or name of a run, in any order. A number of up to five digits
/// is a port. Throws Error(usage) for a port beyond 65535 or twice the same local one, and for a second run.
ForwardArguments parse_forward_arguments(const std::vector<std::string>& words);

}  // namespace rv::forward
