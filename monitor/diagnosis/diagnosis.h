// Why a run is where it is: the cause, its proof, the next step. Pure: evidence in, diagnosis out.
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
using failures::words_of;

/// All that is known of one run. What is missing was not to be had, and proves nothing.
struct RunEvidence {
  RunFacts facts;
  RunView view;
  std::optional<slurm::JobRecord> record;          // of the job that ended the run: the controller's memory
  std::optional<slurm::AccountingRow> accounting;  // of the same job
  std::vector<LogTail> logs;
  std::optional<Mebibytes> memory;  // a node, that the winner's job asked for
  std::uint32_t user = 0;           // the caller's numeric ID
};

/// What a diagnosis rests on.
struct Proof {
  std::string source;        // a file below the run folder, or "squeue", "scontrol", "sacct"
  std::optional<long> line;  // of the file, from 1; nothing: no file, or too long to count
  std::string text;
};

/// Elements of an array that failed alike.
struct ElementCause {
  std::vector<int> indices;
  int exit_code = 0;
  std::optional<Cause> cause;  // that their own logs name; nothing: none
};

struct Diagnosis {
  Cause cause = Cause::unknown;
  std::string summary;        // the cause in words, with its particulars
  std::vector<Proof> proofs;  // the weightiest first
  std::vector<Cause> also;    // other causes that the logs name, nearest to the root first
  std::string advice;         // the next step; empty when there is none
  bool retry_elsewhere = false;
  std::vector<std::string> bad_nodes;  // to be avoided then
  std::vector<std::string> tail;       // the last lines of stderr, where the cause is unknown
  std::optional<int> tail_element;     // of an array: whose lines those are
  std::vector<ElementCause> elements;  // of an array, the largest group first
};

Diagnosis diagnose(const RunEvidence& evidence);

}  // namespace rv::monitor
