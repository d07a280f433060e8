#pragma once

#include "workers/envs/numbers/spatial.h"

namespace rv::envs {

/// The quadruped: our own plausible figures for a mid-size one of about 50 kg with legs of 0.6 m; they are nobody's
/// product. A base and four legs of three hinges (hip along x, thigh and shank along y); left legs are even, front legs
/// are 0 and 1. SI units throughout.
struct Model {
  static constexpr int legs = 4, joints = 3;
  static constexpr double gravity = 9.81;

  struct Link {
    double mass;
    Vec3<double> centre, principal;  ///< centre for the left front leg: x changes its sign behind, y on the right
    Vec3<double> origin;             ///< in the link before, likewise
  };
  static constexpr double base_mass = 27;
  // Functions, since device code may not refer to constants of a class type.
  RV_CONSTANT Vec3<double> base_centre() { return {0.01, 0, 0.02}; }
  RV_CONSTANT Vec3<double> base_principal() { return {0.35, 1.36, 1.47}; }
  RV_CONSTANT Link hip() { return {2.2, {0.03, 0.01, 0}, {0.004, 0.005, 0.005}, {0.30, 0.11, 0}}; }
  RV_CONSTANT Link thigh() { return {3.0, {0, 0.02, -0.06}, {0.030, 0.028, 0.008}, {0.05, 0.08, 0}}; }
  RV_CONSTANT Link shank() { return {0.6, {0, 0, -0.14}, {0.006, 0.006, 0.0006}, {0, 0.03, -0.28}}; }
  RV_CONSTANT Vec3<double> foot() { return {0, 0, -0.31}; }  ///< in the shank
  static constexpr double foot_radius = 0.03, shank_radius = 0.03;
  /// Half the edges of the box that may not touch the ground.
  RV_CONSTANT Vec3<double> base_box() { return {0.36, 0.15, 0.10}; }

  static constexpr double armature = 0.05;       ///< kg m², of the motors as seen from the joints
  static constexpr double joint_friction = 0.3;  ///< N m, Coulomb
  static constexpr double joint_damping = 0.1;   ///< N m s
  static constexpr double friction_speed = 0.1;  ///< rad/s under which Coulomb friction grows with the speed
  static constexpr double stiffness = 150, damping = 6, torque_limit = 80;
  static constexpr double limit[joints] = {0.75, 1.9, 2.5};  ///< rad, both ways
  static constexpr double stance[joints] = {0, 0.4, -0.8};   ///< of a front leg; thigh and shank turned round behind
  static constexpr double stance_height = 0.58;              ///< about, of the base above level ground

  static constexpr double timestep = 0.005;
  static constexpr int decimation = 4;
};

RV_BOTH int end_of(int leg) {
  return leg < 2 ? 1 : -1;
}

RV_BOTH int side_of(int leg) {
  return leg % 2 == 0 ? 1 : -1;
}

/// A vector of the model, for a leg.
template <class T>
RV_BOTH Vec3<T> mirrored(Vec3<double> v, int leg) {
  return {T(v.x) * T(end_of(leg)), T(v.y) * T(side_of(leg)), T(v.z)};
}

template <class T>
RV_BOTH Vec3<T> cast(Vec3<double> v) {
  return {T(v.x), T(v.y), T(v.z)};
}

/// Where a joint rests: constants by number, since GPUs have no constexpr arrays.
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
