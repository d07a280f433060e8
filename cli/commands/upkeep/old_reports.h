// rv gc --reports: what acceptances left on this machine and on Slurm.
#pragma once

#include <chrono>
#include <string>
#include <vector>

#include "settings/settings.h"

namespace rv::cli {

struct OldReport {
  std::string folder;
  std::int64_t bytes = 0;
  std::chrono::sys_seconds written{};
  bool remove = false;
};

/// The report folders of acceptances that were no run ($RV_HOME/accept/…), and of runs that are over (RUN/accept): those
/// that were last written longer ago than `keep` are to go. One that was never judged may still be written, and stays a
/// day at least. The history of the GPUs is no report.
std::vector<OldReport> old_reports(const Settings& settings, std::chrono::seconds keep, std::chrono::sys_seconds now);

/// Removes those that are to go. Returns the folders that could not be removed.
std::vector<std::string> remove_reports(const std::vector<OldReport>& reports);

}  // namespace rv::cli
