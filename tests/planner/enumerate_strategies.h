// What enumerate offers on the afton cluster, in short forms.
#pragma once

#include <string>
#include <vector>

#include "afton.h"
#include "planner/strategies/enumerate.h"

namespace rv::planner::test {

inline Plan enumerated(const Request& request, const Cluster& cluster = afton()) {
  return planner::enumerate(cluster, afton_catalogue(), request);
}

inline std::vector<std::string> strategies_of(const Request& request, const Cluster& cluster = afton()) {
  return summary(enumerated(request, cluster).strategies);
}

inline Request ask_for(const std::string& type, int gpus, std::chrono::seconds time = std::chrono::minutes(30)) {
  Request request = ask(gpus, time);
  request.types = {type};
  return request;
}

}  // namespace rv::planner::test
