#pragma once

#include <cmath>

#include "workers/envs/numbers/both.h"

namespace rv::envs {

constexpr double pi = 3.14159265358979323846;

template <class T>
RV_BOTH T smaller(T a, T b) {
  return a < b ? a : b;
}

template <class T>
RV_BOTH T larger(T a, T b) {
  return a > b ? a : b;
}

template <class T>
RV_BOTH T clamped(T value, T low, T high) {
  return smaller(larger(value, low), high);
}

template <class T>
struct Vec3 {
  T x, y, z;
};

template <class T>
RV_BOTH Vec3<T> operator+(Vec3<T> a, Vec3<T> b) {
  return {a.x + b.x, a.y + b.y, a.z + b.z};
}

template <class T>
RV_BOTH Vec3<T> operator-(Vec3<T> a, Vec3<T> b) {
  return {a.x - b.x, a.y - b.y, a.z - b.z};
}

template <class T>
RV_BOTH Vec3<T> operator*(T s, Vec3<T> a) {
  return {s * a.x, s * a.y, s * a.z};
}

template <class T>
RV_BOTH T dot(Vec3<T> a, Vec3<T> b) {
  return a.x * b.x + a.y * b.y + a.z * b.z;
}

template <class T>
RV_BOTH Vec3<T> cross(Vec3<T> a, Vec3<T> b) {
  return {a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}

template <class T>
RV_BOTH Vec3<T> unit(Vec3<T> a) {
  return (T(1) / std::sqrt(dot(a, a))) * a;
}

/// A rotation matrix by its columns: x, y and z are the axes of the rotated frame.
template <class T>
struct Rotation {
  Vec3<T> x, y, z;
};

template <class T>
RV_BOTH Vec3<T> operator*(const Rotation<T>& r, Vec3<T> v) {
  return v.x * r.x + v.y * r.y + v.z * r.z;
}

/// The inverse rotation.
template <class T>
RV_BOTH Vec3<T> turned_back(const Rotation<T>& r, Vec3<T> v) {
  return {dot(r.x, v), dot(r.y, v), dot(r.z, v)};
}

/// A unit quaternion, w first.
template <class T>
struct Quaternion {
  T w, x, y, z;
};

template <class T>
RV_BOTH Rotation<T> rotation(const Quaternion<T>& q) {
  const T two = 2, one = 1;
  return {{one - two * (q.y * q.y + q.z * q.z), two * (q.x * q.y + q.w * q.z), two * (q.x * q.z - q.w * q.y)},
          {two * (q.x * q.y - q.w * q.z), one - two * (q.x * q.x + q.z * q.z), two * (q.y * q.z + q.w * q.x)},
          {two * (q.x * q.z + q.w * q.y), two * (q.y * q.z - q.w * q.x), one - two * (q.x * q.x + q.y * q.y)}};
}

/// q after a rotation with the angular velocity `spin` (in q's frame) for `time`, normalised.
template <class T>
RV_BOTH Quaternion<T> turned(const Quaternion<T>& q, Vec3<T> spin, T time) {
  const T speed = std::sqrt(dot(spin, spin));
  const T half = T(0.5) * speed * time;
  const T sine = speed > T(1e-9) ? std::sin(half) / speed : T(0.5) * time;
  const Vec3<T> v = sine * spin;
  const T w = std::cos(half);
  const Quaternion<T> p = {q.w * w - q.x * v.x - q.y * v.y - q.z * v.z, q.w * v.x + q.x * w + q.y * v.z - q.z * v.y,
                           q.w * v.y - q.x * v.z + q.y * w + q.z * v.x, q.w * v.z + q.x * v.y - q.y * v.x + q.z * w};
  const T scale = T(1) / std::sqrt(p.w * p.w + p.x * p.x + p.y * p.y + p.z * p.z);
  return {scale * p.w, scale * p.x, scale * p.y, scale * p.z};
}

}  // namespace rv::envs
