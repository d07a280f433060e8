#pragma once

#include "workers/envs/numbers/triangle.h"
#include "workers/envs/robot/model.h"

namespace rv::envs {

/// A team is the threads that compute one environment; each holds `width` legs and a copy of the base. On the CPU one
/// thread has all four legs. On a GPU four neighbouring lanes have one leg each; they exchange data in sums, and after
/// the solver has processed a leg.
struct WholeTeam {
  static constexpr int width = Model::legs;
  RV_BOTH int leg(int i) const { return i; }
  /// Whether this member writes the base's numbers.
  RV_BOTH bool leads() const { return true; }

  /// Adds in the same order as a GPU's lanes, so that both give the same bits.
  template <class T, int n>
  RV_BOTH Column<T, n> sum(const Column<T, n>* of_legs) const {
    Column<T, n> all;
    for (int i = 0; i < n; ++i) all[i] = (of_legs[0][i] + of_legs[1][i]) + (of_legs[2][i] + of_legs[3][i]);
    return all;
  }

  /// Distributes the numbers of the member with `leg` to all members.
  template <class T, int n>
  RV_BOTH void share(Column<T, n>&, int) const {}
};

#ifdef __CUDACC__
/// Four lanes of a warp; all lanes of the warp must call the functions.
struct LaneTeam {
  static constexpr int width = 1;
  int lane;  ///< 0…3
  RV_BOTH int leg(int) const { return lane; }
  RV_BOTH bool leads() const { return lane == 0; }

  template <class T, int n>
  RV_BOTH Column<T, n> sum(const Column<T, n>* of_legs) const {
    Column<T, n> all = of_legs[0];
#ifdef __CUDA_ARCH__
    RV_UNROLL
    for (int i = 0; i < n; ++i) {
      all[i] += __shfl_xor_sync(0xffffffffU, all[i], 1);
      all[i] += __shfl_xor_sync(0xffffffffU, all[i], 2);
    }
#endif
    return all;
  }

  template <class T, int n>
  RV_BOTH void share([[maybe_unused]] Column<T, n>& numbers, [[maybe_unused]] int leg) const {
#ifdef __CUDA_ARCH__
    RV_UNROLL
    for (int i = 0; i < n; ++i) numbers[i] = __shfl_sync(0xffffffffU, numbers[i], leg, 4);
#endif
  }
};
#endif

}  // namespace rv::envs
