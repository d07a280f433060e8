#include "reports/sweep/point.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/seeded_random.h"

namespace rv::sweep {

std::vector<Point> all_points(const std::vector<Axis>& axes, int repeats) {
  std::vector<Point> points = {{}};
  for (const auto& axis : axes) {
    std::vector<Point> longer;
    longer.reserve(points.size() * axis.values.size());
    for (const auto& point : points) {
      for (const auto& value : axis.values) {
        longer.push_back(point);
        longer.back().settings[axis.name] = value;
      }
    }
    points = std::move(longer);
  }
  std::vector<Point> all;
  all.reserve(points.size() * static_cast<std::size_t>(repeats));
  for (const auto& point : points) {
    for (int repeat = 1; repeat <= repeats; ++repeat) {
      all.push_back(point);
      all.back().repeat = repeat;
    }
  }
  return all;
}

std::vector<Point> shuffled(std::vector<Point> points, std::uint64_t seed) {
  for (std::size_t left = points.size(); left > 1; --left) {
    std::swap(points[left - 1], points[mixed(seed, left) % left]);
  }
  return points;
}

std::string folder_name(const Point& point, const std::vector<Axis>& axes) {
  std::string name;
  for (const auto& axis : axes) {
    name += (name.empty() ? "" : "_") + axis.name + "_" + point.settings.at(axis.name);
  }
  return point.repeat == 1 ? name : fmt::format("{}_r{}", name, point.repeat);
}

std::string to_text(const Point& point, const std::vector<Axis>& axes) {
  std::string text;
  for (const auto& axis : axes) {
    text += (text.empty() ? "" : ", ") + axis.name + " " + point.settings.at(axis.name);
  }
  return point.repeat == 1 ? text : fmt::format("{}, repeat {}", text, point.repeat);
}

}  // namespace rv::sweep
