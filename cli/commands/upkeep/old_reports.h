// rv gc --reports: what acceptances left on this machine and on Slurm, and stress tests on this machine.
#pragma once

#include <chrono>
#include <cstdint>
#include <string>
#include <vector>

namespace rv::cli {

struct OldReport {
  std::string folder;
  std::int64_t bytes = 0;
  std::chrono::sys_seconds written{};
  bool remove = false;
};

/// The report folders of acceptances and stress tests that were not runs (HOME/accept/…, HOME/stress/…), and of
/// acceptances whose run is over (RUN/accept): those that were last written longer ago than `keep` are to go. One that
/// was never judged may still be written, so it is kept for at least a day. The history of the GPUs is not a report.
std::vector<OldReport> old_reports(const std::string& home, const std::string& runs_folder, std::chrono::seconds keep,
                                   std::chrono::sys_seconds now);

/// Removes those that are to go. Returns the folders that could not be removed.
std::vector<std::string> remove_reports(const std::vector<OldReport>& reports);

}  // namespace rv::cli
