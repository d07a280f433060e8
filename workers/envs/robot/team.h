#pragma once

#include "workers/envs/numbers/triangle.h"
#include "workers/envs/robot/model.h"

namespace rv::envs {

/// Who computes an environment. A team has `width` legs of it at hand, and the base. One thread of the CPU has all
/// four; on a GPU four neighbouring lanes have one each and the same base, and meet in sums and when a leg's turn is
/// over.
struct WholeTeam {
  static constexpr int width = Model::legs;
  RV_BOTH int leg(int i) const { return i; }
  /// The base's numbers are written once.
  RV_BOTH bool leads() const { return true; }

  /// In the order in which a GPU's lanes add up, so that both have the same bits.
  template <class T, int n>
  RV_BOTH Column<T, n> sum(const Column<T, n>* of_legs) const {
    Column<T, n> all;
    for (int i = 0; i < n; ++i) all[i] = (of_legs[0][i] + of_legs[1][i]) + (of_legs[2][i] + of_legs[3][i]);
    return all;
  }

  /// After the turn of `leg`: everybody has its numbers.
  template <class T, int n>
  RV_BOTH void share(Column<T, n>&, int) const {}
};

#ifdef __CUDACC__
/// Four lanes of a warp; every lane of the warp takes part.
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
