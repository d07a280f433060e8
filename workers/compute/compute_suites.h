#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "workers/compute/backend.h"
#include "workers/report/report.h"

namespace rv::workers {

/// The names of all, or of those that run where none is named.
std::vector<std::string> compute_suites(bool unasked_only = false);

struct ComputeRequest {
  std::vector<std::string> suites = compute_suites(true);
  std::vector<NumberType> types;    ///< empty: all that the device has; a type asked for that it lacks is a skip
  std::optional<std::size_t> size;  ///< N of the products; none: what fills the device
  bool quick = false;
  std::optional<double> duration;  ///< seconds per product figure, for sustained load; none: until it is stable
};

/// A product's bits on one device, for comparison with the others'.
struct Fingerprint {
  Device device;
  NumberType type;
  std::uint64_t checksum;
};

/// Runs the suites on one device; a name that none has is an error. `emit` gets every measurement as it ends,
/// errors too: nothing is thrown. `together` is called before each figure, as often on every device, so that a barrier
/// in it makes all GPUs measure at once.
std::vector<Fingerprint> run_suites(Backend& backend, const ComputeRequest& request,
                                    const std::function<void(Measurement)>& emit,
                                    const std::function<void()>& together);

/// One measurement per GPU and type that two or more GPUs of one model computed: those whose bits differ from the
/// majority's fail, and with no majority all do. Nothing where there is nothing to compare.
std::vector<Measurement> compare_across(const std::vector<Fingerprint>& fingerprints);

}  // namespace rv::workers
