#include <fmt/format.h>

#include <csignal>

#include "cli/launch/no_container.h"
#include "cli/load/place.h"

namespace rv::cli {

std::optional<int> LocalPlace::reach(Load& load) {
  launch_ = load.for_here();
  return std::nullopt;
}

WorkEnd LocalPlace::run(Load& load) {
  load.begin();
  const int code = launch_.work();
  for (const int signal : {SIGHUP, SIGINT, SIGQUIT, SIGTERM}) {
    if (code == 128 + signal) return {.interrupted = code};
  }
  WorkEnd end;
  if (code == no_container) end.no_container = "";
  if (code != 0) {
    end.troubles.push_back({"", fmt::format("{} ended with code {}", launch_.name, code), launch_.advice, code});
  }
  return end;
}

}  // namespace rv::cli
