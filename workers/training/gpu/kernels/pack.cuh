#pragma once

#include <cuda_bf16.h>
#include <cuda_fp16.h>

#include "workers/training/gpu/kernels/gpu_type.h"

namespace rv::workers {

/// Eight neighbouring elements as floats: 16 bytes of a narrow type or 32 of fp32, loaded and stored as a whole.
struct Pack {
  float v[8];
};

/// The same in its stored form, so that several loads can be in flight before the first is used: a store between two
/// loads would delay the second.
template <class T>
struct RawPack {
  uint4 raw;
};
template <>
struct RawPack<float> {
  float4 low, high;
};
__device__ inline RawPack<float> load_raw(const float* from) {
  return {*reinterpret_cast<const float4*>(from), *reinterpret_cast<const float4*>(from + 4)};
}
template <class T>
__device__ inline RawPack<T> load_raw(const T* from) {
  return {*reinterpret_cast<const uint4*>(from)};
}
__device__ inline Pack unpack(const RawPack<float>& r) {
  return {{r.low.x, r.low.y, r.low.z, r.low.w, r.high.x, r.high.y, r.high.z, r.high.w}};
}
__device__ inline Pack unpack(const RawPack<__nv_bfloat16>& r) {
  const auto* const pairs = reinterpret_cast<const __nv_bfloat162*>(&r.raw);
  Pack p;
#pragma unroll
  for (int i = 0; i < 4; ++i) {
    const float2 pair = __bfloat1622float2(pairs[i]);
    p.v[2 * i] = pair.x;
    p.v[2 * i + 1] = pair.y;
  }
  return p;
}
__device__ inline Pack unpack(const RawPack<__half>& r) {
  const auto* const pairs = reinterpret_cast<const __half2*>(&r.raw);
  Pack p;
#pragma unroll
  for (int i = 0; i < 4; ++i) {
    const float2 pair = __half22float2(pairs[i]);
    p.v[2 * i] = pair.x;
    p.v[2 * i + 1] = pair.y;
  }
  return p;
}

template <class T>
__device__ inline Pack load_pack(const T* from) {
  return unpack(load_raw(from));
}

__device__ inline void store_pack(float* to, const Pack& p) {
  *reinterpret_cast<float4*>(to) = *reinterpret_cast<const float4*>(p.v);
  *reinterpret_cast<float4*>(to + 4) = *reinterpret_cast<const float4*>(p.v + 4);
}
__device__ inline void store_pack(__nv_bfloat16* to, const Pack& p) {
  uint4 raw;
  auto* const pairs = reinterpret_cast<__nv_bfloat162*>(&raw);
#pragma unroll
  for (int i = 0; i < 4; ++i) pairs[i] = __floats2bfloat162_rn(p.v[2 * i], p.v[2 * i + 1]);
  *reinterpret_cast<uint4*>(to) = raw;
}
__device__ inline void store_pack(__half* to, const Pack& p) {
  uint4 raw;
  auto* const pairs = reinterpret_cast<__half2*>(&raw);
#pragma unroll
  for (int i = 0; i < 4; ++i) pairs[i] = __floats2half2_rn(p.v[2 * i], p.v[2 * i + 1]);
  *reinterpret_cast<uint4*>(to) = raw;
}

__device__ inline float to_float(float x) {
  return x;
}
__device__ inline float to_float(__half x) {
  return __half2float(x);
}
__device__ inline float to_float(__nv_bfloat16 x) {
  return __bfloat162float(x);
}
template <class T>
__device__ inline T from_float(float x);
template <>
__device__ inline float from_float<float>(float x) {
  return x;
}
template <>
__device__ inline __half from_float<__half>(float x) {
  return __float2half_rn(x);
}
template <>
__device__ inline __nv_bfloat16 from_float<__nv_bfloat16>(float x) {
  return __float2bfloat16_rn(x);
}

/// Calls `call` with a null pointer of the element type.
template <class Call>
void with_gpu_type(GpuType type, Call call) {
  if (type == GpuType::fp32) call(static_cast<float*>(nullptr));
  if (type == GpuType::fp16) call(static_cast<__half*>(nullptr));
  if (type == GpuType::bf16) call(static_cast<__nv_bfloat16*>(nullptr));
}

}  // namespace rv::workers
