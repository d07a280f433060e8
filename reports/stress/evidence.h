// What rv-stress left behind, read back (workers/stress/stress.h says what it writes).
#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "reports/accept/evidence.h"

namespace rv::stress {

/// A worker of a node, as it ended.
struct Worker {
  int number = 0;
  int gpu = -1;  // its place on the node; -1: the processor
  std::string end;
  std::string cause;  // "leak", "wrong_result", "out_of_memory"; empty: none of these, or an old report
  Verdict verdict = Verdict::error;
  std::string reason;
  long long operations = 0;
  double rate = 0;  // operations a second
  double seconds = 0;
  std::optional<double> gpu_peak_bytes, rss_peak_bytes;
};

/// What the workers of one GPU (or of the processor) did together.
struct Together {
  int gpu = -1;
  std::string uuid, model;
  int workers = 0;
  long long operations = 0;
  double rate = 0;
  std::optional<double> utilisation_percent, memory_peak_bytes;
};

struct Scaling {
  double factor = 0;
  std::string over;  // "one GPU", "one worker"
  double alone = 0, together = 0;
};

/// Something that must be as it was before.
struct Check {
  std::string name, uuid, reason, detail;
  Verdict verdict = Verdict::error;
};

/// A run of the user's own launcher.
struct Launch {
  std::string name, visible, reason, log;  // `log`: the file's name
  std::vector<std::string> given;
  std::optional<std::vector<std::string>> used;  // nothing: the driver doesn't tell
  std::vector<std::string> new_segments;
  int exit_code = 0;
  double seconds = 0;
  Verdict verdict = Verdict::error;
};

/// Why nothing was started.
struct Refusal {
  int exit_code = 0;
  std::string what, advice;
};

struct NodeEvidence {
  std::string node;
  std::string driver, device;  // "gpu", "cpu"
  std::vector<std::string> models, uuids;
  int nodes = 1;          // on which the whole was run
  int asked = 0;          // workers
  double duration_s = 0;  // that was asked for
  double began = 0;       // seconds since 1970; 0: unknown
  double seconds = 0;     // from there to its end; 0: unknown
  long long memory_mib = 0, matrix = 0, worker_bytes = 0;
  bool stressed = false, launches_asked = false;
  std::vector<Worker> workers;
  std::vector<Together> together;
  std::optional<Scaling> scaling;
  std::vector<Check> checks;
  std::vector<Launch> launches;
  std::optional<Refusal> refusal;
  std::string skipped;  // why there was nothing to do: no GPU
  std::string trouble;  // what else it could not do
  bool whole = false;   // it came to its end
};

/// From the lines of one report. Nothing: it has no line of its environment.
std::optional<NodeEvidence> evidence_of(std::string_view report);

}  // namespace rv::stress
