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

bool has_file_above(const FileStates& here, const std::string& path) {
  for (std::size_t slash = path.find('/'); slash != std::string::npos; slash = path.find('/', slash + 1)) {
    if (here.count(path.substr(0, slash)) > 0) return true;
  }
  return false;
}

}  // namespace

PullChoice choose_pull(const std::vector<Transfer>& differing, const FileStates& pushed, const HereStates& here,
                       bool force) {
  PullChoice choice;
  for (const auto& there : differing) {
    const FileState* before = find(pushed, there.path);
    const FileState* now = find(here.files, there.path);
    if (before != nullptr && as_pushed(there, *before)) continue;
    if (here.folders.count(there.path) > 0) {
      choice.blocked.push_back(there.path);
      continue;
    }
    const bool same_here = before == nullptr ? now == nullptr : now != nullptr && *now == *before;
    const bool untouched_here = same_here && !has_file_above(here.files, there.path);
    (untouched_here || force ? choice.wanted : choice.kept).push_back(there.path);
  }
  return choice;
}

}  // namespace rv::sync
