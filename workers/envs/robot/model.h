#pragma once

#include "workers/envs/numbers/spatial.h"

namespace rv::envs {

/// The quadruped: plausible figures, chosen for this project, of a mid-size robot of about 50 kg with legs of 0.6 m. It
/// does not model a product. It has a base and four legs of three hinges (hip along x, thigh and shank along y). Left
/// legs have even numbers, front legs are 0 and 1. All values are in SI units.
struct Model {
  static constexpr int legs = 4, joints = 3;
  static constexpr double gravity = 9.81;

  struct Link {
    double mass;
    Vec3<double> centre, principal;  ///< centre for the left front leg: x changes sign for rear legs, y for right legs
    Vec3<double> origin;             ///< in the previous link, with the same signs
  };
  static constexpr double base_mass = 27;
  // Functions, since device code may not refer to constants of a class type.
  RV_CONSTANT Vec3<double> base_centre() { return {0.01, 0, 0.02}; }
  RV_CONSTANT Vec3<double> base_principal() { return {0.35, 1.36, 1.47}; }
  RV_CONSTANT Link hip() { return {2.2, {0.03, 0.01, 0}, {0.004, 0.005, 0.005}, {0.30, 0.11, 0}}; }
  RV_CONSTANT Link thigh() { return {3.0, {0, 0.02, -0.06}, {0.030, 0.028, 0.008}, {0.05, 0.08, 0}}; }
  RV_CONSTANT Link shank() { return {0.6, {0, 0, -0.14}, {0.006, 0.006, 0.0006}, {0, 0.03, -0.28}}; }
  RV_CONSTANT Vec3<double> foot() { return {0, 0, -0.31}; }  ///< in the shank's frame
  static constexpr double foot_radius = 0.03, shank_radius = 0.03;
  /// Half the edges of the base's box, which must not touch the ground.
  RV_CONSTANT Vec3<double> base_box() { return {0.36, 0.15, 0.10}; }

  static constexpr double armature = 0.05;       ///< kg m²: inertia of the motors at the joints
  static constexpr double joint_friction = 0.3;  ///< N m, Coulomb
  static constexpr double joint_damping = 0.1;   ///< N m s
  /// rad/s: below this speed Coulomb friction is proportional to the speed
  static constexpr double friction_speed = 0.1;
  static constexpr double stiffness = 150, damping = 6, torque_limit = 80;
  static constexpr double limit[joints] = {0.75, 1.9, 2.5};  ///< rad, in both directions
  /// of a front leg; rear legs have the opposite signs for thigh and shank
  static constexpr double stance[joints] = {0, 0.4, -0.8};
  static constexpr double stance_height = 0.58;  ///< approximate height of the base above level ground

  static constexpr double timestep = 0.005;
  static constexpr int decimation = 4;
};

RV_BOTH int end_of(int leg) {
  return leg < 2 ? 1 : -1;
}

RV_BOTH int side_of(int leg) {
  return leg % 2 == 0 ? 1 : -1;
}

/// A vector of the model, with the signs of this leg.
template <class T>
RV_BOTH Vec3<T> mirrored(Vec3<double> v, int leg) {
  return {T(v.x) * T(end_of(leg)), T(v.y) * T(side_of(leg)), T(v.z)};
}

template <class T>
RV_BOTH Vec3<T> cast(Vec3<double> v) {
  return {T(v.x), T(v.y), T(v.z)};
}

/// The angle of a joint in the stance. The constants are selected by number, since device code has no constexpr arrays.
template <class T>
RV_BOTH T stance_angle(int leg, int joint) {
  constexpr T hip = T(Model::stance[0]), thigh = T(Model::stance[1]), shank = T(Model::stance[2]);
  return joint == 0 ? hip : T(end_of(leg)) * (joint == 1 ? thigh : shank);
}

template <class T>
RV_BOTH T angle_limit(int joint) {
  constexpr T hip = T(Model::limit[0]), thigh = T(Model::limit[1]), shank = T(Model::limit[2]);
  return joint == 0 ? hip : joint == 1 ? thigh : shank;
}

}  // namespace rv::envs
