#pragma once

#include "workers/envs/task/reward.h"

namespace rv::envs {

/// The result of a step for one environment, in the terms of StepBuffers.
struct Outcome {
  float reward;
  bool terminated, timed_out;
};

/// Whether the base touches the ground, checked at three points of its box per leg: the lower and upper corner, and a
/// point below between centre and corner. A joint far beyond its limits counts too.
template <class Team>
RV_BOTH bool falls(const Environment<Team::width>& e, const HeightField& field, const Team& team) {
  const Rotation<float> r = rotation(e.body.rotation);
  Column<float, 1> faults[Team::width];
  RV_UNROLL
  for (int k = 0; k < Team::width; ++k) {
    const Vec3<float> corner = mirrored<float>(Model::base_box(), team.leg(k));
    faults[k][0] = 0;
    RV_UNROLL
    for (int j = 0; j < 3; ++j) {
      if (!(square(e.legs[k].angle[j]) < 100.0F)) faults[k][0] += 1;
    }
    RV_UNROLL
    for (int point = 0; point < 3; ++point) {
      const Vec3<float> at = {point == 2 ? 0.4F * corner.x : corner.x, corner.y, point == 1 ? corner.z : -corner.z};
      const Vec3<float> world = e.body.position + r * at;
      if (world.z < ground_at(field, e.around.origin, world.x, world.y).height) faults[k][0] += 1;
    }
  }
  return team.sum(faults)[0] > 0;
}

/// Whether the base is faster or farther away than a robot can be, or not a number. The simulation has failed then, and
/// the episode ends.
RV_BOTH bool runs_away(const Body<float>& body) {
  const float speed = dot(body.velocity, body.velocity) + dot(body.spin, body.spin);
  return !(speed < 10000.0F && dot(body.position, body.position) < 1e6F);
}

/// Simulates one control step, Model::decimation timesteps, with the actuators; returns the values of the team's legs
/// for the reward.
template <class Team>
RV_BOTH void move(Environment<Team::width>& e, const HeightField& field, const Team& team, LegRewardTerms* terms) {
  float torque[Team::width][3], rate[Team::width][3];
  RV_UNROLL
  for (int k = 0; k < Team::width; ++k) {
    RV_UNROLL
    for (int j = 0; j < 3; ++j) rate[k][j] = e.legs[k].rate[j];
  }
  RV_KEEP_LOOP
  for (int i = 0; i < Model::decimation; ++i) {
    RV_UNROLL
    for (int k = 0; k < Team::width; ++k) {
      RV_UNROLL
      for (int j = 0; j < 3; ++j) {
        const float wanted =
            stance_angle<float>(team.leg(k), j) + static_cast<float>(Task::action_scale) * e.memory[k].action[j];
        torque[k][j] = actuator_torque(wanted, e.legs[k].angle[j], e.legs[k].rate[j]);
      }
    }
    substep(team, e.body, e.legs, torque, e.around, field);
  }
  RV_UNROLL
  for (int k = 0; k < Team::width; ++k) {
    RV_UNROLL
    for (int j = 0; j < 3; ++j) {
      terms[k].torques += square(torque[k][j]);
      terms[k].accelerations += square((e.legs[k].rate[j] - rate[k][j]) / static_cast<float>(Task::step_time));
    }
    // A foot touches with more than 1 N, a shank with any force.
    const Vec3<float> foot = e.legs[k].impulse[foot_contact], shank = e.legs[k].impulse[shank_contact];
    const bool touches = dot(foot, foot) > square(static_cast<float>(Model::timestep));
    terms[k].collides = dot(shank, shank) > 0 ? 1.0F : 0.0F;
    terms[k].air = air_time_ended(e.memory[k], touches);
  }
}

template <int width>
RV_BOTH void account(Sums& sums, const Environment<width>& e, const BaseReadings& seen) {
  const float error = square(e.command.along - seen.velocity.x) + square(e.command.sideways - seen.velocity.y);
  sums.error += std::sqrt(error);
  sums.speed += std::sqrt(square(seen.velocity.x) + square(seen.velocity.y));
  sums.steps += 1;
}

/// Draws a new command and a push when they are due.
template <int width>
RV_BOTH void disturb(Environment<width>& e, const TaskSettings& settings, int index) {
  const Dice roll = dice(settings, index, e.tick);
  if (e.age % Task::command_steps == 0) e.command = draw_command(settings, roll);
  if (settings.pushes && e.age % Task::push_steps == 0) {
    const Random4 drawn = roll(Draw::push);
    e.body.velocity.x = spread(drawn.word[0], Task::push);
    e.body.velocity.y = spread(drawn.word[1], Task::push);
  }
}

/// Makes one control step. `action` has three numbers for each of the team's legs; NaN counts as 0, others are limited
/// to ±100.
template <class Team>
RV_BOTH Outcome control_step(Environment<Team::width>& e, const float (*action)[3], const TaskSettings& settings,
                             const HeightField& field, int index, const Team& team) {
  e.around.origin = origin_of(settings, index, e.level);
  LegRewardTerms terms[Team::width];
  Column<float, 5> columns[Team::width];
  RV_UNROLL
  for (int k = 0; k < Team::width; ++k) {
    terms[k] = {0, 0, 0, 0, 0};
    RV_UNROLL
    for (int j = 0; j < 3; ++j) {
      const float given = action[k][j] == action[k][j] ? clamped(action[k][j], -100.0F, 100.0F) : 0.0F;
      terms[k].actions += square(given - e.memory[k].action[j]);
      e.memory[k].action[j] = given;
    }
  }
  move(e, field, team, terms);
  RV_UNROLL
  for (int k = 0; k < Team::width; ++k) columns[k] = column(terms[k]);
  const Column<float, 5> all = team.sum(columns);
  ++e.tick;
  ++e.age;
  const BaseReadings seen = see(e.body, e.command);
  Outcome out;
  out.terminated = falls(e, field, team) || runs_away(e.body) || !(all[1] >= 0);
  out.timed_out = !out.terminated && e.age >= Task::episode_steps;
  out.reward = runs_away(e.body) || !(all[1] >= 0) ? 0.0F : reward(seen, e.body.spin, e.command, all, settings.rough);
  if (!runs_away(e.body)) account(e.sums, e, seen);
  if (out.terminated || out.timed_out) {
    if (settings.rough && settings.curriculum) {
      e.level = next_level(e, dice(settings, index, e.tick)(Draw::place));
    }
    begin_episode(e, settings, field, index, team);
  } else {
    disturb(e, settings, index);
  }
  return out;
}

}  // namespace rv::envs
