#pragma once

#include "workers/envs/task/draws.h"
#include "workers/envs/task/store.h"
#include "workers/envs/terrain/terrain.h"

namespace rv::envs {

/// The column of patches that the environment always uses.
RV_BOTH int column_of(const TaskSettings& settings, int index) {
  return (settings.first_environment + index) % TerrainMap::kinds;
}

RV_BOTH Origin origin_of(const TaskSettings& settings, int index, std::uint32_t level) {
  return settings.rough ? middle_of(static_cast<int>(level), column_of(settings, index)) : Origin{0, 0};
}

RV_BOTH Command draw_command(const TaskSettings& settings, const Dice& roll) {
  const Random4 r = roll(Draw::command);
  Command command = {spread(r.word[0], Task::fastest_command), spread(r.word[1], Task::fastest_command),
                     spread(r.word[2], pi)};
  if (settings.speed > 0) command.along = settings.speed, command.sideways = 0;
  const float square = command.along * command.along + command.sideways * command.sideways;
  if (square < static_cast<float>(Task::least_command * Task::least_command)) command.along = command.sideways = 0;
  return command;
}

/// The level after an episode on rough ground: one up if the robot left the patch, one down if it covered less than
/// half of the commanded distance, and a random one after the hardest (Rudin et al. 2021, section 3.2).
template <int width>
RV_BOTH std::uint32_t next_level(const Environment<width>& e, const Random4& drawn) {
  const float away = std::sqrt(e.body.position.x * e.body.position.x + e.body.position.y * e.body.position.y);
  const float asked = std::sqrt(e.command.along * e.command.along + e.command.sideways * e.command.sideways) *
                      static_cast<float>(Task::episode_steps * Task::step_time);
  if (away > TerrainMap::side / 2) {
    if (e.level + 1 < TerrainMap::levels) return e.level + 1;
    return drawn.word[3] % TerrainMap::levels;
  }
  // The comparison is written so that NaN counts as no progress.
  if (!(away >= asked / 2) && e.level > 0) return e.level - 1;
  return e.level;
}

template <int width>
RV_BOTH void place_body(Environment<width>& e, const TaskSettings& settings, const HeightField& field,
                        const Dice& roll) {
  const float vary = settings.variation ? 1.0F : 0.0F;
  const Random4 place = roll(Draw::place), motion = roll(Draw::motion), spin = roll(Draw::spin);
  const float x = vary * spread(place.word[0], 0.5), y = vary * spread(place.word[1], 0.5);
  const float half_yaw = vary * spread(place.word[2], pi / 2);
  const float lift = settings.variation ? 0.04F : 0.0F;
  e.body.position = {x, y,
                     ground_at(field, e.around.origin, x, y).height + static_cast<float>(Model::stance_height) + lift};
  e.body.rotation = {std::cos(half_yaw), 0, 0, std::sin(half_yaw)};
  e.body.velocity = {vary * spread(motion.word[0], 0.5), vary * spread(motion.word[1], 0.5),
                     vary * spread(motion.word[2], 0.5)};
  e.body.spin = {vary * spread(spin.word[0], 0.5), vary * spread(spin.word[1], 0.5), vary * spread(spin.word[2], 0.5)};
  e.around.friction = settings.variation ? uniform(spin.word[3], static_cast<float>(Task::least_friction),
                                                   static_cast<float>(Task::most_friction))
                                         : 1.0F;
  e.around.added_mass = vary * spread(motion.word[3], Task::most_added_mass);
}

/// Starts a new episode. Joint angles are between 0.5 and 1.5 times the stance, at rest.
template <class Team>
RV_BOTH void begin_episode(Environment<Team::width>& e, const TaskSettings& settings, const HeightField& field,
                           int index, const Team& team) {
  const Dice roll = dice(settings, index, e.tick);
  e.age = 0;
  e.around.origin = origin_of(settings, index, e.level);
  place_body(e, settings, field, roll);
  e.command = draw_command(settings, roll);
  RV_UNROLL
  for (int k = 0; k < Team::width; ++k) {
    const Random4 drawn = roll(Draw::legs, static_cast<std::uint32_t>(team.leg(k)));
    RV_UNROLL
    for (int j = 0; j < 3; ++j) {
      const float part = settings.variation ? uniform(drawn.word[j], 0.5F, 1.5F) : 1.0F;
      e.legs[k].angle[j] = part * stance_angle<float>(team.leg(k), j);
      e.legs[k].rate[j] = 0;
      e.memory[k].action[j] = 0;
    }
    e.legs[k].impulse[foot_contact] = e.legs[k].impulse[shank_contact] = {0, 0, 0};
    e.memory[k].air_time = e.memory[k].touching = 0;
  }
}

/// Starts the first episode: with a random level of the first ones and a random age, so that the episodes do not all
/// end together.
template <class Team>
RV_BOTH void begin_first(Environment<Team::width>& e, const TaskSettings& settings, const HeightField& field, int index,
                         const Team& team) {
  e.tick = 0;
  const Random4 drawn = dice(settings, index, e.tick)(Draw::place, 1);
  e.level = settings.rough && settings.curriculum ? drawn.word[0] % Task::first_levels : 0;
  e.sums = {0, 0, 0};
  begin_episode(e, settings, field, index, team);
  if (settings.variation) e.age = drawn.word[1] % Task::episode_steps;
}

}  // namespace rv::envs
