#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>

namespace rv::workers {

/// The load of one worker: C = (tanh(relu(A·B)) + A) ∘ B with square fp32 matrices, where ∘ multiplies element by
/// element. A and B are random (devices/random_input), scaled so that the elements of A·B have variance 1.
class Load {
 public:
  virtual ~Load() = default;

  /// Runs one operation. During a long one `go_on` is polled: if it returns false, the operation is aborted and this
  /// returns false.
  virtual bool operate(const std::function<bool()>& go_on) = 0;

  /// Returns an element of the last result.
  virtual float result(std::size_t row, std::size_t column) = 0;

  /// For tests: allocates this many more bytes on the device and keeps them.
  virtual void leak(std::size_t bytes) = 0;
};

/// Throws std::runtime_error; OutOfMemory if the matrices do not fit.
std::unique_ptr<Load> cpu_load(std::size_t side);
/// Uses the only GPU that this process sees.
std::unique_ptr<Load> cuda_load(std::size_t side);

/// The scale of the random numbers in A and B.
double load_scale(std::size_t side);

/// Element `index` of A (seed 1) or B (seed 2), in row-major order.
float load_input(std::uint64_t seed, std::uint64_t index, double scale);

/// Compares some elements of the last result with a computation in double precision. Returns a sentence about the first
/// that differs, or an empty string. `offset` is added to the result, for tests.
std::string wrong_result(Load& load, std::size_t side, float offset);

}  // namespace rv::workers
