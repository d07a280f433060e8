#include "workers/envs/terrain/terrain.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <set>

namespace rv::envs {
namespace {

constexpr int half = TerrainMap::cells / 2;

const std::vector<float>& map() {
  static const auto heights = make_terrain(4);
  return heights;
}

float at(int level, int column, int i, int j) {
  const auto middle = middle_of(level, column);
  return map()[static_cast<std::size_t>(middle.row + i) * TerrainMap::columns +
               static_cast<std::size_t>(middle.column + j)];
}

int column_with(Ground kind) {
  int column = 0;
  while (ground_of(column) != kind) ++column;
  return column;
}

}  // namespace

TEST_CASE("every patch ends at height 0 and is level where a robot begins") {
  for (int level = 0; level < TerrainMap::levels; ++level) {
    for (int column = 0; column < TerrainMap::kinds; ++column) {
      for (int k = -half; k <= half; ++k) {
        CHECK(at(level, column, -half, k) == 0);
        CHECK(at(level, column, half, k) == 0);
        CHECK(at(level, column, k, -half) == 0);
        CHECK(at(level, column, k, half) == 0);
      }
      if (ground_of(column) == Ground::rough) continue;
      for (int k = -19; k <= 19; ++k) CHECK(at(level, column, k, 19) == at(level, column, 0, 0));
    }
  }
}

TEST_CASE("each level is harder than the one before") {
  for (int level = 1; level < TerrainMap::levels; ++level) {
    CHECK(difficulty(level).slope > difficulty(level - 1).slope);
    CHECK(difficulty(level).step > difficulty(level - 1).step);
    CHECK(difficulty(level).box > difficulty(level - 1).box);
    CHECK(difficulty(level).gap > difficulty(level - 1).gap);
    const int up = column_with(Ground::stairs_up), down = column_with(Ground::stairs_down);
    CHECK(at(level, up, 0, 0) < at(level - 1, up, 0, 0));
    CHECK(at(level, down, 0, 0) > at(level - 1, down, 0, 0));
  }
}

TEST_CASE("the kinds of ground are what they are called") {
  const auto hard = difficulty(5);
  const int slope = column_with(Ground::slope_up), stairs = column_with(Ground::stairs_down);
  CHECK(at(5, slope, 50, 0) - at(5, slope, 40, 0) == doctest::Approx(hard.slope * 0.5));
  std::set<float> stair_heights;
  for (int i = 20; i <= half; ++i) stair_heights.insert(at(5, stairs, i, 0));
  CHECK(stair_heights.size() == 11);
  CHECK(*std::next(stair_heights.begin()) == doctest::Approx(hard.step));
  const int gaps = column_with(Ground::gaps);
  int wide = 0;
  for (int i = 0; i <= half; ++i) wide += at(5, gaps, i, 0) == -1 ? 1 : 0;
  CHECK(static_cast<float>(wide) * TerrainMap::cell == doctest::Approx(hard.gap).epsilon(0.1));
  const int boxes = column_with(Ground::boxes), rough = column_with(Ground::rough);
  float highest = 0, roughest = 0;
  for (int i = -half; i <= half; ++i) {
    for (int j = -half; j <= half; ++j) highest = std::max(highest, std::abs(at(5, boxes, i, j)));
    if (i > -half) roughest = std::max(roughest, std::abs(at(5, rough, i, 7) - at(5, rough, i - 1, 7)));
  }
  CHECK(highest == doctest::Approx(hard.box));
  CHECK(roughest > 0.001F);
}

TEST_CASE("the same seed makes the same ground") {
  CHECK(make_terrain(4) == map());
  CHECK(make_terrain(5) != map());
}

TEST_CASE("between the grid's points the ground is bilinear, and beyond its edges it continues") {
  const float heights[] = {0, 1, 2, 4, 6, 8, 0, 0, 0};
  const HeightField field = {heights, 3, 3, 0.5F};
  const auto middle = ground_at(field, {0, 0}, 0.25, 0.25);
  CHECK(middle.height == doctest::Approx((0 + 1 + 4 + 6) / 4.0));
  CHECK(middle.along_x == doctest::Approx((4 + 6 - 0 - 1) / 2.0 / 0.5));
  CHECK(middle.along_y == doctest::Approx((1 - 0 + 6 - 4) / 2.0 / 0.5));
  CHECK(ground_at(field, {1, 1}, -0.25, -0.25).height == doctest::Approx(middle.height));
  CHECK(ground_at(field, {0, 0}, -7.0, -7.0).height == doctest::Approx(0));
  CHECK(ground_at(field, {0, 0}, 0.5, 99.0).height == doctest::Approx(8).epsilon(0.01));
  CHECK(ground_at(HeightField{}, {0, 0}, 3.0, 4.0).height == 0);
}

}  // namespace rv::envs
