// A run's folder on the shared file system. All that rv knows about the run is in it, so any rv on any machine can
// follow the run. docs/run-folder.md lists the files and their writers.
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

/// What a client must know of a candidate to follow it.
struct Candidate {
  int number = 1;        // from 1
  std::string job_name;  // Slurm's job name, by which rv finds the job; see job_name_of()
  std::string summary;   // "4× A40 on gpu-a40"
  std::string gpu_type;
  int gpus = 0;
  int nodes = 1;
  std::string partition;
  bool free_now = false;               // idle nodes when the run was planned: it gets a head start
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
  std::chrono::nanoseconds created_ns{0};  // nanoseconds after `created`, to order two runs of the same second
  double head_start_s = 0;
  std::string node_memory = {};  // absolute: the group's folder of node events; empty: the one in rv's home
  std::vector<Candidate> candidates;
};

/// The journals of jobs that were read so far. A file is read again when its size has changed.
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

  /// Makes a folder (0700) with an unused ID below `runs`, and its subfolders. `publish` writes run.json.
  static RunFolder create(const std::string& runs);
  /// Writes run.json and the `created` event; from here on the run exists.
  void publish(const RunRecord& record) const;

  const std::string& path() const { return path_; }
  std::string id() const { return path_.substr(path_.rfind('/') + 1); }
  /// rv's home, which has this folder in its `runs`.
  std::string home() const;
  std::string file(std::string_view name) const { return path_ + "/" + std::string(name); }

  std::string ledger() const { return path_ + "/ledger"; }      // see ledger_folder.h
  std::string elements() const { return path_ + "/elements"; }  // the same for an array's elements

  RunRecord record() const;  // throws Error when run.json is missing or broken
  /// Returns the events of all writers, merged by time; events of one file keep their order. With `known`, a job's file
  /// is opened only if its size has changed: an array has a thousand such files.
  std::vector<Event> events(JournalCache* known = nullptr) const;
  void append(Event event) const;  // to events.jsonl; sets the time when it is zero

 private:
  std::string path_;
};

/// The job name of a candidate in this attempt: as in run.json for the first attempt; later attempts append their
/// number.
std::string job_name_of(const Candidate& candidate, int attempt);
/// Returns the attempt to which a job with this name belongs; nothing if the job is not the candidate's. `base`: the
/// name in run.json.
std::optional<int> attempt_of_job(std::string_view name, std::string_view base);
/// Whether a job with this name belongs to the candidate, in any attempt.
bool is_job_name_of(std::string_view name, std::string_view base);

}  // namespace rv::monitor
