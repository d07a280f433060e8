#pragma once

#include <cmath>

#include "workers/envs/numbers/vector.h"

namespace rv::envs {

/// Ground given by its height at the points of a square grid, bilinear in between; level ground at height 0 if
/// `heights` is null. Beyond an edge it has the height of that edge. It does not own the heights.
struct HeightField {
  const float* heights = nullptr;  ///< [rows × columns]: rows along x, columns along y
  int rows = 0, columns = 0;
  float cell = 0.05F;  ///< m between points
};

/// The grid point that an environment's x and y are relative to: this keeps positions small, and so exact in float.
struct Origin {
  int row, column;
};

template <class T>
struct GroundPoint {
  T height, along_x, along_y;  ///< height in m, and the slopes
};

template <class T>
RV_BOTH GroundPoint<T> ground_at(const HeightField& field, const Origin& origin, T x, T y) {
  if (field.heights == nullptr) return {0, 0, 0};
  const T per_metre = T(1) / T(field.cell);
  const T u = clamped(x * per_metre + T(origin.row), T(0), T(field.rows) - T(1.001));
  const T v = clamped(y * per_metre + T(origin.column), T(0), T(field.columns) - T(1.001));
  // NaN compares false, and so becomes index 0 instead of an index outside the array.
  const int i = u > T(0) ? static_cast<int>(u) : 0, j = v > T(0) ? static_cast<int>(v) : 0;
  const float* const corner = field.heights + static_cast<long>(i) * field.columns + j;
  const T a = corner[0], b = corner[1], c = corner[field.columns], d = corner[field.columns + 1];
  const T s = u - T(i), t = v - T(j);
  const T near = a + t * (b - a), far = c + t * (d - c);
  return {near + s * (far - near), (far - near) * per_metre, (b - a + s * (d - c - b + a)) * per_metre};
}

}  // namespace rv::envs
