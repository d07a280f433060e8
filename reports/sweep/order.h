// What was asked: everything that a sweep's driver needs to know, wherever it runs.
#pragma once

#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <vector>

#include "reports/sweep/axis.h"
#include "reports/sweep/metric.h"
#include "reports/sweep/point.h"

namespace rv::sweep {

struct Order {
  std::vector<std::string> command;  // argv, with its placeholders
  std::string folder;                // where every process starts
  std::string project;               // what that folder is a snapshot of, each time another; empty: no snapshot
  std::vector<Axis> axes;            // one at least
  int repeats = 1;
  std::optional<std::uint64_t> shuffle;  // the seed; nothing: in order
  double cooldown_s = 10;
  bool stop_after_oom = false;
  std::optional<long long> find_max;  // to look for the largest value that fits, up to this one
  std::optional<double> timeout_s;    // of one process
  double every_s = 1;                 // between two samples
  bool gpu = true;                    // false: no GPU is meant to be used
  std::vector<MetricOption> metrics;
  std::string metrics_file;              // JSON lines, with placeholders; empty: only $RV_SWEEP_METRICS
  std::string throughput = steps_per_s;  // the figure that is to be high
  std::vector<int> out_of_memory_codes;
  bool operator==(const Order&) const = default;
};

nlohmann::ordered_json to_json(const Order& order);
/// Throws Error for a document that is none.
Order order_from_json(const std::string& text, const std::string& file);

/// Whether the points of the one are points of the other: the same command in the same folder, or snapshots of it,
/// with the same axes, on the same kind of device. Values, repeats and how they are gone through may differ.
bool same_experiment(const Order& one, const Order& other);

}  // namespace rv::sweep
