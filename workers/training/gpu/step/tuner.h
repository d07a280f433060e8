#pragma once

#include <cuda_runtime_api.h>

#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <vector>

#include "shared/fnv1a.h"

namespace rv::workers {

/// Whether a way is exact enough.
struct Exactness {
  std::function<double()> error;  ///< of what has been computed last
  double most = 0;                ///< ways with a larger error, or none, are refused

  int checked = 0, refused = 0;
  double chosen = 0;  ///< the error of the way that was chosen
};

/// Chooses the fastest of several ways to do the same, before anything is timed, and knows what it chose: all ranks,
/// and a training that is resumed, must compute by the same ways to get the same bits.
class Tuner {
 public:
  /// Choices made before, or none.
  explicit Tuner(std::vector<int> before) : before_(std::move(before)) {}

  /// `run` does it the way that was chosen last. The same `what` is tried once alone. With `exactness` it is the
  /// fastest of those that are exact enough, or, where none is, the most exact.
  void tune(const std::string& what, std::size_t ways, const std::function<void(std::size_t)>& choose,
            const std::function<void(cudaStream_t)>& run, cudaStream_t stream, Exactness* exactness = nullptr);
  /// Whether tune() would try these ways: there are several, and no choice has been made.
  bool will_try(const std::string& what, std::size_t ways) const;

  /// After all were tuned. Throws std::runtime_error if the choices made before were among other ways.
  void close() const;

  /// What there was to choose from, as a number, and then each choice. All of them are exact in fp32.
  std::vector<int> choices() const;
  /// Takes over another rank's. Throws std::runtime_error if they are of another training.
  void adopt(const std::vector<int>& choices);

 private:
  struct Entry {
    std::size_t ways = 0, choice = 0;
    std::vector<std::function<void(std::size_t)>> setters;
  };

  void sign(const std::string& text);
  int signature() const { return static_cast<int>(signature_ >> 8); }

  std::vector<int> before_;
  std::uint32_t signature_ = fnv_offset<std::uint32_t>;  ///< FNV-1a of all names and numbers of ways
  std::vector<Entry> entries_;
  std::map<std::string, std::size_t> known_;
};

}  // namespace rv::workers
