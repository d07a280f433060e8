#pragma once

#include "workers/envs/numbers/vector.h"

namespace rv::envs {

/// A spatial vector (Featherstone, Rigid Body Dynamics Algorithms, 2008, chapter 2): of a motion the angular, then the
/// linear part; of a force the torque, then the force. All spatial vectors of an expression use one frame and its
/// origin.
template <class T>
struct Spatial {
  Vec3<T> angular, linear;
};

template <class T>
RV_BOTH Spatial<T> operator+(const Spatial<T>& a, const Spatial<T>& b) {
  return {a.angular + b.angular, a.linear + b.linear};
}

template <class T>
RV_BOTH Spatial<T> operator*(T s, const Spatial<T>& a) {
  return {s * a.angular, s * a.linear};
}

template <class T>
RV_BOTH T dot(const Spatial<T>& a, const Spatial<T>& b) {
  return dot(a.angular, b.angular) + dot(a.linear, b.linear);
}

/// v × m for a motion m.
template <class T>
RV_BOTH Spatial<T> cross_motion(const Spatial<T>& v, const Spatial<T>& m) {
  return {cross(v.angular, m.angular), cross(v.angular, m.linear) + cross(v.linear, m.angular)};
}

/// v ×* f for a force f.
template <class T>
RV_BOTH Spatial<T> cross_force(const Spatial<T>& v, const Spatial<T>& f) {
  return {cross(v.angular, f.angular) + cross(v.linear, f.linear), cross(v.angular, f.linear)};
}

/// The spatial axis of a hinge along the unit vector `along` through `point`.
template <class T>
RV_BOTH Spatial<T> hinge(Vec3<T> along, Vec3<T> point) {
  return {along, cross(point, along)};
}

/// The spatial force of a unit force along `direction` at `point`. Its dot product with a spatial velocity is the speed
/// of that point along `direction`.
template <class T>
RV_BOTH Spatial<T> push_at(Vec3<T> point, Vec3<T> direction) {
  return {cross(point, direction), direction};
}

/// A symmetric 3×3 matrix.
template <class T>
struct Symmetric {
  T xx, yy, zz, xy, xz, yz;
};

template <class T>
RV_BOTH Vec3<T> operator*(const Symmetric<T>& s, Vec3<T> v) {
  return {s.xx * v.x + s.xy * v.y + s.xz * v.z, s.xy * v.x + s.yy * v.y + s.yz * v.z,
          s.xz * v.x + s.yz * v.y + s.zz * v.z};
}

/// A body's spatial inertia about the frame's origin: mass, mass × centre of mass, second moments.
template <class T>
struct Inertia {
  T mass;
  Vec3<T> moment;
  Symmetric<T> about;
};

template <class T>
RV_BOTH Inertia<T> operator+(const Inertia<T>& a, const Inertia<T>& b) {
  const auto& p = a.about;
  const auto& q = b.about;
  return {a.mass + b.mass,
          a.moment + b.moment,
          {p.xx + q.xx, p.yy + q.yy, p.zz + q.zz, p.xy + q.xy, p.xz + q.xz, p.yz + q.yz}};
}

template <class T>
RV_BOTH Spatial<T> operator*(const Inertia<T>& i, const Spatial<T>& v) {
  return {i.about * v.angular + cross(i.moment, v.linear), i.mass * v.linear - cross(i.moment, v.angular)};
}

/// The inertia of a body with the principal moments `principal` in a frame rotated by r, and its centre of mass
/// `centre` in this frame (parallel axes: Featherstone 2008, eq. 2.63).
template <class T>
RV_BOTH Inertia<T> placed_inertia(T mass, Vec3<T> centre, Vec3<T> principal, const Rotation<T>& r) {
  const T a = principal.x, b = principal.y, c = principal.z;
  const Vec3<T> h = mass * centre;
  const T xx = h.x * centre.x, yy = h.y * centre.y, zz = h.z * centre.z;
  return {mass,
          h,
          {a * r.x.x * r.x.x + b * r.y.x * r.y.x + c * r.z.x * r.z.x + yy + zz,
           a * r.x.y * r.x.y + b * r.y.y * r.y.y + c * r.z.y * r.z.y + xx + zz,
           a * r.x.z * r.x.z + b * r.y.z * r.y.z + c * r.z.z * r.z.z + xx + yy,
           a * r.x.x * r.x.y + b * r.y.x * r.y.y + c * r.z.x * r.z.y - h.x * centre.y,
           a * r.x.x * r.x.z + b * r.y.x * r.y.z + c * r.z.x * r.z.z - h.x * centre.z,
           a * r.x.y * r.x.z + b * r.y.y * r.y.z + c * r.z.y * r.z.z - h.y * centre.z}};
}

}  // namespace rv::envs
