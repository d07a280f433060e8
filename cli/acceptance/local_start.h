// How an acceptance begins on this host, or in the allocation around it.
#pragma once

#include <string>
#include <vector>

#include "cli/launch/container.h"

namespace rv::cli {

struct LocalStart {
  std::vector<std::string> argv;
  std::vector<std::string> environment;
};

/// How the script `folder`/node.sh is started: on this host, or once on each of the `nodes` nodes of the allocation.
LocalStart local_start(const std::string& folder, int nodes, const Container& container);

}  // namespace rv::cli
