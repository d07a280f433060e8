// Our equations of motion against MuJoCo's on the same model, made from our constants.
#include <doctest/doctest.h>
#include <fmt/format.h>
#include <mujoco/mujoco.h>

#include <cstdio>
#include <cstdlib>
#include <memory>
#include <string>
#include <vector>

#include "tests/workers/envs/robot_under_test.h"

namespace rv::envs {
namespace {

using Loaded = std::unique_ptr<mjModel, decltype(&mj_deleteModel)>;
using State = std::unique_ptr<mjData, decltype(&mj_deleteData)>;
using Matrix = std::array<std::array<double, 18>, 18>;

std::string text(Vec3<double> v) {
  return fmt::format("{:.17g} {:.17g} {:.17g}", v.x, v.y, v.z);
}

std::string inertial(double mass, Vec3<double> centre, Vec3<double> principal) {
  return fmt::format("<inertial mass='{:.17g}' pos='{}' diaginertia='{}'/>", mass, text(centre), text(principal));
}

std::string joint(const char* axis) {
  return fmt::format("<joint type='hinge' axis='{}' armature='{:.17g}'/>", axis, Model::armature);
}

std::string link(const Model::Link& link, int leg, const char* axis, const std::string& inside) {
  return fmt::format("<body pos='{}'>{}{}{}</body>", text(mirrored<double>(link.origin, leg)),
                     inertial(link.mass, mirrored<double>(link.centre, leg), link.principal), joint(axis), inside);
}

std::string mjcf() {
  std::string legs;
  for (int leg = 0; leg < Model::legs; ++leg) {
    legs +=
        link(Model::hip(), leg, "1 0 0", link(Model::thigh(), leg, "0 1 0", link(Model::shank(), leg, "0 1 0", "")));
  }
  return fmt::format(
      "<mujoco><compiler angle='radian' inertiafromgeom='false'/><option gravity='0 0 {:.17g}'/><worldbody><body>"
      "<freejoint/>{}{}</body></worldbody></mujoco>",
      -Model::gravity, inertial(Model::base_mass, Model::base_centre(), Model::base_principal()), legs);
}

Loaded load() {
  mjVFS files;
  mj_defaultVFS(&files);
  const std::string xml = mjcf();
  REQUIRE(mj_makeEmptyFileVFS(&files, "robot.xml", static_cast<int>(xml.size())) == 0);
  std::copy(xml.begin(), xml.end(), static_cast<char*>(files.filedata[0]));
  std::array<char, 1000> why = {};
  Loaded model(mj_loadXML("robot.xml", &files, why.data(), static_cast<int>(why.size())), mj_deleteModel);
  mj_deleteVFS(&files);
  INFO(why.data());
  REQUIRE(model);
  return model;
}

/// MuJoCo's coordinates: position, quaternion, joints; velocity in the world, spin in the base's frame, joints.
void put(const TestRobot& robot, const mjModel* model, mjData* data) {
  const auto& b = robot.body;
  const std::array<double, 7> place = {b.position.x, b.position.y, b.position.z, b.rotation.w,
                                       b.rotation.x, b.rotation.y, b.rotation.z};
  const std::array<double, 6> motion = {b.velocity.x, b.velocity.y, b.velocity.z, b.spin.x, b.spin.y, b.spin.z};
  std::copy(place.begin(), place.end(), data->qpos);
  std::copy(motion.begin(), motion.end(), data->qvel);
  for (std::size_t leg = 0; leg < Model::legs; ++leg) {
    for (std::size_t j = 0; j < Model::joints; ++j) {
      data->qpos[7 + 3 * leg + j] = robot.legs[leg].angle[j];
      data->qvel[6 + 3 * leg + j] = robot.legs[leg].rate[j];
    }
  }
  mj_forward(model, data);
}

/// Our mass matrix and bias forces in MuJoCo's order: base's linear part first, along the world's axes.
struct Ours {
  Matrix mass = {};
  std::array<double, 18> bias = {};
};

Ours in_mujocos_order(const Matrix& mass, const std::array<double, 18>& bias, const Rotation<double>& r) {
  const std::array<Vec3<double>, 3> axes = {r.x, r.y, r.z};
  Matrix turn = {};  // ours = turn · MuJoCo's velocities
  for (std::size_t i = 0; i < 3; ++i) {
    turn[i][3 + i] = 1;
    turn[3 + i][0] = axes[i].x, turn[3 + i][1] = axes[i].y, turn[3 + i][2] = axes[i].z;
  }
  for (std::size_t i = 6; i < 18; ++i) turn[i][i] = 1;
  Ours out;
  for (std::size_t i = 0; i < 18; ++i) {
    for (std::size_t k = 0; k < 18; ++k) {
      out.bias[i] += turn[k][i] * bias[k];
      for (std::size_t l = 0; l < 18; ++l) {
        if (turn[k][i] == 0 || mass[k][l] == 0) continue;
        for (std::size_t j = 0; j < 18; ++j) out.mass[i][j] += turn[k][i] * mass[k][l] * turn[l][j];
      }
    }
  }
  return out;
}

Ours ours(const TestRobot& robot) {
  const auto r = rotation(robot.body.rotation);
  const auto motion = base_motion(robot.body, r);
  Matrix mass = {};
  std::array<double, 18> bias = {};
  auto whole = base_inertia(0.0);
  auto force = whole * motion.acceleration + cross_force(motion.velocity, whole * motion.velocity);
  for (int leg = 0; leg < Model::legs; ++leg) {
    const auto terms = leg_terms(robot.legs[static_cast<std::size_t>(leg)], leg, motion);
    whole = whole + terms.inertia;
    force = force + terms.reaction;
    for (int i = 0; i < 3; ++i) {
      const auto row = static_cast<std::size_t>(6 + 3 * leg + i);
      const auto across = column(terms.across[i]);
      for (int c = 0; c < 6; ++c)
        mass[row][static_cast<std::size_t>(c)] = mass[static_cast<std::size_t>(c)][row] = across[c];
      for (int j = 0; j <= i; ++j) {
        const auto other = static_cast<std::size_t>(6 + 3 * leg + j);
        mass[row][other] = mass[other][row] = terms.mass.at(i, j);
      }
      bias[row] = terms.bias[i];
    }
  }
  const auto base = triangle(whole);
  const auto on_base = column(force);
  for (int i = 0; i < 6; ++i) {
    bias[static_cast<std::size_t>(i)] = on_base[i];
    for (int j = 0; j <= i; ++j)
      mass[static_cast<std::size_t>(i)][static_cast<std::size_t>(j)] =
          mass[static_cast<std::size_t>(j)][static_cast<std::size_t>(i)] = base.at(i, j);
  }
  return in_mujocos_order(mass, bias, r);
}

/// One timestep far above the ground from the state that MuJoCo has: its accelerations by our factorisation.
std::array<double, 18> accelerations(TestRobot robot, const std::array<std::array<double, 3>, 4>& torque) {
  double plain[4][3];
  for (std::size_t leg = 0; leg < 4; ++leg) {
    for (std::size_t j = 0; j < 3; ++j) plain[leg][j] = torque[leg][j];
  }
  const auto before = robot;
  const auto r = rotation(before.body.rotation);
  substep(WholeTeam{}, robot.body, robot.legs.data(), plain, {1, 0, {0, 0}}, HeightField{});
  std::array<double, 18> out = {};
  const auto change = (1 / Model::timestep) * (robot.body.velocity - before.body.velocity);
  const auto spin = (1 / Model::timestep) * (robot.body.spin - before.body.spin);
  out = {change.x, change.y, change.z, spin.x, spin.y, spin.z};
  static_cast<void>(r);
  for (std::size_t leg = 0; leg < 4; ++leg) {
    for (std::size_t j = 0; j < 3; ++j) {
      out[6 + 3 * leg + j] = (robot.legs[leg].rate[j] - before.legs[leg].rate[j]) / Model::timestep;
    }
  }
  return out;
}

/// Away from 1 relative, below it absolute.
double apart(double a, double b) {
  return std::abs(a - b) / std::max(1.0, std::abs(b));
}

}  // namespace

TEST_CASE("mass matrix and bias forces are MuJoCo's") {
  const auto model = load();
  const State data(mj_makeData(model.get()), mj_deleteData);
  REQUIRE(model->nv == 18);
  std::mt19937_64 draw(7);
  std::vector<double> full(18 * 18);
  double most_mass = 0, most_bias = 0;
  for (int state = 0; state < 1000; ++state) {
    const auto robot = TestRobot::random(draw);
    put(robot, model.get(), data.get());
    mj_fullM(model.get(), full.data(), data->qM);
    const auto mine = ours(robot);
    for (std::size_t i = 0; i < 18; ++i) {
      most_bias = std::max(most_bias, apart(mine.bias[i], data->qfrc_bias[i]));
      for (std::size_t j = 0; j < 18; ++j) most_mass = std::max(most_mass, apart(mine.mass[i][j], full[18 * i + j]));
    }
  }
  MESSAGE(fmt::format("1,000 states: mass matrix {:.1e}, bias forces {:.1e}", most_mass, most_bias));
  CHECK(most_mass < 1e-9);
  CHECK(most_bias < 1e-9);
}

TEST_CASE("a timestep without contact has MuJoCo's accelerations") {
  const auto model = load();
  const State data(mj_makeData(model.get()), mj_deleteData);
  std::mt19937_64 draw(8);
  std::uniform_real_distribution<double> part(-1, 1);
  double most = 0;
  for (int state = 0; state < 1000; ++state) {
    auto robot = TestRobot::random(draw);
    std::array<std::array<double, 3>, 4> torque = {};
    for (std::size_t leg = 0; leg < 4; ++leg) {
      for (std::size_t j = 0; j < 3; ++j) {
        robot.legs[leg].angle[j] *= 0.8;  // no limit pushes back
        robot.legs[leg].rate[j] *= 0.2;
        torque[leg][j] = 20 * part(draw);
        data->qfrc_applied[6 + 3 * leg + j] = torque[leg][j];
        // MuJoCo's joints have our resistance, taken at the step's end.
        model->dof_armature[6 + 3 * leg + j] =
            Model::armature + Model::timestep * joint_resistance(robot.legs[leg].rate[j]);
        data->qfrc_applied[6 + 3 * leg + j] -= joint_resistance(robot.legs[leg].rate[j]) * robot.legs[leg].rate[j];
      }
    }
    put(robot, model.get(), data.get());
    const auto mine = accelerations(robot, torque);
    for (std::size_t i = 0; i < 18; ++i) most = std::max(most, apart(mine[i], data->qacc[i]));
  }
  MESSAGE(fmt::format("1,000 states: accelerations {:.1e}", most));
  CHECK(most < 1e-5);
}

}  // namespace rv::envs
