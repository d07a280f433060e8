#pragma once

/// Marks what is compiled for the host and for GPUs. On GPUs it is always inlined: what is passed stays in registers.
#ifdef __CUDACC__
#define RV_BOTH __host__ __device__ __forceinline__
#define RV_CONSTANT static constexpr __host__ __device__
#else
#define RV_BOTH inline
#define RV_CONSTANT static constexpr
#endif

/// For loops of a GPU: one copy of the body a round, so that arrays stay in registers, or one copy in all. The host's
/// compiler decides for itself.
#ifdef __CUDA_ARCH__
#define RV_UNROLL _Pragma("unroll")
#define RV_KEEP_LOOP _Pragma("unroll 1")
#else
#define RV_UNROLL
#define RV_KEEP_LOOP
#endif
