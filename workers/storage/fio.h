#pragma once

#include <cstdint>
#include <optional>
#include <string>

namespace rv::workers {

/// Results of fio, for comparison with rv's own measurement. Its job is the same: psync, one file of the same size in
/// the same folder, bypassing the page cache in the same way.
struct FioFigures {
  std::optional<double> write, read;                 ///< GB/s (10⁹ bytes)
  std::optional<double> random_read, random_read16;  ///< IO/s with one thread and with sixteen
};

/// Nothing if fio is not installed. A part that fio can't do, or not in time, is empty. `folder` must belong to this
/// rank; fio's files there are removed.
std::optional<FioFigures> measure_by_fio(const std::string& folder, std::uint64_t bytes, bool direct, double seconds,
                                         double random_seconds);

/// Bandwidth and operations per second of the single job in fio's JSON, over the job's time including its fsync, which
/// fio's own bandwidth leaves out. Nothing if the text is not fio's.
struct FioJob {
  double gigabytes_a_second = 0, operations_a_second = 0;
};
std::optional<FioJob> read_fio(const std::string& text, bool writes);

}  // namespace rv::workers
