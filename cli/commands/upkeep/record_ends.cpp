#include "cli/commands/upkeep/record_ends.h"

#include <filesystem>
#include <set>

#include "base/error.h"
#include "base/os/atomic_file.h"
#include "monitor/race/watch_runs.h"

namespace rv::cli {
namespace {

bool is_full(const monitor::RunFolder& folder) {
  const std::string probe = folder.file(".room");
  try {
    os::write_file(probe, "the disk has room for a record\n");
  } catch (const Error&) {
    return true;
  }
  std::error_code ignored;
  std::filesystem::remove(probe, ignored);
  return false;
}

}  // namespace

std::vector<std::string> record_ends(const Settings& settings, monitor::RunList& list) {
  std::vector<std::string> unrecorded;
  for (const bool again : {false, true}) {
    const auto open = monitor::open_runs(list.runs);
    if (open.empty()) return {};
    const auto seen = monitor::poll_runs(open);
    list = monitor::list_runs(settings.runs_folder());
    std::set<std::string> still_open;
    for (const auto& run : monitor::open_runs(list.runs)) {
      if (is_full(run.folder)) still_open.insert(run.record.id);
    }
    unrecorded.clear();
    for (std::size_t i = 0; i < seen.views.size(); ++i) {
      const auto& id = seen.records[i].id;
      if (monitor::is_final(seen.views[i].state) && still_open.contains(id)) unrecorded.push_back(id);
    }
    if (unrecorded.empty() || again) break;
    std::error_code ignored;
    std::filesystem::remove_all(settings.home + "/cache", ignored);
  }
  return unrecorded;
}

}  // namespace rv::cli
