// How right predicted waits were on a log of finished jobs, for people and for programs.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>

#include "planner/past/job_log.h"
#include "planner/past/log_predictions.h"

namespace rv::cli {

struct LogAccuracy {
  std::string file;
  const planner::JobLog& log;
  std::string machine;  // Machine::description
  planner::PastPredictions past;
};

/// The log, what it lacks, and a table for all jobs, for those that waited over a minute and over ten minutes.
std::string log_accuracy_text(const LogAccuracy& scored, int width, bool colour);

/// {"file", "format", "rows", …, "groups": […], "predictions": […]} (docs/json.md).
nlohmann::ordered_json log_accuracy_json(const LogAccuracy& scored);

}  // namespace rv::cli
