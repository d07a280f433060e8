#include "workers/compute/gemm.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "workers/devices/random_input.h"

namespace rv::workers {

std::string_view number_type_name(NumberType type) {
  switch (type) {
    case NumberType::fp64:
      return "fp64";
    case NumberType::fp32:
      return "fp32";
    case NumberType::tf32:
      return "tf32";
    case NumberType::fp16:
      return "fp16";
    case NumberType::bf16:
      return "bf16";
    case NumberType::fp8:
      return "fp8";
  }
  return "";
}

std::optional<NumberType> number_type(std::string_view name) {
  for (const auto type : all_number_types) {
    if (number_type_name(type) == name) return type;
  }
  return std::nullopt;
}

double tolerance(NumberType type) {
  switch (type) {
    case NumberType::fp64:
      return 1e-12;
    case NumberType::fp32:
      return 5e-5;
    case NumberType::tf32:
    case NumberType::fp16:
      return 5e-3;
    case NumberType::bf16:
    case NumberType::fp8:
      return 2e-2;
  }
  return 0;
}

ProductCheck check_product(Product& product, std::size_t samples) {
  const auto n = product.size();
  const auto limit = tolerance(product.type());
  ProductCheck check;
  if (const auto bad = product.digest().not_finite; bad > 0) {
    check.wrong = fmt::format("{} of {} elements are NaN or infinite", bad, n * n);
  }
  std::vector<double> a(n), b(n);
  for (std::size_t sample = 0; sample < samples; ++sample) {
    const auto place = scramble(sample) % (n * n);
    const auto row = place / n, column = place % n;
    product.inputs(row, column, a, b);
    double expected = 0, squares = 0;
    for (std::size_t k = 0; k < n; ++k) {
      const auto term = a[k] * b[k];
      expected += term;
      squares += term * term;
    }
    const auto got = product.output(row, column);
    const auto error = std::abs(got - expected) / std::sqrt(squares);
    if (error <= limit) {
      check.worst_error = std::max(check.worst_error, error);
      continue;
    }
    if (!(error <= check.worst_error)) check.worst_error = error;  // also true for NaN, which is then kept
    if (check.wrong.empty()) {
      check.wrong = fmt::format("element ({}, {}) is {:.6g}, expected {:.6g}: error {:.2e}, allowed {:.0e}", row,
                                column, got, expected, error, limit);
    }
  }
  const auto projection = product.project(1);
  for (std::size_t row = 0; row < n; ++row) {
    const auto error = std::abs(projection.got[row] - projection.expected[row]) / static_cast<double>(n);
    if (error <= limit) {
      check.worst_row = std::max(check.worst_row, error);
      continue;
    }
    if (!(error <= check.worst_row)) check.worst_row = error;
    if (check.wrong.empty()) {
      check.wrong = fmt::format("row {} times a random vector is {:.6g}, expected {:.6g}: error {:.2e}, allowed {:.0e}",
                                row, projection.got[row], projection.expected[row], error, limit);
    }
  }
  return check;
}

ProductSpeed measure_product(Product& product, const StoppingRule::Limits& limits) {
  product.run(1);  // first use loads code and pages
  // Samples take several milliseconds, so that the gap between launch and start is negligible.
  const auto once = product.run(2) / 2;
  ProductSpeed speed;
  speed.repeats = static_cast<int>(std::clamp(std::ceil(5e-3 / std::max(once, 1e-9)), 1.0, 1000.0));

  const auto n = static_cast<double>(product.size());
  StoppingRule rule(limits);
  while (!rule.finished()) {
    const auto seconds = product.run(speed.repeats);
    rule.add(2 * n * n * n * speed.repeats / seconds / 1e12, seconds);
  }
  const auto& values = rule.values();
  const auto tenth = static_cast<std::ptrdiff_t>(std::max<std::size_t>(values.size() / 10, 1));
  speed.teraflops = median(values);
  speed.spread = median_absolute_deviation(values);
  speed.first = median({values.begin(), values.begin() + tenth});
  speed.last = median({values.end() - tenth, values.end()});
  speed.samples = values.size();
  return speed;
}

}  // namespace rv::workers
