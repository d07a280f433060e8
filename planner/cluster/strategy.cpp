#include "planner/cluster/strategy.h"

namespace rv::planner {

bool refused_by_controller(const Strategy& strategy) {
  return strategy.controller && strategy.controller->answer == ControllerWord::Answer::refused;
}

std::string_view to_string(ControllerWord::Answer answer) {
  switch (answer) {
    case ControllerWord::Answer::starts:
      return "starts";
    case ControllerWord::Answer::refused:
      return "refused";
    case ControllerWord::Answer::unknown:
      return "unknown";
  }
  return "";
}

}  // namespace rv::planner
