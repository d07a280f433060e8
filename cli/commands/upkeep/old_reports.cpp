#include "cli/commands/upkeep/old_reports.h"

#include <algorithm>
#include <filesystem>
#include <optional>
#include <utility>

#include "base/os/listing.h"
#include "monitor/run/resolve_run.h"
#include "monitor/run/run_facts.h"
#include "monitor/run/run_storage.h"

namespace rv::cli {
namespace {

namespace fs = std::filesystem;

std::optional<std::chrono::sys_seconds> written(const fs::path& file) {
  std::error_code fault;
  const auto time = fs::last_write_time(file, fault);
  if (fault) return std::nullopt;
  return std::chrono::floor<std::chrono::seconds>(std::chrono::file_clock::to_sys(time));
}

/// Files of a report folder: those written at its beginning, and those written when it is judged.
struct Kind {
  const char *begun, *judged;
};
constexpr Kind acceptance{"order.json", "accept.json"}, stress_test{"reports", "stress.json"};

/// Nothing for a folder that is not a report folder, and for a link to another place.
std::optional<OldReport> report_in(const fs::path& folder, const Kind& kind, std::chrono::seconds keep,
                                   std::chrono::sys_seconds now) {
  std::error_code fault;
  if (!fs::is_directory(fs::symlink_status(folder, fault))) return std::nullopt;
  const auto begun = written(folder / kind.begun);
  if (!begun) return std::nullopt;
  const auto judged = written(folder / kind.judged);
  OldReport report{
      .folder = folder.string(), .bytes = 0, .written = std::max(*begun, judged.value_or(*begun)), .remove = {}};
  const auto age = judged ? keep : std::max<std::chrono::seconds>(keep, std::chrono::hours(24));
  report.remove = now - report.written >= age;
  report.bytes = monitor::bytes_below(folder);
  return report;
}

}  // namespace

std::vector<OldReport> old_reports(const std::string& home, const std::string& runs_folder, std::chrono::seconds keep,
                                   std::chrono::sys_seconds now) {
  std::vector<OldReport> reports;
  for (const auto& [name, kind] : {std::pair{"accept", acceptance}, std::pair{"stress", stress_test}}) {
    const auto place = fs::path(home) / name;
    for (const auto& one : os::names_in(place.string())) {
      if (auto report = report_in(place / one, kind, keep, now)) reports.push_back(std::move(*report));
    }
  }
  for (const auto& run : monitor::runs_in(runs_folder)) {
    if (run.ended && run.ended->bytes && !run.ended->has_report) continue;
    if (!monitor::end_time(run)) continue;
    if (auto report = report_in(run.folder.file("accept"), acceptance, keep, now))
      reports.push_back(std::move(*report));
  }
  return reports;
}

std::vector<std::string> remove_reports(const std::vector<OldReport>& reports) {
  std::vector<std::string> left;
  for (const auto& report : reports) {
    std::error_code fault;
    if (report.remove && (fs::remove_all(report.folder, fault), fault)) left.push_back(report.folder);
  }
  return left;
}

}  // namespace rv::cli
