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

/// The types of a matrix product. tf32 is fp32 in memory, rounded to 10 bits of mantissa by the tensor cores; fp8 is
/// e4m3 with bf16 output. fp16, bf16, tf32 and fp8 accumulate in fp32.
enum class NumberType { fp64, fp32, tf32, fp16, bf16, fp8 };

inline constexpr NumberType all_number_types[] = {NumberType::fp64, NumberType::fp32, NumberType::tf32,
                                                  NumberType::fp16, NumberType::bf16, NumberType::fp8};

std::string_view number_type_name(NumberType type);
std::optional<NumberType> number_type(std::string_view name);

/// The largest allowed |got - expected| / √(Σ aₖ²·bₖ²). The divisor is the size a dot product of random signs has, so
/// one limit fits every element, also those near zero. The limits are several times what rounding does at N = 16384
/// (accumulation in fp64 and fp32, input rounding in tf32, output rounding in fp16, bf16 and fp8) and far below what
/// one wrong input or bit of weight does.
double tolerance(NumberType type);

/// One product C = A·B of random N×N matrices on one device, at a fixed type and size. Errors are exceptions.
class Product {
 public:
  virtual ~Product() = default;

  virtual NumberType type() const = 0;
  virtual std::size_t size() const = 0;  ///< N

  /// Tries what algorithms there are and keeps the fastest; returns how many ran. Before, the library's first choice
  /// is used: the same one on every GPU of a model, which bit-exact comparison needs.
  virtual int tune() = 0;
  /// Multiplies `repeats` times back to back; seconds altogether.
  virtual double run(int repeats) = 0;

  /// Overwrites C with NaN, so that an element that is never written is seen.
  virtual void poison() = 0;
  struct Digest {
    std::uint64_t checksum = 0;    ///< depends on every bit of C and its place
    std::uint64_t not_finite = 0;  ///< NaN and infinite elements
  };
  virtual Digest digest() = 0;

  /// A·(B·x) and C·x in fp64 for x of random signs drawn from `seed`. The two agree if all of C is right, for n² work
  /// where checking every element by itself takes n³.
  struct Projection {
    std::vector<double> expected, got;
  };
  virtual Projection project(std::uint64_t seed) = 0;

  /// Row `row` of A and column `column` of B as the type holds them, generated anew rather than read from the device.
  virtual void inputs(std::size_t row, std::size_t column, std::span<double> a, std::span<double> b) const = 0;
  virtual double output(std::size_t row, std::size_t column) const = 0;
};

/// What the check of a product found; `wrong` is empty when all is right.
struct ProductCheck {
  double worst_error = 0;  ///< of the sampled elements, in the measure of `tolerance`
  double worst_row = 0;    ///< of the projected rows, in the same
  std::string wrong;       ///< the first finding, as a sentence
};

/// Looks at every element for NaN and infinity; compares `samples` elements of C, spread by a fixed random sequence,
/// with fp64 dot products on the host; and checks all of C at once by a random projection (Freivalds 1977), in which
/// rounding and errors both add up to √n times one element's: an error there is |C·x - A·(B·x)| / n of a row. NaN never
/// passes. Any Product can be judged, a corrupted one too.
ProductCheck check_product(Product& product, std::size_t samples);

struct ProductSpeed {
  double teraflops = 0;  ///< 10¹² · median of 2·N³ / seconds: N² dot products of N multiplications and N additions
  double spread = 0;     ///< median absolute deviation, in the same unit
  double first = 0;      ///< median over the first tenth of the samples: before power and heat limit the clocks
  double last = 0;       ///< over the last tenth
  std::size_t samples = 0;
  int repeats = 0;  ///< products per sample
};

/// Warm, back to back, until `limits` are met.
ProductSpeed measure_product(Product& product, const StoppingRule::Limits& limits);

/// Element `index` of the projection's vector: 1 or -1.
constexpr double random_sign(std::uint64_t seed, std::uint64_t index) {
  return (scramble(scramble(seed + 77) ^ index) & 1) == 0 ? 1 : -1;
}

/// Plain blocked loops on one core, fp64 and fp32 only; null for the others.
std::unique_ptr<Product> cpu_product(NumberType type, std::size_t n);

}  // namespace rv::workers
