// The task on the CPU: what is observed and rewarded.
#include <doctest/doctest.h>

#include <cmath>
#include <stdexcept>

#include "tests/workers/envs/task_under_test.h"

namespace rv::envs {

TEST_CASE("sizes and memory are known before anything is taken") {
  QuadrupedOptions options;
  options.environments = 3;
  CHECK(make_quadruped(options)->sizes().observations == 235);
  CHECK(make_quadruped(options)->bytes() == quadruped_bytes(options));
  options.rough = false;
  CHECK(make_quadruped(options)->sizes().observations == 48);
  CHECK(make_quadruped(options)->sizes().actions == 12);
  CHECK(make_quadruped(options)->bytes() == quadruped_bytes(options));
  CHECK(quadruped_bytes(options) == 3 * 368);
  options.environments = 0;
  CHECK_THROWS_AS(make_quadruped(options), std::runtime_error);
}

TEST_CASE("observations are where they belong") {
  Rig rig(calm(true));
  rig.edit([](const Store& store) {
    Environment<Model::legs> e;
    load(e, store, 0, WholeTeam{});
    e.body.velocity = {0.5F, 0.25F, 0};
    e.body.position.z = 5;  // in the air: only the actuators act
    e.command = {0.75F, -0.5F, 0.2F};
    save(e, store, 0, WholeTeam{});
  });
  for (std::size_t i = 0; i < 12; ++i) rig.actions[i] = 0.1F * static_cast<float>(i);
  rig.step();
  const auto e = environment(rig, 0);
  const auto seen = see(e.body, e.command);
  const auto& o = rig.observations;
  CHECK(o[0] == doctest::Approx(2 * seen.velocity.x));
  CHECK(o[1] == doctest::Approx(2 * seen.velocity.y));
  CHECK(o[2] == doctest::Approx(2 * seen.velocity.z));
  CHECK(o[4] == doctest::Approx(0.25 * e.body.spin.y));
  CHECK(o[8] == doctest::Approx(-1).epsilon(0.01));
  CHECK(o[9] == doctest::Approx(1.5));
  CHECK(o[10] == doctest::Approx(-1));
  CHECK(o[11] == doctest::Approx(0.25 * seen.turn));
  CHECK(seen.turn == doctest::Approx(0.1).epsilon(0.1));
  for (int joint = 0; joint < 12; ++joint) {
    const auto& leg = e.legs[joint / 3];
    const auto at = static_cast<std::size_t>(joint);
    CHECK(o[12 + at] == doctest::Approx(leg.angle[joint % 3] - stance_angle<float>(joint / 3, joint % 3)));
    CHECK(o[24 + at] == doctest::Approx(0.05 * leg.rate[joint % 3]));
    CHECK(o[36 + at] == doctest::Approx(0.1 * joint));
  }
  CHECK(o[12 + 11] > 0);                                    // a joint follows its action
  for (std::size_t i = 48; i < 235; ++i) CHECK(o[i] == 5);  // 4.5 m up is cut to 1 m
}

TEST_CASE("the 187 heights are those of the ground around, turned with the robot") {
  std::vector<float> heights(std::size_t{401} * 401);
  for (std::size_t i = 0; i < 401; ++i) {
    for (std::size_t j = 0; j < 401; ++j) heights[i * 401 + j] = 0.1F * 0.05F * (static_cast<float>(i) - 200);
  }
  const HeightField field = {heights.data(), 401, 401, 0.05F};
  Viewpoint view = {{0, 0, 0.5F}, 1, 0, {200, 200}, {}};
  // Front right corner first in y, last in x.
  CHECK(observe_height(view, field, 16, false) == doctest::Approx(-5 * 0.08));
  CHECK(observe_height(view, field, 0, false) == doctest::Approx(5 * 0.08));
  CHECK(observe_height(view, field, 8 + 5 * 17, false) == doctest::Approx(0).epsilon(1e-6));
  view.cosine = 0, view.sine = 1;  // looking along y: what is to the right lies ahead of the map
  CHECK(observe_height(view, field, 8, false) == doctest::Approx(-5 * 0.05));
  CHECK(observe_height(view, field, 8 + 10 * 17, false) == doctest::Approx(5 * 0.05));
  for (int sample = 0; sample < Task::heights; ++sample) {
    const float quiet = observe_height(view, field, sample, false), noisy = observe_height(view, field, sample, true);
    CHECK(std::abs(quiet - noisy) <= 0.5F);
  }
}

TEST_CASE("a robot commanded to stand is paid for standing") {
  Rig rig(calm(false));
  float sum = 0;
  rig.edit([](const Store& store) {
    Environment<Model::legs> e;
    load(e, store, 0, WholeTeam{});
    e.command = {0, 0, 0};
    save(e, store, 0, WholeTeam{});
  });
  for (int i = 0; i < 400; ++i) {
    rig.step();
    if (i >= 200) sum += rig.rewards[0];
    CHECK(rig.terminated[0] == 0);
  }
  // 1.5 a second for both commands, less what the torques cost.
  CHECK(sum == doctest::Approx(4 * 1.5).epsilon(0.1));
  const auto figures = rig.environments->figures();
  CHECK(std::isnan(figures.mean_terrain_level));
  CHECK(figures.mean_speed < 0.1);
  CHECK(figures.mean_tracking_error < 0.1);
  CHECK(std::isnan(rig.environments->figures().mean_speed));
}

TEST_CASE("the reward has its terms") {
  const Command command = {1, 0, 0};
  BaseReadings seen = {{1, 0, 0}, {0, 0, -1}, 0.5F};
  const Column<float, 5> nothing = {{0, 0, 0, 0, 0}};
  CHECK(reward(seen, {0, 0, 0.5F}, command, nothing, false) == doctest::Approx(0.02 * 1.5));
  CHECK(reward(seen, {0, 0, 0}, command, nothing, false) == doctest::Approx(0.02 * (1 + 0.5 * std::exp(-1.0))));
  CHECK(reward(seen, {0.5F, 0.5F, 0.5F}, command, nothing, false) == doctest::Approx(0.02 * (1.5 - 0.05 * 0.5)));
  CHECK(reward(seen, {0, 0, 0.5F}, command, {{1e4F, 1e5F, 2, 0.25F, 1}}, false) ==
        doctest::Approx(0.02 * (1.5 - 0.1 - 0.025 - 0.02 + 0.25 - 1)));
  seen.velocity = {0, 0.5F, 0.5F};
  CHECK(reward(seen, {0, 0, 0.5F}, command, nothing, true) ==
        doctest::Approx(0.02 * (std::exp(-1.25 / 0.25) + 0.5 - 2 * 0.25)).epsilon(0.01));
  seen.gravity = {1, 0, 0};
  CHECK(reward(seen, {0, 0, 0.5F}, command, nothing, false) == 0);  // never below nothing
}

TEST_CASE("time in the air counts once a landing, over half a second") {
  LegMemory memory = {{0, 0, 0}, 0, 0};
  for (int i = 0; i < 40; ++i) CHECK(air_time_ended(memory, false) == 0);
  CHECK(air_time_ended(memory, true) == doctest::Approx(0.8 - 0.5 + 0).epsilon(0.1));
  CHECK(air_time_ended(memory, true) == 0);
}

}  // namespace rv::envs
