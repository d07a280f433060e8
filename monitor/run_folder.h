// A run's folder on the shared file system: the truth about the run, for every rv on every machine.
//
//   run.json             what was asked and which candidates race (written once)
//   request.json cluster.json plan.json   what the decision was made from
//   events.jsonl         clients' journal            jobs/<job>.jsonl   each job's own
//   candidates/<k>/      script.sh, slurm.log
//   environment          the user's own variables, until the run is over (monitor/run_environment.h)
//   claim                who may run: "<candidate> <job> <node> <epoch>", or "0 stop <host> <epoch>"
//   started              user code has begun
//   exit                 "<code> <epoch> <job> exited|terminated|time_up|no_progress|predecessor"
//   elements/<i>/        of an array: its own started and exit
//   stop                 rv stop was here: no further segment begins
//   chain/               a checkpointed run's segments, see templates/chain.part
//   outcome.json         how it ended, once that is certain
//   logs/<node>.out .err, output/, checkpoint/
#pragma once

#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "monitor/journal.h"
#include "planner/strategy.h"

namespace rv::monitor {

/// One racer, as far as following it needs.
struct Candidate {
  int number = 1;        // from 1
  std::string job_name;  // the token by which Slurm's answer is recognised
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

/// A run that goes through several segments.
struct ChainRecord {
  std::chrono::seconds total{0};     // asked for all segments together
  std::chrono::seconds shortest{0};  // Slurm may shorten a segment to so much; 0: it may not
};

/// A run whose command is started once for each element of a Slurm job array.
struct ArrayRecord {
  std::vector<int> elements;  // indices, ascending
  int at_once = 0;            // 0: as many as there is room for
};

/// The run that this one follows.
struct AfterRecord {
  std::string run;
  bool only_ok = true;  // only if that run ends well
};

/// run.json.
struct RunRecord {
  std::string id;
  std::string name;
  bool hold = false;                 // rv up without a command
  std::vector<std::string> command;  // as the user typed it
  std::string work_folder;
  std::string host;     // where rv was called
  std::string cluster;  // Slurm's name for itself; empty: not known
  TimePoint created;
  std::chrono::nanoseconds created_ns{0};  // past `created`: which of two runs of one second is the newer
  double head_start_s = 0;
  std::optional<ChainRecord> chain;
  std::optional<ArrayRecord> array;
  std::optional<AfterRecord> after;
  bool requeue = false;  // user code may be started again after it had begun
  std::vector<Candidate> candidates;
};

struct Claim {
  bool by_stop = false;  // nobody may run any more
  int candidate = 0;
  JobId job;
  std::string node;  // the job's first node, or the host where rv stop ran
  TimePoint time;
};

/// How a command came to its end, as its own job saw it.
enum class ExitKind {
  exited,       // by itself
  terminated,   // a TERM came before: the code may not be the command's own choice
  time_up,      // a chain that has used all the time it was asked for
  no_progress,  // a chain whose last segment saved nothing: the next would begin where it began
  predecessor,  // not started: the run that it follows did not end well
};

struct ExitRecord {
  int code = 0;
  TimePoint time;
  JobId job;
  ExitKind kind = ExitKind::exited;
};

/// A line of an exit file; nothing when it is torn.
std::optional<ExitRecord> parse_exit_record(std::string_view line);

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

  RunRecord record() const;            // throws Error when run.json is missing or broken
  std::optional<Claim> claim() const;  // nothing: unclaimed
  std::optional<ExitRecord> exit_record() const;
  std::vector<Event> events() const;  // all writers, by time
  void append(Event event) const;     // to events.jsonl; sets the time when it is zero

  /// Takes the claim so that no candidate can pass the gate any more. False when a job holds it already.
  bool claim_for_stop(const std::string& host) const;

 private:
  std::string path_;
};

/// IDs of all runs below `runs` that have a run.json, in no order. None when the folder does not exist.
std::vector<std::string> list_runs(const std::string& runs);

}  // namespace rv::monitor
