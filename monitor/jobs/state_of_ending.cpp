#include "monitor/jobs/state_of_ending.h"

namespace rv::monitor {

RunState state_of_ending(Ending ending) {
  switch (ending) {
    case Ending::cancelled:
      return RunState::stopped;
    case Ending::timeout:
    case Ending::deadline:
      return RunState::timeout;
    case Ending::node_failure:
      return RunState::node_failure;
    case Ending::preempted:
      return RunState::preempted;
    case Ending::out_of_memory:
      return RunState::out_of_memory;
    case Ending::completed:
    case Ending::failed:
    case Ending::revoked:
    case Ending::forgotten:
    case Ending::purged:
      break;
  }
  return RunState::lost;
}

}  // namespace rv::monitor
