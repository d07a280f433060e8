#pragma once

#include <cstdint>
#include <optional>
#include <string>

namespace rv::workers {

/// What fio, another program for the same, reaches where ours measured. Its job is ours: psync, one file of the same
/// size in the same folder, past the page cache in the same way.
struct FioFigures {
  std::optional<double> write, read;                 ///< GB/s (10⁹ bytes)
  std::optional<double> random_read, random_read16;  ///< IO/s, by one thread and by sixteen
};

/// Nothing where fio is not installed. A part that fio can't do, or not in time, is nothing. `folder` must be this
/// rank's own; what fio writes there is removed.
std::optional<FioFigures> measure_by_fio(const std::string& folder, std::uint64_t bytes, bool direct, double seconds,
                                         double random_seconds);

/// Bandwidth and operations a second of the one job in fio's JSON, over the time that the job took with its fsync,
/// which fio's own bandwidth leaves out. Nothing where it is not fio's.
struct FioJob {
  double gigabytes_a_second = 0, operations_a_second = 0;
};
std::optional<FioJob> read_fio(const std::string& text, bool writes);

}  // namespace rv::workers
