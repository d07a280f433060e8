// What a GPU gave over the months, kept by UUID.
#pragma once

#include <chrono>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "reports/accept/judgement.h"

namespace rv::accept {

using TimePoint = std::chrono::sys_seconds;

/// One acceptance of one GPU.
struct GpuRecord {
  TimePoint time;
  std::string run;  // where it was: a run's ID or a folder's name
  std::string node, uuid, model;
  Verdict verdict = Verdict::error;
  std::map<std::string, double> figures;         // name → value
  std::map<std::string, std::string> units;      // name → unit
  std::map<std::string, std::string> bits = {};  // product → checksum (reports/accept/product_bits.h)
};

/// One line of JSON, and back; nothing for a line that is not whole.
std::string to_line(const GpuRecord& record);
std::optional<GpuRecord> record_from_line(std::string_view line);

/// The GPUs of a judgement, one record each; a GPU's verdict is that of its own figures. The figures of the step
/// "compute" and of other steps have names of their own ("gemm_bf16", "compute-in-turn gemm_bf16").
std::vector<GpuRecord> records_of(const Judgement& judgement, TimePoint time, const std::string& run);

/// A figure is compared with at least this many earlier ones of the same GPU.
inline constexpr std::size_t earlier_figures = 3;
/// The share of the median of the earlier figures below which a GPU fails.
inline constexpr double share_of_own_median = 0.8;

/// Returns a finding for each figure of `now` that is below that share. `earlier`: records of any GPUs, in any order;
/// those of failed acceptances don't count.
std::vector<Finding> find_drops(const std::vector<GpuRecord>& now, const std::vector<GpuRecord>& earlier);

/// How one figure of one GPU went.
struct Trend {
  std::string uuid, node, model, figure, unit;
  int runs = 0;
  double first = 0, last = 0;
  std::optional<double> percent_per_30_days;  // least squares over time, of the median; nothing below three runs
  std::optional<TimePoint> first_bad;         // the first run that failed, or gave under 0.95 of the best before it
  std::string first_bad_run;
};

/// One per figure and GPU, by node, GPU and figure. `records` in any order.
std::vector<Trend> trends_of(std::vector<GpuRecord> records);

}  // namespace rv::accept
