#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <random>

#include "workers/training/gpu/kernels/convolution/winograd_transforms.h"

namespace {

using namespace rv::workers;

template <int size>
struct Square {
  double v[size][size] = {};

  static Square random(std::mt19937& numbers) {
    std::normal_distribution<double> draw;
    Square made;
    for (auto& row : made.v) std::generate(std::begin(row), std::end(row), [&] { return draw(numbers); });
    return made;
  }
  friend double dot(const Square& a, const Square& b) {
    double sum = 0;
    for (int i = 0; i < size * size; ++i) sum += a.v[i / size][i % size] * b.v[i / size][i % size];
    return sum;
  }
  friend Square operator*(const Square& a, const Square& b) {
    Square made;
    for (int i = 0; i < size * size; ++i)
      made.v[i / size][i % size] = a.v[i / size][i % size] * b.v[i / size][i % size];
    return made;
  }
};

/// By the definition.
Square<2> convolution(const Square<4>& image, const Square<3>& filter) {
  Square<2> made;
  for (int y = 0; y < 2; ++y) {
    for (int x = 0; x < 2; ++x) {
      for (int i = 0; i < 9; ++i) made.v[y][x] += image.v[y + i / 3][x + i % 3] * filter.v[i / 3][i % 3];
    }
  }
  return made;
}

Square<2> by_transforms(const Square<4>& image, const Square<3>& filter) {
  Square<4> patch, weights;
  Square<2> made;
  winograd::input(image.v, patch.v);
  winograd::filter(filter.v, weights.v);
  winograd::output((patch * weights).v, made.v);
  return made;
}

}  // namespace

TEST_CASE("a convolution of 3 × 3 by transforms is the one by the definition") {
  std::mt19937 numbers(1);
  for (int round = 0; round < 100; ++round) {
    const auto image = Square<4>::random(numbers);
    const auto filter = Square<3>::random(numbers);
    const auto expected = convolution(image, filter), got = by_transforms(image, filter);
    for (int i = 0; i < 4; ++i) CHECK(got.v[i / 2][i % 2] == doctest::Approx(expected.v[i / 2][i % 2]).epsilon(1e-12));
  }
}

TEST_CASE("a filter's gradient by transforms is what a small change of the filter does to the output") {
  std::mt19937 numbers(2);
  for (int round = 0; round < 100; ++round) {
    const auto image = Square<4>::random(numbers);
    const auto slopes = Square<2>::random(numbers);
    Square<4> patch, back;
    Square<3> gradient;
    winograd::input(image.v, patch.v);
    winograd::output_back(slopes.v, back.v);
    winograd::filter_back((patch * back).v, gradient.v);
    // The convolution is linear in the filter: along any filter it changes by what the gradient says.
    const auto along = Square<3>::random(numbers);
    CHECK(dot(gradient, along) == doctest::Approx(dot(slopes, convolution(image, along))).epsilon(1e-12));
  }
}

TEST_CASE("rounding of the transforms in float stays within a few times that of the plain sum") {
  std::mt19937 numbers(3);
  double plain = 0, transformed = 0;
  for (int round = 0; round < 1000; ++round) {
    const auto image = Square<4>::random(numbers);
    const auto filter = Square<3>::random(numbers);
    float d[4][4], g[3][3], patch[4][4], weights[4][4], y[2][2];
    for (int i = 0; i < 16; ++i) d[i / 4][i % 4] = static_cast<float>(image.v[i / 4][i % 4]);
    for (int i = 0; i < 9; ++i) g[i / 3][i % 3] = static_cast<float>(filter.v[i / 3][i % 3]);
    winograd::input(d, patch);
    winograd::filter(g, weights);
    for (int i = 0; i < 16; ++i) patch[i / 4][i % 4] *= weights[i / 4][i % 4];
    winograd::output(patch, y);
    for (int at = 0; at < 4; ++at) {
      double exact = 0;
      float sum = 0;
      for (int i = 0; i < 9; ++i) {
        const float a = d[at / 2 + i / 3][at % 2 + i % 3], b = g[i / 3][i % 3];
        exact += static_cast<double>(a) * static_cast<double>(b);
        sum += a * b;
      }
      plain += std::pow(static_cast<double>(sum) - exact, 2);
      transformed += std::pow(static_cast<double>(y[at / 2][at % 2]) - exact, 2);
    }
  }
  CHECK(transformed < 16 * plain);
  CHECK(transformed > 0);
}
