#include "cli/remote/sync/pull_choice.h"

namespace rv::sync {

namespace {

constexpr long long second_ns = 1'000'000'000;

const FileState* find(const FileStates& states, const std::string& path) {
  const auto at = states.find(path);
  return at == states.end() ? nullptr : &at->second;
}

/// rsync reports times in whole seconds. A change only of permissions does not count: no content is lost with it.
bool as_pushed(const Transfer& there, const FileState& pushed) {
  return there.size == pushed.size && there.mtime == pushed.mtime_ns / second_ns && pushed.mtime_ns >= 0;
}

}  // namespace

PullChoice choose_pull(const std::vector<Transfer>& differing, const FileStates& pushed, const FileStates& here,
                       bool force) {
  PullChoice choice;
  for (const auto& there : differing) {
    const FileState* before = find(pushed, there.path);
    const FileState* now = find(here, there.path);
    if (before != nullptr && as_pushed(there, *before)) continue;
    const bool untouched_here = before == nullptr ? now == nullptr : now != nullptr && *now == *before;
    (untouched_here || force ? choice.wanted : choice.kept).push_back(there.path);
  }
  return choice;
}

}  // namespace rv::sync
