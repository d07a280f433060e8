// One process of a sweep: a value of every axis, for the first, second, … time.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "reports/sweep/axis.h"

namespace rv::sweep {

struct Point {
  Settings settings;
  int repeat = 1;
  auto operator<=>(const Point&) const = default;  // NOLINT(modernize-use-nullptr): clang-tidy 14 misreads <=>
};

/// The last axis turns fastest; repeats of a point stand beside each other.
std::vector<Point> all_points(const std::vector<Axis>& axes, int repeats);

/// In an order that the seed alone decides.
std::vector<Point> shuffled(std::vector<Point> points, std::uint64_t seed);

/// "envs_1024", "envs_1024_batch_32", "envs_1024_r2" for the second time. Different for different points of `axes`.
std::string folder_name(const Point& point, const std::vector<Axis>& axes);

/// "envs 1024, batch 32", "envs 1024, repeat 2": for people.
std::string to_text(const Point& point, const std::vector<Axis>& axes);

}  // namespace rv::sweep
