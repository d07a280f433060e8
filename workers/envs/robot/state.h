#pragma once

#include "workers/envs/robot/model.h"

namespace rv::envs {

/// Where the base is and how it moves. x and y are counted from the environment's patch of ground.
template <class T>
struct Body {
  Vec3<T> position;
  Quaternion<T> rotation;
  Vec3<T> velocity;  ///< of the base's origin, along the world's axes
  Vec3<T> spin;      ///< along the base's axes
};

enum Contact { foot_contact, shank_contact, contacts };

template <class T>
struct Leg {
  T angle[Model::joints], rate[Model::joints];
  Vec3<T> impulse[contacts];  ///< N s of the last substep along the world's axes: where the next one's search begins
};

}  // namespace rv::envs
