#pragma once

#include "workers/envs/robot/contact.h"

namespace rv::envs {

/// The parameters of an environment's physics besides the robot's state.
template <class T>
struct Surroundings {
  T friction;
  T added_mass;
  Origin origin;
};

/// The torque of a PD position controller, limited to that of the motor.
template <class T>
RV_BOTH T actuator_torque(T wanted, T angle, T rate) {
  const T limit = T(Model::torque_limit);
  return clamped(T(Model::stiffness) * (wanted - angle) - T(Model::damping) * rate, -limit, limit);
}

/// Damping and Coulomb friction of a joint as a coefficient of its speed. Below friction_speed the coefficient is
/// constant.
template <class T>
RV_BOTH T joint_resistance(T rate) {
  const T speed = larger(rate > 0 ? rate : -rate, T(Model::friction_speed));
  return T(Model::joint_damping) + T(Model::joint_friction) / speed;
}

/// The intermediate results of a leg in one timestep.
template <class T>
struct LegStep {
  LegTerms<T> terms;
  LegFactor<T> factor;
  Column<T, 3> y, driven;  ///< driven: L⁻¹ · (change of momentum by torques)
};

template <class T>
RV_BOTH void begin_leg(LegStep<T>& step, const Leg<T>& leg, int number, const BaseMotion<T>& motion, const T* torque) {
  const T time = T(Model::timestep);
  step.terms = leg_terms(leg, number, motion);
  T resistance[3];
  Column<T, 3> driven;
  RV_UNROLL
  for (int j = 0; j < 3; ++j) {
    const T resists = joint_resistance(leg.rate[j]);
    resistance[j] = time * resists;
    driven[j] = time * (torque[j] - step.terms.bias[j] - resists * leg.rate[j]);
  }
  step.factor = factor_leg(step.terms, resistance);
  step.driven = solve(step.factor.lower, driven);
  step.y = times_transposed(step.factor.lower, Column<T, 3>{{leg.rate[0], leg.rate[1], leg.rate[2]}});
}

/// The contribution of a leg to sums over the legs: 21 numbers for the base's inertia, six for the force on it.
template <class T>
RV_BOTH Column<T, 27> for_base(const LegStep<T>& step) {
  const Triangle<T, 6> inertia = carried_by_base(step.terms, step.factor);
  const Column<T, 6> force = less_back(step.factor, column(T(-Model::timestep) * step.terms.reaction), step.driven);
  Column<T, 27> out;
  RV_UNROLL
  for (int i = 0; i < 21; ++i) out[i] = inertia.entry[i];
  RV_UNROLL
  for (int i = 0; i < 6; ++i) out[21 + i] = force[i];
  return out;
}

/// The base in the coordinates of factors.h.
template <class T>
struct BaseStep {
  Triangle<T, 6> lower;  ///< C
  Column<T, 6> z;        ///< including gravity and torques, before contacts
};

template <class T>
RV_BOTH BaseStep<T> begin_base(const Column<T, 27>& of_legs, const BaseMotion<T>& motion, T added_mass) {
  const Inertia<T> own = base_inertia(added_mass);
  const Spatial<T> bias = own * motion.acceleration + cross_force(motion.velocity, own * motion.velocity);
  Triangle<T, 6> inertia = triangle(own);
  Column<T, 6> force = column(T(-Model::timestep) * bias);
  RV_UNROLL
  for (int i = 0; i < 21; ++i) inertia.entry[i] += of_legs[i];
  RV_UNROLL
  for (int i = 0; i < 6; ++i) force[i] += of_legs[21 + i];
  BaseStep<T> out;
  out.lower = factor(inertia);
  out.z = times_transposed(out.lower, column(motion.velocity));
  add(out.z, T(1), solve(out.lower, force));
  return out;
}

template <class T>
RV_BOTH void set_rows(LegRows<T>& rows, const LegStep<T>& step, const Leg<T>& leg, const Body<T>& body,
                      const Rotation<T>& r, const Triangle<T, 6>& base, const HeightField& field,
                      const Origin& origin) {
  const T foot = T(Model::foot_radius), shank = T(Model::shank_radius);
  set_contact(rows, foot_contact, nearest(body, r, step.terms.foot, foot, field, origin), foot,
              leg.impulse[foot_contact], r, step.terms, step.factor, base);
  set_contact(rows, shank_contact, nearest_of_shank(body, r, step.terms, field, origin), shank,
              leg.impulse[shank_contact], r, step.terms, step.factor, base);
  RV_UNROLL
  for (int j = 0; j < 3; ++j) set_limit(rows, j, leg.angle[j], step.factor, base);
}

/// Updates the leg with the speeds at the end of the timestep (semi-implicit Euler).
template <class T>
RV_BOTH void end_leg(Leg<T>& leg, const LegStep<T>& step, const LegRows<T>& rows, const Column<T, 6>& base) {
  Column<T, 3> rest = step.y;
  add(rest, T(-1), across(step.factor, base));
  const Column<T, 3> rate = solve_transposed(step.factor.lower, rest);
  RV_UNROLL
  for (int j = 0; j < 3; ++j) {
    leg.rate[j] = rate[j];
    leg.angle[j] += T(Model::timestep) * rate[j];
  }
  RV_UNROLL
  for (int c = 0; c < contacts; ++c) {
    const Vec3<T> n = rows.normal[c], t = rows.tangent[c];
    leg.impulse[c] = rows.impulse[3 * c] * n + rows.impulse[3 * c + 1] * t + rows.impulse[3 * c + 2] * cross(n, t);
  }
}

template <class T>
RV_BOTH void end_base(Body<T>& body, const Rotation<T>& r, const Column<T, 6>& velocity) {
  const T time = T(Model::timestep);
  body.spin = {velocity[0], velocity[1], velocity[2]};
  body.velocity = r * Vec3<T>{velocity[3], velocity[4], velocity[5]};
  body.position = body.position + time * body.velocity;
  body.rotation = turned(body.rotation, body.spin, time);
}

/// Makes one timestep of 5 ms: M (u' - u) = dt (τ - bias) + Jᵀ λ. The contact impulses λ keep the speeds at its end
/// separating and within the friction cone (velocity-level time stepping: Stewart and Trinkle 1996; projected
/// Gauss-Seidel: Jourdan, Alart and Jean 1998). `legs` and `torque` are those of the team's legs.
template <class T, class Team>
RV_BOTH void substep(const Team& team, Body<T>& body, Leg<T>* legs, const T (*torque)[3], const Surroundings<T>& around,
                     const HeightField& field) {
  const Rotation<T> r = rotation(body.rotation);
  const BaseMotion<T> motion = base_motion(body, r);
  LegStep<T> steps[Team::width];
  Column<T, 27> parts[Team::width];
  RV_UNROLL
  for (int i = 0; i < Team::width; ++i) {
    begin_leg(steps[i], legs[i], team.leg(i), motion, torque[i]);
    parts[i] = for_base(steps[i]);
  }
  BaseStep<T> base = begin_base(team.sum(parts), motion, around.added_mass);
  LegRows<T> rows[Team::width];
  Column<T, 6> warm[Team::width];
  RV_UNROLL
  for (int i = 0; i < Team::width; ++i) {
    add(steps[i].y, T(1), across(steps[i].factor, column(motion.velocity)));
    add(steps[i].y, T(1), steps[i].driven);
    set_rows(rows[i], steps[i], legs[i], body, r, base.lower, field, around.origin);
    warm[i] = {{0, 0, 0, 0, 0, 0}};
    start_warm(rows[i], warm[i], steps[i].y);
  }
  add(base.z, T(1), team.sum(warm));
  RV_KEEP_LOOP
  for (int turn = 0; turn < Solver::sweeps * Model::legs; ++turn) {
    const int leg = turn % Model::legs;
    RV_UNROLL
    for (int i = 0; i < Team::width; ++i) {
      if (team.leg(i) == leg) solve_leg(rows[i], around.friction, base.z, steps[i].y);
    }
    team.share(base.z, leg);
  }
  const Column<T, 6> velocity = solve_transposed(base.lower, base.z);
  RV_UNROLL
  for (int i = 0; i < Team::width; ++i) end_leg(legs[i], steps[i], rows[i], velocity);
  end_base(body, r, velocity);
}

}  // namespace rv::envs
