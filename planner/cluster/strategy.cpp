#include "planner/cluster/strategy.h"

namespace rv::planner {

std::string_view to_string(Kind kind) {
  switch (kind) {
    case Kind::plain:
      return "plain";
    case Kind::interactive:
      return "interactive";
    case Kind::mig:
      return "mig";
    case Kind::checkpoint:
      return "checkpoint";
  }
  return "unknown";
}

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
