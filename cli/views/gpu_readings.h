// The output of nvidia-smi for a run's GPUs (templates/launch/read_gpus.inc.sh) → values, table, JSON.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/os/terminal.h"
#include "monitor/diagnosis/gpu_idleness.h"

namespace rv::cli {

/// A value that nvidia-smi does not report ("[N/A]") is nothing.
struct GpuReading {
  std::string node;
  int index = 0;
  std::string model;
  std::optional<double> utilisation;   // percent
  std::optional<double> memory_used;   // MiB
  std::optional<double> memory_total;  // MiB
  std::optional<double> power;         // W
  std::optional<double> power_limit;   // W
  std::optional<double> temperature;   // °C
  std::string driver;                  // its version; empty: unknown
  std::optional<double> clock;         // MHz of the SMs
};

struct GpuReadings {
  std::vector<GpuReading> gpus;       // by node and index
  std::vector<std::string> troubles;  // "udc-an28-1: this node has no nvidia-smi"
};

/// Lines that are not the script's are passed over.
GpuReadings parse_gpu_readings(std::string_view text);

/// The readings of the whole allocation; unknown if a node has none.
monitor::GpuSample gpu_look(const GpuReadings& readings, planner::TimePoint now);

std::string gpu_table(const GpuReadings& readings, const os::Terminal& terminal);
nlohmann::ordered_json gpu_readings_json(const GpuReadings& readings);

/// Stores readings of a run's GPUs in its folder, for rv report.
inline constexpr const char* kept_readings_file = "gpu_readings.jsonl";

struct KeptReadings {
  planner::TimePoint time;
  GpuReadings readings;
};

/// One line of JSON with a newline, and back by time; torn lines are passed over.
std::string kept_line(const GpuReadings& readings, planner::TimePoint now);
std::vector<KeptReadings> parse_kept_readings(std::string_view text);

/// The readings that a job stored itself, jobs/<job>.<node>.gpus: the same lines after "<epoch>|".
std::vector<KeptReadings> parse_job_readings(std::string_view text);

/// Ten seconds after the last stored reading, and longer for a run that has many, so that the file stays small.
bool worth_keeping(const std::vector<KeptReadings>& kept, planner::TimePoint now);

}  // namespace rv::cli
