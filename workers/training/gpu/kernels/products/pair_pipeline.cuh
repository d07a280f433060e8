#pragma once

#include <cuda.h>

#include <cstdint>

namespace rv::workers {

/// Barriers in shared memory of two blocks that work as a pair (a cluster of two), and copies with tensor maps.

__device__ inline void make_barrier(std::uint32_t barrier, int arrivals) {
  asm volatile("mbarrier.init.shared::cta.b64 [%0], %1;" ::"r"(barrier), "r"(arrivals) : "memory");
}
/// Makes initialised barriers visible to the other block and to copies, after both blocks have met.
__device__ inline void publish_barriers() {
  asm volatile("fence.mbarrier_init.release.cluster;" ::: "memory");
}
__device__ inline void meet_pair() {
  asm volatile("barrier.cluster.arrive.release.aligned;\nbarrier.cluster.wait.acquire.aligned;" ::: "memory");
}
__device__ inline int rank_in_pair() {
  std::uint32_t rank = 0;
  asm volatile("mov.u32 %0, %%cluster_ctarank;" : "=r"(rank));
  return static_cast<int>(rank);
}

/// Arrives at the barrier and announces that this many bytes will be copied.
__device__ inline void expect_bytes(std::uint32_t barrier, int bytes) {
  asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;" ::"r"(barrier), "r"(bytes) : "memory");
}
/// Arrives at the barrier of that block of the pair.
__device__ inline void arrive_at(std::uint32_t barrier, int rank) {
  asm volatile(
      "{.reg .b32 there;\nmapa.shared::cluster.u32 there, %0, %1;\n"
      "mbarrier.arrive.shared::cluster.b64 _, [there];}" ::"r"(barrier),
      "r"(rank)
      : "memory");
}
/// Waits until the barrier's phase with this parity is complete.
__device__ inline void await_phase(std::uint32_t barrier, int parity) {
  asm volatile(
      "{.reg .pred done;\nagain:\n"
      "mbarrier.try_wait.parity.shared::cta.b64 done, [%0], %1;\n"
      "@done bra over;\nbra again;\nover:}" ::"r"(barrier),
      "r"(parity)
      : "memory");
}

/// Starts to copy a box into shared memory; the barrier counts its bytes.
__device__ inline void copy_box(std::uint32_t to, const CUtensorMap& map, int column, int row, std::uint32_t barrier) {
  asm volatile(
      "cp.async.bulk.tensor.2d.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1, {%2, %3}], [%4];" ::"r"(
          to),
      "l"(&map), "r"(column), "r"(row), "r"(barrier)
      : "memory");
}
/// The same into both blocks at the same position; both barriers count the bytes.
__device__ inline void copy_box_to_both(std::uint32_t to, const CUtensorMap& map, int column, int row,
                                        std::uint32_t barrier) {
  asm volatile(
      "cp.async.bulk.tensor.2d.shared::cluster.global.mbarrier::complete_tx::bytes.multicast::cluster [%0], [%1, {%2, "
      "%3}], [%4], %5;" ::"r"(to),
      "l"(&map), "r"(column), "r"(row), "r"(barrier), "h"(static_cast<std::uint16_t>(3))
      : "memory");
}

/// Changes the number of registers of a warpgroup's threads, within those of the block.
template <int count>
__device__ void take_registers() {
  asm volatile("setmaxnreg.inc.sync.aligned.u32 %0;" ::"n"(count));
}
template <int count>
__device__ void leave_registers() {
  asm volatile("setmaxnreg.dec.sync.aligned.u32 %0;" ::"n"(count));
}

}  // namespace rv::workers
