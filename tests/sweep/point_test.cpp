#include "reports/sweep/point.h"

#include <doctest/doctest.h>

#include <algorithm>

namespace rv::sweep {

TEST_CASE("every combination as often as asked, and a folder for each") {
  const std::vector<Axis> axes = {{"envs", {"1", "2"}}, {"batch", {"8"}}};
  const auto points = all_points(axes, 2);
  std::vector<std::string> folders;
  for (const auto& point : points) folders.push_back(folder_name(point, axes));
  CHECK(folders ==
        std::vector<std::string>{"envs_1_batch_8", "envs_1_batch_8_r2", "envs_2_batch_8", "envs_2_batch_8_r2"});
  CHECK(to_text(points[1], axes) == "envs 1, batch 8, repeat 2");
}

TEST_CASE("a seed gives one order, another seed another, and no point is lost") {
  const std::vector<Axis> axes = {{"envs", {"1", "2", "3", "4", "5", "6", "7", "8"}}};
  const auto points = all_points(axes, 1);
  const auto once = shuffled(points, 7);
  CHECK(once == shuffled(points, 7));
  CHECK(once != shuffled(points, 8));
  CHECK(once != points);
  CHECK(std::is_permutation(once.begin(), once.end(), points.begin()));
}

}  // namespace rv::sweep
