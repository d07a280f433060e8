// Motion in double precision against closed forms, and contacts at rest.
#include <doctest/doctest.h>
#include <fmt/format.h>

#include <cmath>
#include <functional>
#include <vector>

#include "tests/workers/envs/robot_under_test.h"

namespace rv::envs {
namespace {

constexpr double no_torque[Model::legs][3] = {};
const Surroundings<double> plain = {1, 0, {0, 0}};

/// Inertia, momentum and energy of all links in the world, from each link's place and speed alone.
struct Whole {
  double mass = 0, energy = 0;
  Vec3<double> centre = {0, 0, 0}, momentum = {0, 0, 0}, spin = {0, 0, 0};  ///< spin about the world's origin
};

Whole whole(const TestRobot& robot) {
  const auto r = rotation(robot.body.rotation);
  const Spatial<double> base = {robot.body.spin, turned_back(r, robot.body.velocity)};
  Whole out;
  const auto count = [&](const Inertia<double>& link, const Spatial<double>& velocity) {
    const auto momentum = link * velocity;
    const auto linear = r * momentum.linear;
    out.mass += link.mass;
    out.centre = out.centre + link.mass * robot.body.position + r * link.moment;
    out.momentum = out.momentum + linear;
    out.spin = out.spin + r * momentum.angular + cross(robot.body.position, linear);
    out.energy += dot(momentum, velocity) / 2 + Model::gravity * (link.mass * robot.body.position + r * link.moment).z;
  };
  count(base_inertia(0.0), base);
  for (int leg = 0; leg < Model::legs; ++leg) {
    const auto& joints = robot.legs[static_cast<std::size_t>(leg)];
    const auto pose = pose_of(joints, leg);
    auto velocity = base;
    for (int i = 0; i < 3; ++i) {
      velocity = velocity + joints.rate[i] * pose.axis[i];
      count(pose.link[i], velocity);
      out.energy += Model::armature * joints.rate[i] * joints.rate[i] / 2;
    }
  }
  out.centre = (1 / out.mass) * out.centre;
  return out;
}

void steps(TestRobot& robot, const double (*torque)[3], int count) {
  for (int i = 0; i < count; ++i) substep(WholeTeam{}, robot.body, robot.legs.data(), torque, plain, HeightField{});
}

double length(Vec3<double> v) {
  return std::sqrt(dot(v, v));
}

/// One leg under a base that is held: accelerations of its joints from its terms alone.
Column<double, 3> held_acceleration(const Leg<double>& leg) {
  const BaseMotion<double> still = {{{0, 0, 0}, {0, 0, 0}}, {{0, 0, 0}, {0, 0, Model::gravity}}};
  const auto terms = leg_terms(leg, 0, still);
  const auto lower = factor(terms.mass);
  return solve_transposed(lower, solve(lower, Column<double, 3>{{-terms.bias[0], -terms.bias[1], -terms.bias[2]}}));
}

}  // namespace

TEST_CASE("the model is a mid-size quadruped") {
  const auto all = whole(TestRobot{});
  CHECK(all.mass == doctest::Approx(50.2));
  const auto pose = pose_of(TestRobot{}.legs[0], 0);
  CHECK(-pose.foot.z + Model::foot_radius == doctest::Approx(Model::stance_height).epsilon(0.03));
  // Left and right, front and hind are mirror images.
  const auto other = pose_of(TestRobot{}.legs[3], 3);
  CHECK(other.foot.x == doctest::Approx(-pose.foot.x));
  CHECK(other.foot.y == doctest::Approx(-pose.foot.y));
  CHECK(other.foot.z == doctest::Approx(pose.foot.z));
}

TEST_CASE("in free flight the centre of mass falls on its parabola") {
  TestRobot robot;
  robot.body.velocity = {1, -2, 3};
  robot.body.spin = {0.3, 0.2, -0.5};
  const auto before = whole(robot);
  constexpr int count = 100;
  steps(robot, no_torque, count);
  const auto after = whole(robot);
  const double time = count * Model::timestep;
  const auto drift = (1 / before.mass) * before.momentum;
  CHECK(after.centre.x == doctest::Approx(before.centre.x + time * drift.x).epsilon(1e-4));
  CHECK(after.centre.y == doctest::Approx(before.centre.y + time * drift.y).epsilon(1e-3));
  // Semi-implicit Euler falls by g t²/2 (1 + 1/count).
  const double fall = Model::gravity * time * time / 2 * (1 + 1.0 / count);
  CHECK(after.centre.z == doctest::Approx(before.centre.z + time * drift.z - fall).epsilon(1e-5));
}

TEST_CASE("free flight keeps momentum, and energy less what the joints lose") {
  std::mt19937_64 draw(3);
  auto robot = TestRobot::random(draw);
  for (auto& leg : robot.legs) {
    for (int j = 0; j < 3; ++j) leg.angle[j] *= 0.3, leg.rate[j] *= 0.1;
  }
  robot.body.spin = 0.3 * robot.body.spin;
  robot.body.position = {0, 0, 100};
  const auto before = whole(robot);
  steps(robot, no_torque, 40);
  const auto after = whole(robot);
  const double time = 40 * Model::timestep;
  const auto change = after.momentum - before.momentum;
  CHECK(change.x / before.mass == doctest::Approx(0).epsilon(0.01));
  CHECK(change.y / before.mass == doctest::Approx(0).epsilon(0.01));
  CHECK(change.z / before.mass == doctest::Approx(-Model::gravity * time).epsilon(0.01));
  // About the centre of mass.
  const auto about = [](const Whole& w) { return w.spin - cross(w.centre, w.momentum); };
  CHECK(length(about(after) - about(before)) < 0.02 * length(about(before)));
  CHECK(after.energy < before.energy);
  CHECK(after.energy > before.energy - 30);
}

TEST_CASE("a swinging leg is a compound pendulum") {
  // The hip's joint alone: thigh and shank held straight at 0 by leaving their rates alone.
  Leg<double> leg = {};
  const auto pose = pose_of(leg, 0);
  double inertia = Model::armature, mass = 0, y = 0, z = 0;
  const double hip_y = Model::hip().origin.y;
  for (const auto& link : pose.link) {
    // About the hip's axis, by Steiner from the base's origin: first the moments there, then along y to the hip.
    inertia += link.about.xx - 2 * hip_y * link.moment.y + hip_y * hip_y * link.mass;
    mass += link.mass;
    y += link.moment.y - hip_y * link.mass;
    z += link.moment.z;
  }
  const double arm = std::sqrt(y * y + z * z) / mass, rest = std::atan2(y, -z);
  const double amplitude = 0.3, time = 1e-4;
  // Where the leg's centre hangs straight down, the angle is -rest.
  leg.angle[0] = -rest + amplitude;
  double now = 0, last_crossing = 0, period = 0;
  for (int i = 0, crossings = 0; crossings < 3 && i < 100000; ++i) {
    const BaseMotion<double> still = {{{0, 0, 0}, {0, 0, 0}}, {{0, 0, 0}, {0, 0, Model::gravity}}};
    const auto terms = leg_terms(leg, 0, still);
    const double before = leg.angle[0] + rest;
    leg.rate[0] -= time * terms.bias[0] / terms.mass.at(0, 0);
    leg.angle[0] += time * leg.rate[0];
    now += time;
    if ((before > 0) != (leg.angle[0] + rest > 0)) {
      period = 2 * (now - last_crossing);
      last_crossing = now;
      ++crossings;
    }
  }
  // The period with the first terms of the elliptic integral's series.
  const double expected = 2 * pi * std::sqrt(inertia / (mass * Model::gravity * arm)) *
                          (1 + amplitude * amplitude / 16 + 11 * std::pow(amplitude, 4) / 3072);
  CHECK(period == doctest::Approx(expected).epsilon(1e-3));
}

TEST_CASE("a leg under a held base keeps its energy, the better the smaller the timestep") {
  const auto lost = [](double time) {
    Leg<double> leg = {};
    leg.angle[0] = 0.5, leg.angle[1] = 1, leg.angle[2] = -0.7;
    const auto energy = [&] {
      const auto pose = pose_of(leg, 0);
      Spatial<double> velocity = {{0, 0, 0}, {0, 0, 0}};
      double sum = 0;
      for (int i = 0; i < 3; ++i) {
        velocity = velocity + leg.rate[i] * pose.axis[i];
        sum += dot(pose.link[i] * velocity, velocity) / 2 + Model::armature * leg.rate[i] * leg.rate[i] / 2 +
               Model::gravity * pose.link[i].moment.z;
      }
      return sum;
    };
    const double before = energy();
    for (double now = 0; now < 0.5; now += time) {
      const auto acceleration = held_acceleration(leg);
      for (int j = 0; j < 3; ++j) leg.rate[j] += time * acceleration[j], leg.angle[j] += time * leg.rate[j];
    }
    return std::abs(energy() - before);
  };
  const double coarse = lost(1e-3), fine = lost(1e-4);
  CHECK(coarse < 0.3);
  CHECK(fine < 0.15 * coarse);
}

TEST_CASE("joints stop at their limits") {
  TestRobot robot;
  double torque[Model::legs][3] = {};
  for (auto& leg : torque) leg[0] = 10;
  steps(robot, torque, 400);
  for (const auto& leg : robot.legs) {
    CHECK(leg.angle[0] == doctest::Approx(Model::limit[0]).epsilon(0.01));
    CHECK(std::abs(leg.rate[0]) < 0.05);
  }
}

}  // namespace rv::envs
