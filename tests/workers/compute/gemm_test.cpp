#include "workers/compute/gemm.h"

#include <doctest/doctest.h>

#include <set>
#include <vector>

#include "tests/workers/corrupted.h"
#include "workers/devices/random_input.h"

using namespace rv;
using namespace rv::workers;

TEST_CASE("random inputs have mean 0, variance 1 and hardly two alike") {
  double sum = 0, squares = 0;
  std::set<double> different;
  constexpr int count = 100000;
  for (int i = 0; i < count; ++i) {
    const auto x = random_input(1, static_cast<std::uint64_t>(i));
    sum += x;
    squares += x * x;
    different.insert(x);
  }
  CHECK(sum / count == doctest::Approx(0).epsilon(0.02));
  CHECK(squares / count == doctest::Approx(1).epsilon(0.02));
  CHECK(different.size() > 50000);
  CHECK(random_input(1, 5) != random_input(2, 5));
}

TEST_CASE("every element of the host's product is the dot product, at sizes that no block divides") {
  for (const auto type : {NumberType::fp64, NumberType::fp32}) {
    for (const std::size_t n : {16U, 130U, 515U}) {
      CAPTURE(n);
      const auto product = cpu_product(type, n);
      product->poison();
      CHECK(product->digest().not_finite == n * n);
      product->run(2);  // the second must not add to the first
      CHECK(product->digest().not_finite == 0);
      const auto check = check_product(*product, 200);
      CHECK(check.wrong == "");
      CHECK(check.worst_error < tolerance(type));
    }
  }
}

TEST_CASE("an output that was never written is found") {
  const auto product = cpu_product(NumberType::fp32, 64);
  product->poison();
  CHECK(check_product(*product, 8).wrong == "4096 of 4096 elements are NaN or infinite");
}

TEST_CASE("a corrupted row is found, named and measured") {
  CorruptedProduct product(cpu_product(NumberType::fp64, 16), 3, 1e-6);
  product.run(1);
  const auto check = check_product(product, 256);
  CHECK(check.wrong.rfind("element (3, ", 0) == 0);
  CHECK(check.worst_error > 1e-8);
}

TEST_CASE("an element that no sample meets is found by the projection, and its row is named") {
  CorruptedProduct product(cpu_product(NumberType::fp64, 64), 5, 1e-3);
  product.run(1);
  const auto check = check_product(product, 0);
  CHECK(check.wrong.rfind("row 5 times a random vector", 0) == 0);
  CHECK(check.worst_row == doctest::Approx(1e-3 / 64));
  const auto good = cpu_product(NumberType::fp32, 64);
  good->run(1);
  CHECK(check_product(*good, 0).wrong == "");
}

TEST_CASE("rounding is not corruption") {
  CorruptedProduct product(cpu_product(NumberType::fp32, 16), 3, 1e-6);
  product.run(1);
  CHECK(check_product(product, 256).wrong == "");
}

TEST_CASE("NaN never passes, though it compares false with every limit") {
  CorruptedProduct product(cpu_product(NumberType::fp64, 16), 3, std::numeric_limits<double>::quiet_NaN());
  product.run(1);
  CHECK(check_product(product, 256).wrong == "16 of 256 elements are NaN or infinite");
}

TEST_CASE("the same product twice has the same checksum, other bits another") {
  const auto product = cpu_product(NumberType::fp32, 64);
  product->run(1);
  const auto first = product->digest().checksum;
  product->poison();
  CHECK(product->digest().checksum != first);
  product->run(1);
  CHECK(product->digest().checksum == first);
}

TEST_CASE("speed is 2·N³ over the time") {
  /// A device that takes one millisecond per product.
  class Steady : public CorruptedProduct {
   public:
    Steady() : CorruptedProduct(cpu_product(NumberType::fp32, 100), 0, 0) {}
    double run(int repeats) override { return repeats * 1e-3; }
  } product;
  const auto speed = measure_product(product, {0.1, 1, 10, 0.01});
  CHECK(speed.teraflops == doctest::Approx(2e6 / 1e-3 / 1e12));
  CHECK(speed.spread == doctest::Approx(0));
  CHECK(speed.repeats == 5);
}

TEST_CASE("type names round-trip, others are none") {
  for (const auto type : all_number_types) CHECK(number_type(number_type_name(type)) == type);
  CHECK_FALSE(number_type("int8").has_value());
}
