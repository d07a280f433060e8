// What the workers of an acceptance left behind, read back.
#pragma once

#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "reports/accept/nccl_log.h"
#include "reports/accept/order.h"
#include "shared/verdict.h"

namespace rv::accept {

/// A figure or a finding, as a worker wrote it (workers/report/report.h).
struct Figure {
  std::string suite, name;
  std::string gpu_uuid, model;  // empty UUID: of the host, or of all ranks
  std::optional<int> gpu_index;
  bool all_ranks = false;
  std::optional<double> value, spread;
  std::string unit;
  nlohmann::ordered_json params;
  Verdict verdict = Verdict::error;
  std::optional<int> rank;  // the rank that the reason is about; nothing: no single rank, or an old report
  std::string reason;
};

/// One file of JSON lines.
struct WorkerReport {
  nlohmann::ordered_json environment;  // null: the worker ended before it
  std::vector<Figure> figures;
  std::optional<Verdict> result;  // nothing: the worker did not come to its end
  double seconds = 0;             // that it took; 0: unknown
};

/// Lines that are not whole (a killed writer's last) are left out. Throws Error(usage), naming
/// `file`, for a line that exceeds the limits of base/documents/parse_document.h.
WorkerReport parse_worker_report(std::string_view text, const std::string& file = "a report");

struct StepEvidence {
  std::string step;
  std::optional<int> exit_code;  // nothing: it began, and no end is known
  double began = 0;              // since 1970; 0: not known
  double seconds = 0;
  std::vector<WorkerReport> reports;
  std::string last_words;  // the end of its stderr
  NcclChannels channels;   // of NCCL's log, where one was asked for
};

struct NodeEvidence {
  std::string node;
  std::vector<StepEvidence> steps;  // as they began

  const StepEvidence* find(const std::string& step) const;
};

/// Reads REPORTS/NODE/steps.jsonl and REPORTS/NODE/STEP/{*.jsonl,err,nccl.*.log}; nodes by name. Nothing there: no
/// nodes.
std::vector<NodeEvidence> read_evidence(const std::string& reports);

}  // namespace rv::accept
