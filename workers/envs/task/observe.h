#pragma once

#include "workers/envs/task/begin.h"

namespace rv::envs {

/// Quantities of the base at the end of a step, from which observations and reward are computed.
struct BaseReadings {
  Vec3<float> velocity;  ///< in the base frame
  Vec3<float> gravity;   ///< its direction, in the base frame
  float turn;            ///< rad/s, commanded
};

/// Wraps an angle to -π…π.
RV_BOTH float wrapped(float angle) {
  const float turn = static_cast<float>(2 * pi);
  return angle - turn * std::floor(angle / turn + 0.5F);
}

RV_BOTH BaseReadings see(const Body<float>& body, const Command& command) {
  const Rotation<float> r = rotation(body.rotation);
  const float heading = std::atan2(r.x.y, r.x.x);
  const float most = static_cast<float>(Task::fastest_turn);
  const float turn = clamped(static_cast<float>(Task::heading_gain) * wrapped(command.heading - heading), -most, most);
  return {turned_back(r, body.velocity), turned_back(r, Vec3<float>{0, 0, -1}), turn};
}

/// `value` plus noise of ±most, multiplied by `scale`.
RV_BOTH float observed(float value, std::uint32_t word, double most, double scale, bool noise) {
  return static_cast<float>(scale) * (value + (noise ? spread(word, most) : 0.0F));
}

RV_BOTH float component(Vec3<float> v, int i) {
  return i == 0 ? v.x : i == 1 ? v.y : v.z;
}

/// Writes three observations of the base. `group`: velocity, spin, gravity, command. Each leg writes one group.
RV_BOTH void observe_base(float* row, int group, const BaseReadings& seen, Vec3<float> spin, const Command& command,
                          const Random4& drawn, bool noise) {
  RV_UNROLL
  for (int i = 0; i < 3; ++i) {
    float& out = row[3 * group + i];
    if (group == 0) {
      out = observed(component(seen.velocity, i), drawn.word[i], Task::Noise::velocity, Task::Scale::velocity, noise);
    } else if (group == 1) {
      out = observed(component(spin, i), drawn.word[i], Task::Noise::spin, Task::Scale::spin, noise);
    } else if (group == 2) {
      out = observed(component(seen.gravity, i), drawn.word[i], Task::Noise::gravity, 1, noise);
    } else {
      const Vec3<float> commanded = {command.along, command.sideways, seen.turn};
      out = static_cast<float>(i < 2 ? Task::Scale::velocity : Task::Scale::spin) * component(commanded, i);
    }
  }
}

/// Writes the first 48 observations: the base's velocity, its spin, gravity, the command, 12 joint angles relative to
/// the stance, 12 joint speeds, the last 12 actions.
template <class Team>
RV_BOTH void observe_body(float* row, const Environment<Team::width>& e, const TaskSettings& settings, int index,
                          const Team& team) {
  const Dice roll = dice(settings, index, e.tick);
  const BaseReadings seen = see(e.body, e.command);
  RV_UNROLL
  for (int k = 0; k < Team::width; ++k) {
    const int leg = team.leg(k);
    const auto block = 3U * static_cast<std::uint32_t>(leg);
    const Random4 of_base = roll(Draw::noise, block);
    const Random4 of_angle = roll(Draw::noise, block + 1), of_rate = roll(Draw::noise, block + 2);
    observe_base(row, leg, seen, e.body.spin, e.command, of_base, settings.noise);
    RV_UNROLL
    for (int j = 0; j < 3; ++j) {
      const int joint = 3 * leg + j;
      row[12 + joint] = observed(e.legs[k].angle[j] - stance_angle<float>(leg, j), of_angle.word[j], Task::Noise::angle,
                                 Task::Scale::angle, settings.noise);
      row[24 + joint] =
          observed(e.legs[k].rate[j], of_rate.word[j], Task::Noise::rate, Task::Scale::rate, settings.noise);
      row[36 + joint] = e.memory[k].action[j];
    }
  }
}

/// The position and heading from which the ground is sampled.
struct Viewpoint {
  Vec3<float> position;
  float cosine, sine;  ///< of the heading angle
  Origin origin;
  Dice roll;
};

RV_BOTH Viewpoint viewpoint(const Store& store, const TaskSettings& settings, int index) {
  const auto n = static_cast<std::size_t>(store.environments), i = static_cast<std::size_t>(index);
  const float* const b = store.base + i;
  const Quaternion<float> q = {b[3 * n], b[4 * n], b[5 * n], b[6 * n]};
  const Vec3<float> ahead = rotation(q).x;
  const float length = std::sqrt(ahead.x * ahead.x + ahead.y * ahead.y);
  const float scale = length > 1e-6F ? 1 / length : 0.0F;
  return {{b[0], b[n], b[2 * n]},
          scale * ahead.x,
          scale * ahead.y,
          origin_of(settings, index, store.counts[2 * n + i]),
          dice(settings, index, store.counts[i])};
}

/// Observation 48 + sample: the height of the base above the ground minus 0.5 m. Samples are numbered along x, then y.
RV_BOTH float observe_height(const Viewpoint& view, const HeightField& field, int sample, bool noise) {
  constexpr int middle_column = Task::along / 2, middle_row = Task::sideways / 2;
  const int column = sample % Task::along, row = sample / Task::along;
  const float x = 0.1F * static_cast<float>(column - middle_column);
  const float y = 0.1F * static_cast<float>(row - middle_row);
  const float height = ground_at(field, view.origin, view.position.x + view.cosine * x - view.sine * y,
                                 view.position.y + view.sine * x + view.cosine * y)
                           .height;
  const float below = clamped(view.position.z - 0.5F - height, -1.0F, 1.0F);
  const Random4 drawn = view.roll(Draw::height_noise, static_cast<std::uint32_t>(sample) / 4U);
  const int which = sample % 4;
  const std::uint32_t word = which == 0   ? drawn.word[0]
                             : which == 1 ? drawn.word[1]
                             : which == 2 ? drawn.word[2]
                                          : drawn.word[3];
  return observed(below, word, Task::Noise::height, Task::Scale::height, noise);
}

}  // namespace rv::envs
