// What one point came to.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "reports/sweep/ending.h"
#include "reports/sweep/metric.h"
#include "reports/sweep/point.h"
#include "reports/sweep/sample_summary.h"

namespace rv::sweep {

struct PointResult {
  Point point;
  std::string folder;  // its name in the report folder
  std::vector<std::string> command;
  std::string host;
  std::vector<std::string> gpus;  // models
  std::string driver;             // its version; empty: not used, or not known
  double began = 0;               // seconds since 1970
  double wall_s = 0;
  End end;
  Metrics metrics;
  SampleSummary samples;
};

nlohmann::ordered_json to_json(const PointResult& result);
/// Throws nlohmann::json::exception for a document that is none.
PointResult point_result_from_json(const nlohmann::ordered_json& document);

}  // namespace rv::sweep
