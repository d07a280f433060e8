#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "workers/devices/device.h"
#include "workers/devices/random_input.h"
#include "workers/devices/stopping.h"

namespace rv::workers {

/// The number types of a matrix product. tf32 is fp32 in memory; the tensor cores round it to 10 bits of mantissa. fp8
/// is e4m3 with bf16 output. fp16, bf16, tf32 and fp8 accumulate in fp32.
enum class NumberType { fp64, fp32, tf32, fp16, bf16, fp8 };

inline constexpr NumberType all_number_types[] = {NumberType::fp64, NumberType::fp32, NumberType::tf32,
                                                  NumberType::fp16, NumberType::bf16, NumberType::fp8};

std::string_view number_type_name(NumberType type);
std::optional<NumberType> number_type(std::string_view name);

/// The largest allowed |got - expected| / √(Σ aₖ²·bₖ²) of an element. The divisor is the expected size of a dot product
/// of random signs, so one limit fits every element, also those near zero. The limits are several times the rounding
/// error at N = 16384 (accumulation in fp64 and fp32, input rounding in tf32, output rounding in fp16, bf16 and fp8),
/// and far below the effect of one wrong input or of one wrong high bit.
double tolerance(NumberType type);

/// One product C = A·B of random N×N matrices on one device, with a fixed type and size. Errors are exceptions.
class Product {
 public:
  virtual ~Product() = default;

  virtual NumberType type() const = 0;
  virtual std::size_t size() const = 0;  ///< N

  /// Tests the library's algorithms, selects the fastest and returns how many ran. Without this call the library's
  /// first choice is used. That choice is the same on every GPU of a model, which a bit-exact comparison needs.
  virtual int tune() = 0;
  /// Multiplies `repeats` times back to back and returns the total seconds.
  virtual double run(int repeats) = 0;

  /// Overwrites C with NaN, so that the check finds elements that are never written.
  virtual void poison() = 0;
  struct Digest {
    std::uint64_t checksum = 0;    ///< depends on every bit of C and its position
    std::uint64_t not_finite = 0;  ///< NaN and infinite elements
  };
  virtual Digest digest() = 0;

  /// A·(B·x) and C·x in fp64 for a vector x of random signs drawn from `seed`. The two agree if all of C is right. This
  /// takes O(N²) work; checking each element takes O(N³).
  struct Projection {
    std::vector<double> expected, got;
  };
  virtual Projection project(std::uint64_t seed) = 0;

  /// Generates row `row` of A and column `column` of B again, rounded to the type; does not read the device.
  virtual void inputs(std::size_t row, std::size_t column, std::span<double> a, std::span<double> b) const = 0;
  virtual double output(std::size_t row, std::size_t column) const = 0;
};

/// The result of checking a product.
struct ProductCheck {
  double worst_error = 0;  ///< largest error of the sampled elements, in the unit of `tolerance`
  double worst_row = 0;    ///< largest error of the projected rows, in the same unit
  std::string wrong;       ///< the first finding, as a sentence; empty: none
};

/// Checks every element for NaN and infinity, compares `samples` elements of C at fixed random positions with fp64 dot
/// products on the host, and checks all of C by a random projection (Freivalds 1977). In the projection, rounding
/// errors add up to √N times those of one element; the error of a row is |C·x - A·(B·x)| / N. NaN always fails.
ProductCheck check_product(Product& product, std::size_t samples);

struct ProductSpeed {
  double teraflops = 0;  ///< median of 2·N³ / seconds / 10¹²: N² dot products of N multiplications and N additions
  double spread = 0;     ///< median absolute deviation, in the same unit
  double first = 0;      ///< median of the first tenth of the samples: before power and heat limit the clocks
  double last = 0;       ///< median of the last tenth
  std::size_t samples = 0;
  int repeats = 0;  ///< products per sample
};

/// Measures warm products back to back until `limits` are met.
ProductSpeed measure_product(Product& product, const StoppingRule::Limits& limits);

/// Element `index` of the projection's vector x: 1 or -1.
constexpr double random_sign(std::uint64_t seed, std::uint64_t index) {
  return (scramble(scramble(seed + 77) ^ index) & 1) == 0 ? 1 : -1;
}

/// Returns a product by blocked loops on one core, for fp64 and fp32; null for other types.
std::unique_ptr<Product> cpu_product(NumberType type, std::size_t n);

}  // namespace rv::workers
