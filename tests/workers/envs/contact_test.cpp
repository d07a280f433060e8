// Contacts at rest: nothing sinks, jitters or slides; and what must slide does.
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "tests/workers/envs/robot_under_test.h"

namespace rv::envs {
namespace {

/// A slope of 20 m × 20 m along x.
struct Slope {
  explicit Slope(float rise) : heights(std::size_t{401} * 401) {
    for (std::size_t i = 0; i < 401; ++i) {
      for (std::size_t j = 0; j < 401; ++j) heights[i * 401 + j] = rise * 0.05F * (static_cast<float>(i) - 200);
    }
  }
  HeightField field() const { return {heights.data(), 401, 401, 0.05F}; }
  std::vector<float> heights;
};

const Origin middle = {200, 200};

/// A robot held in its stance by its actuators, in the precision that is run.
template <class T>
struct Standing {
  Body<T> body = {{0, 0, T(Model::stance_height)}, {1, 0, 0, 0}, {0, 0, 0}, {0, 0, 0}};
  Leg<T> legs[Model::legs] = {};
  Surroundings<T> around = {1, 0, middle};

  explicit Standing(T rise = 0) {
    // Along the slope.
    const T half = -std::atan(rise) / 2;
    body.rotation = {std::cos(half), 0, std::sin(half), 0};
    body.position.z *= std::sqrt(1 + rise * rise);
    for (int leg = 0; leg < Model::legs; ++leg) {
      for (int j = 0; j < 3; ++j) legs[leg].angle[j] = stance_angle<T>(leg, j);
    }
  }

  void step(const HeightField& field) {
    T torque[Model::legs][3];
    for (int leg = 0; leg < Model::legs; ++leg) {
      for (int j = 0; j < 3; ++j) {
        torque[leg][j] = actuator_torque(stance_angle<T>(leg, j), legs[leg].angle[j], legs[leg].rate[j]);
      }
    }
    substep(WholeTeam{}, body, legs, torque, around, field);
  }

  Vec3<T> foot(int leg) const { return body.position + rotation(body.rotation) * pose_of(legs[leg], leg).foot; }
  T fastest() const {
    T most = std::sqrt(dot(body.velocity, body.velocity));
    for (const auto& leg : legs) {
      for (const T rate : leg.rate) most = std::max(most, std::abs(rate));
    }
    return most;
  }
};

/// Settles for four seconds, for its actuators are springs, then stands three.
template <class T>
void stands(const HeightField& field, T rise) {
  Standing<T> robot(rise);
  for (int i = 0; i < 800; ++i) robot.step(field);
  const auto before = robot;
  T fastest = 0, weight = 0;
  for (int i = 0; i < 600; ++i) {
    robot.step(field);
    fastest = std::max(fastest, robot.fastest());
    for (const auto& leg : robot.legs) weight += leg.impulse[foot_contact].z / T(600 * Model::timestep);
  }
  CHECK(fastest < T(0.005));
  CHECK(weight == doctest::Approx(50.2 * Model::gravity).epsilon(0.001));
  for (int leg = 0; leg < Model::legs; ++leg) {
    const auto now = robot.foot(leg), then = before.foot(leg);
    const auto moved = now - then;
    CHECK(std::sqrt(dot(moved, moved)) < T(0.001));
    const T overlap = (rise * now.x - now.z) / std::sqrt(1 + rise * rise) + T(Model::foot_radius);
    CHECK(overlap < T(0.001));
    CHECK(overlap > T(-0.0005));
  }
}

}  // namespace

TEST_CASE_TEMPLATE("a robot that stands neither sinks nor jitters", T, float, double) {
  SUBCASE("level") {
    stands<T>(HeightField{}, 0);
  }
  SUBCASE("on a slope") {
    const Slope slope(0.2F);
    stands<T>(slope.field(), T(0.2F));
  }
}

TEST_CASE("on ice a robot slides down as steep as the slope less the friction") {
  const Slope slope(0.3F);
  Standing<double> robot;
  robot.around.friction = 0.1;
  for (int i = 0; i < 100; ++i) robot.step(slope.field());
  const auto from = robot.body.velocity;
  for (int i = 0; i < 60; ++i) robot.step(slope.field());
  const double angle = std::atan(0.3), along = Model::gravity * (std::sin(angle) - 0.1 * std::cos(angle));
  CHECK((from.x - robot.body.velocity.x) / 0.3 == doctest::Approx(along * std::cos(angle)).epsilon(0.15));
}

TEST_CASE("friction never exceeds its cone") {
  const Slope slope(0.3F);
  Standing<double> robot;
  robot.around.friction = 0.6;
  robot.body.velocity = {1, -1, -1};
  for (int i = 0; i < 200; ++i) {
    robot.step(slope.field());
    const auto normal = unit(Vec3<double>{-0.3, 0, 1});
    for (const auto& leg : robot.legs) {
      const auto impulse = leg.impulse[foot_contact];
      const double pressed = dot(impulse, normal);
      const auto sideways = impulse - pressed * normal;
      CHECK(pressed >= -1e-9);
      CHECK(std::sqrt(dot(sideways, sideways)) <= 0.6 * pressed + 1e-6);
    }
  }
}

TEST_CASE("a dropped robot comes to rest on its feet, and a shank carries a robot on its knees") {
  Standing<float> dropped;
  dropped.body.position.z = 1;
  for (int i = 0; i < 800; ++i) dropped.step(HeightField{});
  CHECK(dropped.body.position.z > 0.5F);
  CHECK(dropped.fastest() < 0.01F);
  // Legs folded: knees down.
  Standing<float> kneeling;
  for (int leg = 0; leg < Model::legs; ++leg) kneeling.legs[leg].angle[2] = -3.4F * kneeling.legs[leg].angle[1] * 1.8F;
  bool touched = false;
  for (int i = 0; i < 200; ++i) {
    float torque[Model::legs][3] = {};
    substep(WholeTeam{}, kneeling.body, kneeling.legs, torque, kneeling.around, HeightField{});
    for (int leg = 0; leg < Model::legs; ++leg) {
      touched = touched || kneeling.legs[leg].impulse[shank_contact].z > 0;
      const auto knee =
          kneeling.body.position + rotation(kneeling.body.rotation) * pose_of(kneeling.legs[leg], leg).knee;
      CHECK(knee.z > 0.5F * static_cast<float>(Model::shank_radius));
    }
  }
  CHECK(touched);
}

TEST_CASE("a foot does not step through a stair's face") {
  // A wall of 0.2 m at x = 0.6 and a robot thrown against it.
  std::vector<float> heights(std::size_t{401} * 401);
  for (std::size_t i = 213; i < 401; ++i) std::fill_n(heights.begin() + static_cast<long>(i * 401), 401, 0.2F);
  const HeightField field = {heights.data(), 401, 401, 0.05F};
  Standing<float> robot;
  robot.body.velocity = {0.5F, 0, 0};
  float deepest = 0;
  for (int i = 0; i < 400; ++i) {
    robot.step(field);
    for (int leg = 0; leg < Model::legs; ++leg) {
      const auto foot = robot.foot(leg);
      deepest = std::max(deepest, ground_at(field, middle, foot.x, foot.y).height - foot.z);
    }
  }
  CHECK(deepest < 0.06F);
}

}  // namespace rv::envs
