// The rows that people read: what belongs together in one line.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "reports/accept/judgement.h"

namespace rv::accept {

struct SummaryRow {
  std::string name;  // "gemm_bf16", "all_reduce fp32 256M of 9 sizes", "health-before, 8 readings"
  std::optional<double> value, spread;
  std::string unit;
  std::optional<double> small_us;  // of a sweep: time of its smallest size, microseconds
  std::optional<double> baseline, ratio;
  std::optional<double> at_least;    // of the ratio, for a pass
  Verdict verdict = Verdict::error;  // of all that the row stands for
  bool judged = true;                // false: it only tells more about the row above, whose verdict it has
};

/// Whose figures a table has: places of one kind have the same ones.
enum class PlaceKind { gpu, host, ranks_together, all_nodes };

struct SummaryTable {
  std::string title;  // "udc-an33-1 gpu 0 (GPU-…), NVIDIA H200", "udc-an33-1, its GPUs together", "all nodes together"
  std::string place;  // no more than tells it from others of its kind: "udc-an33-1 gpu 0"
  PlaceKind kind = PlaceKind::host;
  std::vector<SummaryRow> rows;
};

/// One table per node and GPU, one per node for what its ranks do together, one for all nodes. A sweep over sizes is a
/// row per operation, of its largest size, and a second one of its worst size where that did not pass. Readings of one
/// look at the driver are one row. Behind a training's rate stand its details.
std::vector<SummaryTable> summarize(const Judgement& judgement);

/// A line for the settings that follows from a figure, and why.
struct AdvisedSetting {
  std::string line;  // "visibility_lag: 7s"
  std::string why;
};

std::vector<AdvisedSetting> settings_of(const Judgement& judgement);

/// Where another program measured the same: "compared with fio (rv's figure / fio's): scratch write 1.01; scratch read
/// 0.98"; a line for each program.
std::vector<std::string> beside_others(const Judgement& judgement);

/// What workers say beside a figure, whatever its verdict: "vm gpu 0: resnet50 fp16 batch 64: 3 of 20 steps were
/// skipped, …".
std::vector<std::string> notes_of(const Judgement& judgement);

/// "8", "64K", "256M", "8G": as the workers write sizes.
std::string size_text(std::uint64_t bytes);

/// A unit for people: "µs" for the workers' "us".
std::string unit_text(const std::string& unit);

/// Three or four digits: "0.0123", "12.3", "690", "4259".
std::string figure_text(double value);

}  // namespace rv::accept
