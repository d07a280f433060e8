#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>

namespace rv::workers {

/// The load of one worker: C = (tanh(relu(A·B)) + A) × B over square matrices of fp32, the last product by elements. A
/// and B are random (devices/random_input), scaled so that an element of A·B has the variance 1.
class Load {
 public:
  virtual ~Load() = default;

  /// One operation, to its end. Where it takes long `go_on` is asked in between; once that says false the operation is
  /// broken off, and this returns false.
  virtual bool operate(const std::function<bool()>& go_on) = 0;

  /// An element of the last result.
  virtual float result(std::size_t row, std::size_t column) = 0;

  /// Takes so many bytes more of the memory it computes in, and keeps them: for tests.
  virtual void leak(std::size_t bytes) = 0;
};

/// Throws std::runtime_error; OutOfMemory where the matrices don't fit.
std::unique_ptr<Load> cpu_load(std::size_t side);
/// On the only GPU that this process sees.
std::unique_ptr<Load> cuda_load(std::size_t side);

/// The factor of A's and B's random numbers.
double load_scale(std::size_t side);

/// Element `index` of A (seed 1) or B (seed 2), row by row.
float load_input(std::uint64_t seed, std::uint64_t index, double scale);

/// Empty, or which of some elements of the last result differs from the same in double precision, as a sentence.
/// `offset` is added to what was computed: for tests.
std::string wrong_result(Load& load, std::size_t side, float offset);

}  // namespace rv::workers
