#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "workers/compute/backend.h"
#include "workers/report/report.h"

namespace rv::workers {

/// Returns the names of all suites, or only of those that run by default.
std::vector<std::string> compute_suites(bool unasked_only = false);

struct ComputeRequest {
  std::vector<std::string> suites = compute_suites(true);
  std::vector<NumberType> types;    ///< empty: all that the device has; a listed type that the device lacks is a skip
  std::optional<std::size_t> size;  ///< N of the N×N matrices; nothing: large enough to use the whole device
  bool quick = false;
  /// seconds per product figure, for sustained load; nothing: until the median is stable
  std::optional<double> duration;
};

/// The checksum of a product on one device, for comparison between devices.
struct Fingerprint {
  Device device;
  NumberType type;
  std::uint64_t checksum;
};

/// Runs the suites on one device. `emit` receives every measurement as soon as it is done, errors included (an unknown
/// suite is an error): nothing is thrown. `together` is called before each figure, the same number of times on every
/// device, so that a barrier in it makes all GPUs measure at once.
std::vector<Fingerprint> run_suites(Backend& backend, const ComputeRequest& request,
                                    const std::function<void(Measurement)>& emit,
                                    const std::function<void()>& together);

/// Returns one measurement per GPU and type that at least two GPUs of one model computed. GPUs that differ from the
/// majority fail; without a majority all fail.
std::vector<Measurement> compare_across(const std::vector<Fingerprint>& fingerprints);

}  // namespace rv::workers
