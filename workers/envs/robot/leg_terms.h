#pragma once

#include "workers/envs/numbers/triangle.h"
#include "workers/envs/robot/state.h"

namespace rv::envs {

/// The terms of one leg in the robot's equations of motion. All are in the base frame and about its origin, so that
/// links can be added without transformations.
template <class T>
struct LegTerms {
  Spatial<T> axis[3];
  Triangle<T, 3> mass;   ///< mass matrix of the leg's joints, with armature (composite rigid bodies)
  Spatial<T> across[3];  ///< block of the mass matrix between joints and base
  T bias[3];             ///< joint torques at zero acceleration (recursive Newton-Euler)
  Spatial<T> reaction;   ///< force on all links together at zero acceleration
  Inertia<T> inertia;    ///< inertia of all links together
  Vec3<T> knee, foot;
};

/// The motion of the base at zero joint acceleration.
template <class T>
struct BaseMotion {
  Spatial<T> velocity;
  Spatial<T> acceleration;  ///< includes gravity as an upward acceleration
};

/// The motion of a base whose origin does not accelerate: its spatial acceleration is -ω × v (Featherstone 2008,
/// section 2.10).
template <class T>
RV_BOTH BaseMotion<T> base_motion(const Body<T>& body, const Rotation<T>& r) {
  const Vec3<T> v = turned_back(r, body.velocity);
  const Vec3<T> up = turned_back(r, Vec3<T>{0, 0, T(Model::gravity)});
  return {{body.spin, v}, {{0, 0, 0}, up - cross(body.spin, v)}};
}

/// The inertias of a leg's links and the positions of its joints in the current pose.
template <class T>
struct LegPose {
  Spatial<T> axis[3];
  Inertia<T> link[3];
  Vec3<T> knee, foot;
};

template <class T>
RV_BOTH LegPose<T> pose_of(const Leg<T>& leg, int number) {
  const T s1 = std::sin(leg.angle[0]), c1 = std::cos(leg.angle[0]);
  const T s2 = std::sin(leg.angle[1]), c2 = std::cos(leg.angle[1]);
  const T s3 = std::sin(leg.angle[1] + leg.angle[2]), c3 = std::cos(leg.angle[1] + leg.angle[2]);
  const Rotation<T> hip = {{1, 0, 0}, {0, c1, s1}, {0, -s1, c1}};
  const Rotation<T> thigh = {{c2, s1 * s2, -c1 * s2}, hip.y, {s2, -s1 * c2, c1 * c2}};
  const Rotation<T> shank = {{c3, s1 * s3, -c1 * s3}, hip.y, {s3, -s1 * c3, c1 * c3}};
  const Vec3<T> at_hip = mirrored<T>(Model::hip().origin, number);
  const Vec3<T> at_thigh = at_hip + hip * mirrored<T>(Model::thigh().origin, number);
  const Vec3<T> at_shank = at_thigh + thigh * mirrored<T>(Model::shank().origin, number);
  LegPose<T> pose;
  pose.axis[0] = hinge(hip.x, at_hip);
  pose.axis[1] = hinge(hip.y, at_thigh);
  pose.axis[2] = hinge(hip.y, at_shank);
  pose.link[0] = placed_inertia(T(Model::hip().mass), at_hip + hip * mirrored<T>(Model::hip().centre, number),
                                cast<T>(Model::hip().principal), hip);
  pose.link[1] = placed_inertia(T(Model::thigh().mass), at_thigh + thigh * mirrored<T>(Model::thigh().centre, number),
                                cast<T>(Model::thigh().principal), thigh);
  pose.link[2] = placed_inertia(T(Model::shank().mass), at_shank + shank * mirrored<T>(Model::shank().centre, number),
                                cast<T>(Model::shank().principal), shank);
  pose.knee = at_shank;
  pose.foot = at_shank + shank * cast<T>(Model::foot());
  return pose;
}

/// Computes the terms of a leg with the composite-rigid-body and recursive Newton-Euler algorithms (Featherstone 2008,
/// tables 6.2 and 5.1), with all vectors in the base frame.
template <class T>
RV_BOTH LegTerms<T> leg_terms(const Leg<T>& leg, int number, const BaseMotion<T>& base) {
  const LegPose<T> pose = pose_of(leg, number);
  LegTerms<T> terms;
  Spatial<T> v = base.velocity, a = base.acceleration, force[3];
  RV_UNROLL
  for (int i = 0; i < 3; ++i) {
    terms.axis[i] = pose.axis[i];
    const Spatial<T> turning = leg.rate[i] * pose.axis[i];
    v = v + turning;
    a = a + cross_motion(v, turning);
    force[i] = pose.link[i] * a + cross_force(v, pose.link[i] * v);
  }
  Inertia<T> composite = pose.link[2];
  Spatial<T> carried = force[2];
  RV_UNROLL
  for (int i = 2; i >= 0; --i) {
    terms.across[i] = composite * pose.axis[i];
    terms.bias[i] = dot(pose.axis[i], carried);
    RV_UNROLL
    for (int j = 0; j <= i; ++j) terms.mass.at(i, j) = dot(terms.across[i], pose.axis[j]);
    terms.mass.at(i, i) += T(Model::armature);
    if (i > 0) {
      composite = composite + pose.link[i - 1];
      carried = carried + force[i - 1];
    }
  }
  terms.inertia = composite;
  terms.reaction = carried;
  terms.knee = pose.knee;
  terms.foot = pose.foot;
  return terms;
}

template <class T>
RV_BOTH Inertia<T> base_inertia(T added_mass) {
  // The added mass is at the base's origin.
  Inertia<T> base = placed_inertia(T(Model::base_mass), cast<T>(Model::base_centre()), cast<T>(Model::base_principal()),
                                   Rotation<T>{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}});
  base.mass += added_mass;
  return base;
}

}  // namespace rv::envs
