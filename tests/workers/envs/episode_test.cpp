// Episodes on the CPU: how they end, where the next one begins, and what is different from one to the other.
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <set>

#include "tests/workers/envs/task_under_test.h"

namespace rv::envs {

TEST_CASE("a fallen robot's episode ends, and the next one begins") {
  Rig rig(calm(false));
  const auto turn_over = [&] {
    rig.edit([](const Store& store) {
      Environment<Model::legs> e;
      load(e, store, 0, WholeTeam{});
      e.body.rotation = {0, 1, 0, 0};
      e.body.position.z = 0.5F;
      save(e, store, 0, WholeTeam{});
    });
  };
  turn_over();
  int steps = 0;
  do {
    rig.step();
  } while (rig.terminated[0] == 0 && ++steps < 60);
  CHECK(steps < 60);
  CHECK(rig.timed_out[0] == 0);
  CHECK(rig.observations[8] == doctest::Approx(-1));  // upright again
  rig.step();
  CHECK(rig.terminated[0] == 0);
  CHECK(environment(rig, 0).age == 1);
}

TEST_CASE("what is not a number ends an episode and goes no further") {
  Rig rig(calm(true));
  for (const auto bad : {std::numeric_limits<float>::quiet_NaN(), std::numeric_limits<float>::infinity(), 1e30F}) {
    // The base's place, its turning and its motion, then a leg's joint and its rate.
    for (std::size_t number = 0; number < 13 + 6; ++number) {
      CAPTURE(bad);
      CAPTURE(number);
      rig.edit([&](const Store& store) { (number < 13 ? store.base[number] : store.legs[4 * (number - 13)]) = bad; });
      rig.step();
      CHECK(rig.terminated[0] == 1);
      CHECK(std::abs(rig.rewards[0]) < 1);
      for (const float value : rig.observations) CHECK(std::isfinite(value));
    }
  }
  rig.actions[3] = std::numeric_limits<float>::quiet_NaN();
  rig.step();
  CHECK(rig.terminated[0] == 0);
  for (const float value : rig.observations) CHECK(std::isfinite(value));
  CHECK(std::isfinite(rig.environments->figures().mean_speed));
}

TEST_CASE("an episode is over after 20 s") {
  Rig rig(calm(false));
  for (int i = 1; i <= 1000; ++i) {
    rig.step();
    CHECK(rig.timed_out[0] == (i == 1000 ? 1 : 0));
    CHECK(rig.terminated[0] == 0);
  }
  CHECK(environment(rig, 0).age == 0);
}

TEST_CASE("the curriculum: up for who gets away, down for who does not, and round at the end") {
  Environment<Model::legs> e = {};
  const Random4 drawn = {{0, 0, 0, 23}};
  e.level = 3;
  e.command = {1, 0, 0};
  e.body.position = {4.1F, 0, 0};
  CHECK(next_level(e, drawn) == 4);
  e.body.position = {3, 0, 0};
  CHECK(next_level(e, drawn) == 2);
  e.command = {0.2F, 0, 0};
  CHECK(next_level(e, drawn) == 3);
  e.level = 0;
  e.command = {1, 0, 0};
  CHECK(next_level(e, drawn) == 0);
  e.level = 9;
  e.body.position = {0, -5, 0};
  CHECK(next_level(e, drawn) == 3);
  e.body.position.x = std::numeric_limits<float>::quiet_NaN();
  CHECK(next_level(e, drawn) == 8);
}

TEST_CASE("who ends on rough ground begins on the next level's patch, with nothing of the last episode") {
  auto given = calm(true);
  given.settings.curriculum = true;
  Rig rig(given);
  const auto ends_at = [&](float x) {
    rig.edit([&](const Store& store) {
      Environment<Model::legs> e;
      load(e, store, 0, WholeTeam{});
      e.level = 3;
      e.command = {1, 0, 0};
      e.body.position = {x, 0, -9};
      for (auto& memory : e.memory) memory = {{1, 1, 1}, 1, 0};
      save(e, store, 0, WholeTeam{});
    });
    rig.actions.assign(12, 0.5F);
    rig.step();
    CHECK(rig.terminated[0] == 1);
    for (std::size_t i = 36; i < 48; ++i) CHECK(rig.observations[i] == 0);
    return environment(rig, 0);
  };
  CHECK(ends_at(5).level == 4);
  const auto e = ends_at(0);
  CHECK(e.level == 2);
  CHECK(rig.environments->figures().mean_terrain_level == 2);
  CHECK(e.memory[0].air_time == 0);
  CHECK(e.legs[0].impulse[foot_contact].z == 0);
  // A slope up, a pit: the robot begins on its floor.
  const float floor = -difficulty(2).slope * 3;
  CHECK(e.body.position.z == doctest::Approx(floor + Model::stance_height));
}

TEST_CASE("what varies stays in its range and varies") {
  Rig rig(parts(400, true));
  float least_friction = 9, most_friction = 0, least_mass = 9, most_mass = -9, fastest = 0;
  std::set<std::uint32_t> levels, ages;
  for (int i = 0; i < 400; ++i) {
    const auto e = environment(rig, i);
    least_friction = std::min(least_friction, e.around.friction);
    most_friction = std::max(most_friction, e.around.friction);
    least_mass = std::min(least_mass, e.around.added_mass);
    most_mass = std::max(most_mass, e.around.added_mass);
    fastest = std::max({fastest, std::abs(e.command.along), std::abs(e.command.sideways)});
    const float commanded = std::hypot(e.command.along, e.command.sideways);
    CHECK((commanded == 0 || commanded >= 0.2F));
    levels.insert(e.level);
    ages.insert(e.age);
  }
  CHECK(least_friction >= 0.5F);
  CHECK(least_friction < 0.55F);
  CHECK(most_friction <= 1.25F);
  CHECK(most_friction > 1.2F);
  CHECK(least_mass >= -5);
  CHECK(least_mass < -4.5F);
  CHECK(most_mass <= 5);
  CHECK(most_mass > 4.5F);
  CHECK(fastest <= 1);
  CHECK(levels == std::set<std::uint32_t>{0, 1, 2, 3, 4, 5});
  CHECK(ages.size() > 200);
}

TEST_CASE("with a speed all are commanded to walk ahead at it") {
  auto commanded = parts(40, false);
  commanded.settings.speed = 1.5F;
  Rig rig(commanded);
  std::set<float> headings;
  for (int i = 0; i < 40; ++i) {
    const auto command = environment(rig, i).command;
    CHECK(command.along == 1.5F);
    CHECK(command.sideways == 0);
    headings.insert(command.heading);
  }
  CHECK(headings.size() == 40);
}

TEST_CASE("a push comes each 15 s") {
  auto given = calm(false);
  given.settings.pushes = true;
  Rig rig(given);
  const auto to = [&](std::uint32_t age) {
    rig.edit([&](const Store& store) { store.counts[1] = age; });
    rig.step();
    return std::hypot(rig.observations[0], rig.observations[1]) / 2;
  };
  CHECK(to(700) < 0.1F);
  CHECK(to(749) > 0.1F);
}

TEST_CASE("robots that do nothing stand, pushed and loaded as they are") {
  Rig rig(parts(64, false));
  int falls = 0;
  for (int step = 0; step < 150; ++step) {
    rig.step();
    falls += static_cast<int>(std::count(rig.terminated.begin(), rig.terminated.end(), 1));
  }
  CHECK(falls < 8);
}

}  // namespace rv::envs
