// The task on the CPU: what is observed, rewarded, randomised and reset, and that the same seed gives the same bits.
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <set>
#include <stdexcept>

#include "workers/envs/quadruped.h"
#include "workers/envs/quadruped_paths.h"
#include "workers/envs/task/control_step.h"

namespace rv::envs {
namespace {

/// Environments on the CPU with the buffers of their steps.
struct Rig {
  explicit Rig(const QuadrupedParts& given)
      : parts(given),
        environments(cpu_quadruped(given)),
        n(static_cast<std::size_t>(given.environments)),
        width(static_cast<std::size_t>(environments->sizes().observations)),
        actions(12 * n),
        observations(width * n),
        rewards(n),
        terminated(n),
        timed_out(n) {
    environments->reset(observations.data(), nullptr);
  }

  void step() {
    environments->step({actions.data(), observations.data(), rewards.data(), terminated.data(), timed_out.data()},
                       nullptr);
  }

  /// The same for everybody at a step, different from step to step.
  void step_randomly(std::uint32_t step) {
    for (std::size_t i = 0; i < actions.size(); ++i) {
      actions[i] = uniform(philox({{static_cast<std::uint32_t>(i), step, 0, 0}}, 3).word[0], -2, 2);
    }
    this->step();
  }

  /// Reads or changes the store in the state.
  template <class Change>
  void edit(const Change& change) {
    auto words = unpacked_state(parts, environments->state());
    change(store_at(words.data(), parts.environments));
    environments->restore(packed_state(parts, words));
  }

  QuadrupedParts parts;
  std::unique_ptr<Environments> environments;
  std::size_t n, width;
  std::vector<float> actions, observations, rewards;
  std::vector<std::uint8_t> terminated, timed_out;
};

QuadrupedParts parts(int environments, bool rough) {
  QuadrupedParts out;
  out.environments = environments;
  out.settings.rough = rough;
  out.settings.seed = 11;
  out.threads = 2;
  return out;
}

/// Nothing random: one robot in its stance.
QuadrupedParts calm(bool rough) {
  auto out = parts(1, rough);
  out.settings.noise = out.settings.pushes = out.settings.variation = out.settings.curriculum = false;
  return out;
}

Environment<Model::legs> environment(Rig& rig, int index) {
  Environment<Model::legs> e;
  rig.edit([&](const Store& store) { load(e, store, index, WholeTeam{}); });
  return e;
}

}  // namespace

TEST_CASE("the generator is Philox4x32-10") {
  // The known answers of the generator's authors (Random123, kat_vectors).
  const auto zero = philox({{0, 0, 0, 0}}, 0U, 0U);
  CHECK(zero.word[0] == 0x6627e8d5U);
  CHECK(zero.word[1] == 0xe169c58dU);
  CHECK(zero.word[2] == 0xbc57ac4cU);
  CHECK(zero.word[3] == 0x9b00dbd8U);
  const auto all = philox({{~0U, ~0U, ~0U, ~0U}}, ~0U, ~0U);
  CHECK(all.word[0] == 0x408f276dU);
  CHECK(all.word[3] == 0x6d5451fdU);
  CHECK(uniform(0) == 0);
  CHECK(uniform(~0U) < 1);
}

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

TEST_CASE("a robot told to stand is paid for standing") {
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
  Seen seen = {{1, 0, 0}, {0, 0, -1}, 0.5F};
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

TEST_CASE("what is no number ends an episode and goes no further") {
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
    const float told = std::hypot(e.command.along, e.command.sideways);
    CHECK((told == 0 || told >= 0.2F));
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

TEST_CASE("with a speed all are told to walk ahead at it") {
  auto told = parts(40, false);
  told.settings.speed = 1.5F;
  Rig rig(told);
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

TEST_CASE("the same seed gives the same bits, whatever the threads and the ranks") {
  auto given = parts(61, true);
  given.threads = 1;
  Rig one(given);
  given.threads = 7;
  Rig many(given);
  auto other = parts(31, true);
  other.settings.first_environment = 30;
  Rig second(other);
  given.settings.seed = 12;
  Rig different(given);
  for (std::uint32_t step = 0; step < 60; ++step) {
    one.step_randomly(step);
    many.step_randomly(step);
    std::copy(one.actions.begin() + 30 * 12, one.actions.end(), second.actions.begin());
    second.step();
    different.step_randomly(step);
  }
  CHECK(one.observations == many.observations);
  CHECK(one.rewards == many.rewards);
  CHECK(one.environments->state() == many.environments->state());
  CHECK(std::equal(second.observations.begin(), second.observations.end(), one.observations.begin() + 30 * 235));
  CHECK(one.observations != different.observations);
}

TEST_CASE("a restored state goes on bit by bit, and another's is refused") {
  Rig rig(parts(9, true));
  for (std::uint32_t step = 0; step < 20; ++step) rig.step_randomly(step);
  const auto saved = rig.environments->state();
  for (std::uint32_t step = 20; step < 60; ++step) rig.step_randomly(step);
  Rig other(parts(9, true));
  other.environments->restore(saved);
  for (std::uint32_t step = 20; step < 60; ++step) other.step_randomly(step);
  CHECK(rig.observations == other.observations);
  CHECK(rig.environments->state() == other.environments->state());
  CHECK_THROWS_AS(Rig(parts(8, true)).environments->restore(saved), std::runtime_error);
  CHECK_THROWS_AS(Rig(parts(9, false)).environments->restore(saved), std::runtime_error);
  CHECK_THROWS_AS(rig.environments->restore({}), std::runtime_error);
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
