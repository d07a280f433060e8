#pragma once

#include "workers/envs/robot/factors.h"
#include "workers/envs/terrain/height_field.h"

namespace rv::envs {

/// The parameters of the contact solver.
struct Solver {
  static constexpr int sweeps = 6;
  static constexpr double slop = 0.0005;   ///< m of penetration that is not corrected
  static constexpr double recovery = 0.2;  ///< fraction of the remaining penetration that is corrected per timestep
  static constexpr double fastest_way_out = 1;  ///< m/s: maximum speed of that correction
  /// m: spheres with a larger gap are ignored; no foot falls through this distance in one timestep
  static constexpr double reach = 0.1;
  static constexpr double least = 1e-8;  ///< added to a row's inverse inertia
};

/// The constraints of one leg in the coordinates of factors.h: two contacts of three rows each (normal, two tangents),
/// and the joint limits.
template <class T>
struct LegRows {
  static constexpr int count = 3 * contacts + 3;
  Column<T, 6> base[count];
  Column<T, 3> own[count];
  T inverse[count];      ///< 1 / the row's inverse inertia
  T least_speed[count];  ///< minimum speed along the row; unused for tangents
  T impulse[count];
  bool active[contacts + 3];
  Vec3<T> normal[contacts], tangent[contacts];  ///< in the world frame
};

/// A sphere of a leg, and the ground near it.
template <class T>
struct Nearest {
  Vec3<T> centre;  ///< in the base frame
  Vec3<T> normal;  ///< of the ground there, in the world frame
  T gap;
};

/// The gap between a sphere and the plane that is tangent to the ground below its centre. It is exact on slopes; the
/// face of a step is the steep plane between two grid points.
template <class T>
RV_BOTH Nearest<T> nearest(const Body<T>& body, const Rotation<T>& r, Vec3<T> centre, T radius,
                           const HeightField& field, const Origin& origin) {
  const Vec3<T> at = body.position + r * centre;
  const GroundPoint<T> ground = ground_at(field, origin, at.x, at.y);
  const Vec3<T> normal = unit(Vec3<T>{-ground.along_x, -ground.along_y, T(1)});
  return {centre, normal, (at.z - ground.height) * normal.z - radius};
}

/// The nearest of the three spheres of a shank: at the knee, and at a third and two thirds of the way to the foot.
template <class T>
RV_BOTH Nearest<T> nearest_of_shank(const Body<T>& body, const Rotation<T>& r, const LegTerms<T>& terms,
                                    const HeightField& field, const Origin& origin) {
  const T radius = T(Model::shank_radius);
  Nearest<T> best = nearest(body, r, terms.knee, radius, field, origin);
  RV_UNROLL
  for (int third = 1; third <= 2; ++third) {
    const Vec3<T> centre = terms.knee + (T(third) / T(3)) * (terms.foot - terms.knee);
    const Nearest<T> other = nearest(body, r, centre, radius, field, origin);
    if (other.gap < best.gap) best = other;
  }
  return best;
}

/// Sets the row for the speed of a leg's `point` along `direction`.
template <class T>
RV_BOTH void set_row(LegRows<T>& rows, int row, const LegTerms<T>& terms, const LegFactor<T>& leg,
                     const Triangle<T, 6>& base, Vec3<T> point, Vec3<T> direction) {
  const Spatial<T> push = push_at(point, direction);
  Column<T, 3> own;
  RV_UNROLL
  for (int j = 0; j < 3; ++j) own[j] = dot(terms.axis[j], push);
  rows.own[row] = solve(leg.lower, own);
  rows.base[row] = solve(base, less_back(leg, column(push), rows.own[row]));
  rows.inverse[row] =
      T(1) / (dot(rows.own[row], rows.own[row]) + dot(rows.base[row], rows.base[row]) + T(Solver::least));
}

/// The minimum speed along the normal: a gap may close exactly, and a penetration is corrected.
template <class T>
RV_BOTH T wanted_speed(T gap, T slop) {
  const T per_step = T(1) / T(Model::timestep);
  if (gap > 0) return -gap * per_step;
  return smaller(larger(T(Solver::recovery) * per_step * (-gap - slop), T(0)), T(Solver::fastest_way_out));
}

template <class T>
RV_BOTH void set_contact(LegRows<T>& rows, int which, const Nearest<T>& near, T radius, Vec3<T> warm,
                         const Rotation<T>& r, const LegTerms<T>& terms, const LegFactor<T>& leg,
                         const Triangle<T, 6>& base) {
  rows.active[which] = near.gap < T(Solver::reach);
  const int row = 3 * which;
  const Vec3<T> n = near.normal;
  const Vec3<T> t = unit(Vec3<T>{T(1) - n.x * n.x, -n.x * n.y, -n.x * n.z}), s = cross(n, t);
  rows.normal[which] = n;
  rows.tangent[which] = t;
  rows.impulse[row] = rows.active[which] ? larger(dot(warm, n), T(0)) : T(0);
  rows.impulse[row + 1] = rows.active[which] ? dot(warm, t) : T(0);
  rows.impulse[row + 2] = rows.active[which] ? dot(warm, s) : T(0);
  if (!rows.active[which]) return;
  rows.least_speed[row] = wanted_speed(near.gap, T(Solver::slop));
  const Vec3<T> down = turned_back(r, n);
  const Vec3<T> point = near.centre - radius * down;
  set_row(rows, row, terms, leg, base, point, down);
  set_row(rows, row + 1, terms, leg, base, point, turned_back(r, t));
  set_row(rows, row + 2, terms, leg, base, point, turned_back(r, s));
}

/// Sets the row of a joint, which pushes it away from the nearer limit.
template <class T>
RV_BOTH void set_limit(LegRows<T>& rows, int joint, T angle, const LegFactor<T>& leg, const Triangle<T, 6>& base) {
  const int row = 3 * contacts + joint;
  const T sign = angle > 0 ? T(-1) : T(1);
  const T gap = angle_limit<T>(joint) + sign * angle;
  rows.active[contacts + joint] = gap < T(0.2);
  rows.impulse[row] = 0;
  if (!rows.active[contacts + joint]) return;
  rows.least_speed[row] = wanted_speed(gap, T(0));
  Column<T, 3> own = {{0, 0, 0}};
  own[joint] = sign;
  rows.own[row] = solve(leg.lower, own);
  rows.base[row] = solve(base, less_back(leg, Column<T, 6>{{0, 0, 0, 0, 0, 0}}, rows.own[row]));
  rows.inverse[row] =
      T(1) / (dot(rows.own[row], rows.own[row]) + dot(rows.base[row], rows.base[row]) + T(Solver::least));
}

template <class T>
RV_BOTH void push(const LegRows<T>& rows, int row, T impulse, Column<T, 6>& z, Column<T, 3>& y) {
  add(z, impulse, rows.base[row]);
  add(y, impulse, rows.own[row]);
}

template <class T>
RV_BOTH T speed(const LegRows<T>& rows, int row, const Column<T, 6>& z, const Column<T, 3>& y) {
  return dot(rows.base[row], z) + dot(rows.own[row], y);
}

/// Solves one row with a non-negative impulse, so that its speed is at least `least_speed`.
template <class T>
RV_BOTH void solve_one_sided(LegRows<T>& rows, int row, Column<T, 6>& z, Column<T, 3>& y) {
  const T before = rows.impulse[row];
  const T after = larger(before + rows.inverse[row] * (rows.least_speed[row] - speed(rows, row, z, y)), T(0));
  rows.impulse[row] = after;
  push(rows, row, after - before, z, y);
}

/// Solves both tangents together and limits the impulse to the friction cone.
template <class T>
RV_BOTH void solve_friction(LegRows<T>& rows, int row, T friction, Column<T, 6>& z, Column<T, 3>& y) {
  const T a0 = rows.impulse[row + 1], b0 = rows.impulse[row + 2];
  T a = a0 - rows.inverse[row + 1] * speed(rows, row + 1, z, y);
  T b = b0 - rows.inverse[row + 2] * speed(rows, row + 2, z, y);
  const T most = friction * rows.impulse[row], square = a * a + b * b;
  if (square > most * most) {
    const T scale = most / std::sqrt(square);
    a *= scale;
    b *= scale;
  }
  rows.impulse[row + 1] = a;
  rows.impulse[row + 2] = b;
  push(rows, row + 1, a - a0, z, y);
  push(rows, row + 2, b - b0, z, y);
}

/// The rows of one leg in a sweep of projected Gauss-Seidel.
template <class T>
RV_BOTH void solve_leg(LegRows<T>& rows, T friction, Column<T, 6>& z, Column<T, 3>& y) {
  RV_UNROLL
  for (int c = 0; c < contacts; ++c) {
    if (!rows.active[c]) continue;
    solve_one_sided(rows, 3 * c, z, y);
    solve_friction(rows, 3 * c, friction, z, y);
  }
  RV_UNROLL
  for (int j = 0; j < 3; ++j) {
    if (rows.active[contacts + j]) solve_one_sided(rows, 3 * contacts + j, z, y);
  }
}

/// Applies the impulses of the previous timestep before the first sweep (warm start).
template <class T>
RV_BOTH void start_warm(const LegRows<T>& rows, Column<T, 6>& z, Column<T, 3>& y) {
  RV_UNROLL
  for (int c = 0; c < contacts; ++c) {
    if (!rows.active[c]) continue;
    RV_UNROLL
    for (int row = 3 * c; row < 3 * c + 3; ++row) push(rows, row, rows.impulse[row], z, y);
  }
}

}  // namespace rv::envs
