#pragma once

#include <cmath>

#include "workers/envs/numbers/both.h"

namespace rv::envs {

/// A lower triangular n×n matrix, packed by rows. Loops have fixed bounds, so that a GPU keeps it in registers.
template <class T, int n>
struct Triangle {
  T entry[n * (n + 1) / 2];
  RV_BOTH T& at(int i, int j) { return entry[i * (i + 1) / 2 + j]; }
  RV_BOTH const T& at(int i, int j) const { return entry[i * (i + 1) / 2 + j]; }
};

template <class T, int n>
struct Column {
  T entry[n];
  RV_BOTH T& operator[](int i) { return entry[i]; }
  RV_BOTH const T& operator[](int i) const { return entry[i]; }
};

template <class T, int n>
RV_BOTH T dot(const Column<T, n>& a, const Column<T, n>& b) {
  T sum = 0;
  RV_UNROLL
  for (int i = 0; i < n; ++i) sum += a[i] * b[i];
  return sum;
}

/// a += s b
template <class T, int n>
RV_BOTH void add(Column<T, n>& a, T s, const Column<T, n>& b) {
  RV_UNROLL
  for (int i = 0; i < n; ++i) a[i] += s * b[i];
}

/// The Cholesky factor L of a positive definite matrix A = L Lᵀ. Its diagonal holds 1 / L_ii.
template <class T, int n>
RV_BOTH Triangle<T, n> factor(Triangle<T, n> a) {
  RV_UNROLL
  for (int j = 0; j < n; ++j) {
    RV_UNROLL
    for (int k = 0; k < j; ++k) a.at(j, j) -= a.at(j, k) * a.at(j, k);
    a.at(j, j) = T(1) / std::sqrt(a.at(j, j));
    RV_UNROLL
    for (int i = j + 1; i < n; ++i) {
      RV_UNROLL
      for (int k = 0; k < j; ++k) a.at(i, j) -= a.at(i, k) * a.at(j, k);
      a.at(i, j) *= a.at(j, j);
    }
  }
  return a;
}

/// L⁻¹ b
template <class T, int n>
RV_BOTH Column<T, n> solve(const Triangle<T, n>& l, Column<T, n> b) {
  RV_UNROLL
  for (int i = 0; i < n; ++i) {
    RV_UNROLL
    for (int k = 0; k < i; ++k) b[i] -= l.at(i, k) * b[k];
    b[i] *= l.at(i, i);
  }
  return b;
}

/// L⁻ᵀ b
template <class T, int n>
RV_BOTH Column<T, n> solve_transposed(const Triangle<T, n>& l, Column<T, n> b) {
  RV_UNROLL
  for (int i = n - 1; i >= 0; --i) {
    RV_UNROLL
    for (int k = i + 1; k < n; ++k) b[i] -= l.at(k, i) * b[k];
    b[i] *= l.at(i, i);
  }
  return b;
}

/// Lᵀ b
template <class T, int n>
RV_BOTH Column<T, n> times_transposed(const Triangle<T, n>& l, const Column<T, n>& b) {
  Column<T, n> out;
  RV_UNROLL
  for (int i = 0; i < n; ++i) {
    out[i] = b[i] / l.at(i, i);
    RV_UNROLL
    for (int k = i + 1; k < n; ++k) out[i] += l.at(k, i) * b[k];
  }
  return out;
}

}  // namespace rv::envs
