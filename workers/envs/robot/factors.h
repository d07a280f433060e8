#pragma once

#include "workers/envs/robot/leg_terms.h"
#include "workers/envs/robot/team.h"

namespace rv::envs {

/// The mass matrix M = [A F; Fᵀ H] of base and legs has no block between two legs (branch-induced sparsity,
/// Featherstone 2008, chapter 6), and its factor has the same form: H = L Lᵀ for each leg, X = L⁻¹ Fᵀ, and for the base
/// A - Σ Xᵀ X = C Cᵀ, which is the base's articulated-body inertia.
///
/// In the coordinates z = Cᵀ v and y = Lᵀ q̇ + X v the mass matrix is the identity: the kinetic energy is (|z|² +
/// |y|²)/2. There the row of a contact in the Jacobian has nine numbers, six for the base and three for its own leg,
/// and an impulse is applied without solving a system.
template <class T>
struct LegFactor {
  Triangle<T, 3> lower;   ///< L
  Column<T, 6> cross[3];  ///< the rows of X
};

template <class T>
RV_BOTH Column<T, 6> column(const Spatial<T>& s) {
  return {{s.angular.x, s.angular.y, s.angular.z, s.linear.x, s.linear.y, s.linear.z}};
}

template <class T>
RV_BOTH Triangle<T, 6> triangle(const Inertia<T>& i) {
  const auto& a = i.about;
  const auto& h = i.moment;
  return {{a.xx, a.xy, a.yy, a.xz,   a.yz,   a.zz,  //
           0,    h.z,  -h.y, i.mass,                //
           -h.z, 0,    h.x,  0,      i.mass,        //
           h.y,  -h.x, 0,    0,      0,      i.mass}};
}

/// Factors the mass matrix of a leg. `resistance` is added to the diagonal: implicit damping over a timestep.
template <class T>
RV_BOTH LegFactor<T> factor_leg(const LegTerms<T>& terms, const T* resistance) {
  Triangle<T, 3> mass = terms.mass;
  RV_UNROLL
  for (int i = 0; i < 3; ++i) mass.at(i, i) += resistance[i];
  LegFactor<T> out;
  out.lower = factor(mass);
  RV_UNROLL
  for (int i = 0; i < 3; ++i) {
    out.cross[i] = column(terms.across[i]);
    RV_UNROLL
    for (int k = 0; k < i; ++k) add(out.cross[i], -out.lower.at(i, k), out.cross[k]);
    RV_UNROLL
    for (int c = 0; c < 6; ++c) out.cross[i][c] *= out.lower.at(i, i);
  }
  return out;
}

/// The contribution of a leg to the articulated-body inertia of the base: its own inertia minus Xᵀ X.
template <class T>
RV_BOTH Triangle<T, 6> carried_by_base(const LegTerms<T>& terms, const LegFactor<T>& f) {
  Triangle<T, 6> s = triangle(terms.inertia);
  RV_UNROLL
  for (int i = 0; i < 6; ++i) {
    RV_UNROLL
    for (int j = 0; j <= i; ++j) {
      RV_UNROLL
      for (int k = 0; k < 3; ++k) s.at(i, j) -= f.cross[k][i] * f.cross[k][j];
    }
  }
  return s;
}

/// X v
template <class T>
RV_BOTH Column<T, 3> across(const LegFactor<T>& f, const Column<T, 6>& v) {
  return {{dot(f.cross[0], v), dot(f.cross[1], v), dot(f.cross[2], v)}};
}

/// b - Xᵀ y
template <class T>
RV_BOTH Column<T, 6> less_back(const LegFactor<T>& f, Column<T, 6> b, const Column<T, 3>& y) {
  RV_UNROLL
  for (int k = 0; k < 3; ++k) add(b, -y[k], f.cross[k]);
  return b;
}

}  // namespace rv::envs
