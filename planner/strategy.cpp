#include "planner/strategy.h"

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

}  // namespace rv::planner
