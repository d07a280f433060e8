// Explains the state of a run: the cause, its proof and the next step. Pure: the input is evidence, the result a
// diagnosis.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/failures/cause.h"
#include "base/memory_size.h"
#include "monitor/follow/log_tail.h"
#include "monitor/jobs/run_view.h"
#include "monitor/run/run_facts.h"

namespace rv::monitor {

using failures::Cause;
using failures::text_of;

/// All that is known about one run. A missing value could not be read, and proves nothing.
struct RunEvidence {
  RunFacts facts;
  RunView view;
  std::optional<slurm::JobRecord> record;          // the controller's record of the job that ended the run
  std::optional<slurm::AccountingRow> accounting;  // accounting's record of the same job
  std::vector<std::string> failed_prologs = {};    // nodes of a cancelled job that Slurm drained because of its prolog
  std::vector<LogTail> logs;
  std::optional<Mebibytes> memory;  // memory per node that the winner's job requested
  std::uint32_t user = 0;           // the caller's numeric ID
};

/// A piece of evidence for a diagnosis.
struct Proof {
  std::string source;        // a file below the run folder, or "squeue", "scontrol", "sacct"
  std::optional<long> line;  // line of the file, from 1; nothing: not a file, or too long to count
  std::string text;
};

/// Elements of an array that failed in the same way.
struct ElementCause {
  std::vector<int> indices;
  int exit_code = 0;
  std::optional<Cause> cause;  // the cause that their logs name; nothing: none
};

struct Diagnosis {
  Cause cause = Cause::unknown;
  std::string summary;        // text: the cause, with details
  std::vector<Proof> proofs;  // the strongest first
  std::vector<Cause> also;    // other causes that the logs name, nearest to the root cause first
  std::string advice;         // the next step; empty when there is none
  bool retry_elsewhere = false;
  std::vector<std::string> bad_nodes;  // nodes that a retry must avoid
  std::vector<std::string> tail;       // the last lines of the output, if the cause is unknown
  std::optional<int> tail_element;     // for an array: the element that wrote these lines
  std::vector<ElementCause> elements;  // for an array, the largest group first
};

Diagnosis diagnose(const RunEvidence& evidence);

}  // namespace rv::monitor
