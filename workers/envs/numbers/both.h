#pragma once

/// Marks functions that are compiled for the host and for GPUs. On GPUs they are always inlined, so that arguments stay
/// in registers.
#ifdef __CUDACC__
#define RV_BOTH __host__ __device__ __forceinline__
#define RV_CONSTANT static constexpr __host__ __device__
#else
#define RV_BOTH inline
#define RV_CONSTANT static constexpr
#endif

/// For loops on a GPU: RV_UNROLL copies the body once per iteration, so that arrays stay in registers; RV_KEEP_LOOP
/// keeps one copy. The host's compiler decides by itself.
#ifdef __CUDA_ARCH__
#define RV_UNROLL _Pragma("unroll")
#define RV_KEEP_LOOP _Pragma("unroll 1")
#else
#define RV_UNROLL
#define RV_KEEP_LOOP
#endif
