#pragma once

#include <cstddef>
#include <cstdint>

#include "workers/envs/robot/state.h"
#include "workers/envs/robot/substep.h"

namespace rv::envs {

/// The environments' memory: one array per quantity, so that neighbouring lanes read neighbouring addresses. Quantities
/// of the base are [quantity × environments], those of legs [quantity × (4 environments)].
struct Store {
  static constexpr int base_numbers = 21, leg_numbers = 17, counters = 3;
  float* base = nullptr;
  float* legs = nullptr;
  std::uint32_t* counts = nullptr;
  int environments = 0;
};

RV_BOTH std::size_t words_of_environment() {
  return Store::base_numbers + Store::counters + std::size_t{Model::legs} * Store::leg_numbers;
}

/// The state of a leg besides its motion.
struct LegMemory {
  float action[3];
  float air_time;  ///< s since it last left the ground
  float touching;  ///< 1 if it touched the ground in the previous step
};

struct Command {
  float along, sideways;  ///< m/s in the base frame
  float heading;          ///< rad in the world frame
};

/// Sums for Environments::figures.
struct Sums {
  float error, speed, steps;
};

/// One environment as one member of a team holds it.
template <int width>
struct Environment {
  Body<float> body;
  Surroundings<float> around;
  Command command;
  Sums sums;
  std::uint32_t tick;   ///< control steps since the first reset; the counter of the random numbers
  std::uint32_t age;    ///< control steps of this episode
  std::uint32_t level;  ///< of the terrain
  Leg<float> legs[width];
  LegMemory memory[width];
};

/// Reads or writes consecutive quantities.
struct Reader {
  const float* next;
  std::size_t stride;
  RV_BOTH void operator()(float& value) {
    value = *next;
    next += stride;
  }
};

struct Writer {
  float* next;
  std::size_t stride;
  RV_BOTH void operator()(float value) {
    *next = value;
    next += stride;
  }
};

/// Visits the base's quantities in the order of the store.
template <class Visit, class Any>
RV_BOTH void visit_base(Visit visit, Any& e) {
  visit(e.body.position.x), visit(e.body.position.y), visit(e.body.position.z);
  visit(e.body.rotation.w), visit(e.body.rotation.x), visit(e.body.rotation.y), visit(e.body.rotation.z);
  visit(e.body.velocity.x), visit(e.body.velocity.y), visit(e.body.velocity.z);
  visit(e.body.spin.x), visit(e.body.spin.y), visit(e.body.spin.z);
  visit(e.around.friction), visit(e.around.added_mass);
  visit(e.command.along), visit(e.command.sideways), visit(e.command.heading);
  visit(e.sums.error), visit(e.sums.speed), visit(e.sums.steps);
}

/// Visits a leg's quantities in the order of the store.
template <class Visit, class AnyLeg, class AnyMemory>
RV_BOTH void visit_leg(Visit visit, AnyLeg& leg, AnyMemory& memory) {
  RV_UNROLL
  for (int j = 0; j < 3; ++j) visit(leg.angle[j]);
  RV_UNROLL
  for (int j = 0; j < 3; ++j) visit(leg.rate[j]);
  RV_UNROLL
  for (int c = 0; c < contacts; ++c) visit(leg.impulse[c].x), visit(leg.impulse[c].y), visit(leg.impulse[c].z);
  RV_UNROLL
  for (int j = 0; j < 3; ++j) visit(memory.action[j]);
  visit(memory.air_time), visit(memory.touching);
}

template <class Team>
RV_BOTH void load(Environment<Team::width>& e, const Store& store, int index, const Team& team) {
  const auto n = static_cast<std::size_t>(store.environments), i = static_cast<std::size_t>(index);
  visit_base(Reader{store.base + i, n}, e);
  e.tick = store.counts[i];
  e.age = store.counts[n + i];
  e.level = store.counts[2 * n + i];
  RV_UNROLL
  for (int k = 0; k < Team::width; ++k) {
    const auto lane = Model::legs * i + static_cast<std::size_t>(team.leg(k));
    visit_leg(Reader{store.legs + lane, Model::legs * n}, e.legs[k], e.memory[k]);
  }
}

template <class Team>
RV_BOTH void save(const Environment<Team::width>& e, const Store& store, int index, const Team& team) {
  const auto n = static_cast<std::size_t>(store.environments), i = static_cast<std::size_t>(index);
  if (team.leads()) {
    visit_base(Writer{store.base + i, n}, e);
    store.counts[i] = e.tick;
    store.counts[n + i] = e.age;
    store.counts[2 * n + i] = e.level;
  }
  RV_UNROLL
  for (int k = 0; k < Team::width; ++k) {
    const auto lane = Model::legs * i + static_cast<std::size_t>(team.leg(k));
    visit_leg(Writer{store.legs + lane, Model::legs * n}, e.legs[k], e.memory[k]);
  }
}

}  // namespace rv::envs
