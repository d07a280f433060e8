// An index of runs that ended a while ago ($RV_HOME/cache/ended-runs-1.tsv), so that a list of thousands of runs does
// not open each of their folders. It only saves time: each entry can be read again from the run's folder, so the file
// may be removed at any time, and what decides over a run's jobs always reads the folder.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "monitor/run/run_folder.h"
#include "slurm/parse/job_records.h"

namespace rv::monitor {

/// What a run's folder said when the run was over.
struct EndedRun {
  std::string id;
  std::string name;
  TimePoint created;
  std::chrono::nanoseconds created_ns{0};
  TimePoint ended;
  std::string work_folder;
  std::string environment;            // prefix of its Python environment; empty: none
  std::vector<slurm::JobId> jobs;     // all that it had in Slurm
  std::optional<std::int64_t> bytes;  // size of the folder; nothing: rv gc has not measured it yet
  bool has_report = false;            // the folder has a report of rv accept; valid only if `bytes` is set
};

/// Reads the folder of a run that is over. Returns nothing if its outcome can still change (the state `unknown`).
/// Throws Error if the folder can't be read.
std::optional<EndedRun> read_ended_run(const RunFolder& folder);

class EndedRuns {
 public:
  /// `home`: $RV_HOME. Entries that can't be read count as absent.
  static EndedRuns read(const std::string& home);

  /// Null: the run is not in the index.
  std::shared_ptr<const EndedRun> find(const std::string& id) const;
  void put(EndedRun run);
  /// Forgets the runs that are not in `runs`: their folders are gone.
  void keep_only(const std::vector<std::string>& runs);

  /// Writes the file if something has changed. Of two rv that write at the same time one wins; the other's entries are
  /// read from their folders again. A file that can't be written does not matter.
  void save();

 private:
  explicit EndedRuns(std::string file) : file_(std::move(file)) {}

  std::string file_;
  std::unordered_map<std::string, std::shared_ptr<const EndedRun>> runs_;
  bool changed_ = false;
};

/// One line of the file, with its end. Empty for a run whose name, working folder or environment contains a tab
/// or a line break: it stays out of the index.
std::string to_line(const EndedRun& run);
/// Nothing for a line that is not whole.
std::optional<EndedRun> parse_ended_run(std::string_view line);

}  // namespace rv::monitor
