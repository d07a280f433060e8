#pragma once

#include <cuda_runtime_api.h>

#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <vector>

#include "shared/fnv1a.h"

namespace rv::workers {

/// The limit for the error of an algorithm.
struct Exactness {
  std::function<double()> error;  ///< error of the last computation
  double most = 0;                ///< algorithms with a larger error, or NaN, are refused

  int checked = 0, refused = 0;
  double chosen = 0;  ///< error of the chosen algorithm
};

/// Chooses the fastest of several algorithms before anything is timed, and records the choice: all ranks, and a resumed
/// training, must use the same algorithms to get the same bits.
class Tuner {
 public:
  /// Starts with earlier choices, or none.
  explicit Tuner(std::vector<int> before) : before_(std::move(before)) {}

  /// `choose` selects an algorithm, `run` runs it. Each `what` is tuned only once. With `exactness`, chooses the
  /// fastest of those that are exact enough, or the most exact one if there is none.
  void tune(const std::string& what, std::size_t ways, const std::function<void(std::size_t)>& choose,
            const std::function<void(cudaStream_t)>& run, cudaStream_t stream, Exactness* exactness = nullptr);
  /// Whether tune() would measure: there are several algorithms and no choice has been made.
  bool will_try(const std::string& what, std::size_t ways) const;

  /// Call it after all tuning. Throws std::runtime_error if the earlier choices were for other algorithms.
  void close() const;

  /// A number that identifies the alternatives, then each choice. All are exactly representable in fp32.
  std::vector<int> choices() const;
  /// Adopts the choices of another rank. Throws std::runtime_error if they belong to another training.
  void adopt(const std::vector<int>& choices);

 private:
  struct Entry {
    std::size_t ways = 0, choice = 0;
    std::vector<std::function<void(std::size_t)>> setters;
  };

  void sign(const std::string& text);
  int signature() const { return static_cast<int>(signature_ >> 8); }

  std::vector<int> before_;
  std::uint32_t signature_ = fnv_offset<std::uint32_t>;  ///< FNV-1a of all names and numbers of algorithms
  std::vector<Entry> entries_;
  std::map<std::string, std::size_t> known_;
};

}  // namespace rv::workers
