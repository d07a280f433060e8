#pragma once

#include "workers/envs/robot/model.h"

namespace rv::envs {

/// Position and motion of the base. x and y are relative to the environment's patch of ground.
template <class T>
struct Body {
  Vec3<T> position;
  Quaternion<T> rotation;
  Vec3<T> velocity;  ///< of the base's origin, in the world frame
  Vec3<T> spin;      ///< in the base frame
};

enum Contact { foot_contact, shank_contact, contacts };

template <class T>
struct Leg {
  T angle[Model::joints], rate[Model::joints];
  Vec3<T> impulse[contacts];  ///< N s of the last substep, in the world frame; the next solve starts from them
};

}  // namespace rv::envs
