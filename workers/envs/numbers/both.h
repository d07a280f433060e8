#pragma once

/// Marks what is compiled for the host and for GPUs. On GPUs it is always inlined: what is passed stays in registers.
#ifdef __CUDACC__
#define RV_BOTH __host__ __device__ __forceinline__
#define RV_CONSTANT static constexpr __host__ __device__
#define RV_UNROLL _Pragma("unroll")
#define RV_KEEP_LOOP _Pragma("unroll 1")
#else
#define RV_BOTH inline
#define RV_CONSTANT static constexpr
#define RV_UNROLL
#define RV_KEEP_LOOP
#endif
