// A run's folder on the shared file system: the truth about the run, for every rv on every machine. docs/run-folder.md
// says what each file is, who makes it, and what the parties see of each other.
#pragma once

#include <cstdint>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "monitor/run/journal.h"
#include "planner/cluster/strategy.h"
#include "templates/job_spec.h"

namespace rv::monitor {

/// One candidate, as far as following it needs.
struct Candidate {
  int number = 1;        // from 1
  std::string job_name;  // the token by which Slurm's answer is recognised; see job_name_of()
  std::string summary;   // "4× A40 on gpu-a40"
  std::string gpu_type;
  int gpus = 0;
  int nodes = 1;
  std::string partition;
  bool free_now = false;               // the plan saw idle nodes for it: it gets a head start
  std::chrono::seconds time_limit{0};  // of one job
  std::optional<double> cost_su;       // of the whole run, all segments
  std::optional<double> su_per_hour;
  std::vector<std::string> exclude;  // nodes that the request leaves out
  planner::Wait wait;                // as predicted when the run was planned
};

/// run.json.
struct RunRecord {
  std::string id;
  std::string name;
  templates::JobSpec job;
  std::string work_folder;
  std::string host;     // where rv was called
  std::string cluster;  // Slurm's name for itself; empty: not known
  TimePoint created;
  std::chrono::nanoseconds created_ns{0};  // past `created`: which of two runs of one second is the newer
  double head_start_s = 0;
  std::vector<Candidate> candidates;
};

/// What jobs have written to their journals, as far as it was read. A file is read anew when it has grown.
struct JournalCache {
  struct File {
    std::int64_t size = -1;
    std::vector<Event> events;
  };
  std::map<std::string, File> files;  // by name
};

class RunFolder {
 public:
  explicit RunFolder(std::string path) : path_(std::move(path)) {}

  /// Makes a new folder (0700) under `runs` with an unused ID, with its subfolders; run.json comes with `publish`.
  static RunFolder create(const std::string& runs);
  /// Writes run.json and the `created` event; from here on the run exists.
  void publish(const RunRecord& record) const;

  const std::string& path() const { return path_; }
  std::string id() const { return path_.substr(path_.rfind('/') + 1); }
  std::string file(std::string_view name) const { return path_ + "/" + std::string(name); }

  std::string ledger() const { return path_ + "/ledger"; }      // see ledger_folder.h
  std::string elements() const { return path_ + "/elements"; }  // the same for an array's elements

  RunRecord record() const;  // throws Error when run.json is missing or broken
  /// All writers; each file's lines in the order they were written, files among each other by time. With `known` only
  /// files of jobs that have grown are opened: an array has a thousand of them.
  std::vector<Event> events(JournalCache* known = nullptr) const;
  void append(Event event) const;  // to events.jsonl; sets the time when it is zero

 private:
  std::string path_;
};

/// What a candidate's jobs of an attempt are called: the first attempt's as in run.json, later ones' with its number
/// behind.
std::string job_name_of(const Candidate& candidate, int attempt);
/// Of which attempt a job of that name is; nothing when it is not the candidate's. `base` is the name in run.json.
std::optional<int> attempt_of_job(std::string_view name, std::string_view base);
/// Whether a job of that name is the candidate's, of whatever attempt.
bool is_job_name_of(std::string_view name, std::string_view base);

/// IDs of all runs below `runs` that have a run.json, in no order. None when the folder does not exist.
std::vector<std::string> list_runs(const std::string& runs);

}  // namespace rv::monitor
