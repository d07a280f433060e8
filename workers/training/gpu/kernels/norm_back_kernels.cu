#include "workers/training/gpu/kernels/norm_back_kernels.h"
#include "workers/training/gpu/kernels/norm_grid.cuh"
#include "workers/training/gpu/kernels/pack.cuh"

namespace rv::workers {
namespace {

/// The operation between a gradient and the normalised values.
enum class Way { plain, relu, signs, pooled };

Way way_of(const NormBack& back) {
  if (back.places != nullptr) return Way::pooled;
  if (back.signs != nullptr) return Way::signs;
  return back.relu ? Way::relu : Way::plain;
}

/// The data that is read for one position of the normalised values.
template <class T>
struct RawBack {
  RawPack<T> x, first, second;
  unsigned int signs;
};

template <class T, Way way>
__device__ RawBack<T> load_back(const T* x, const NormBack& back, std::int64_t place) {
  RawBack<T> raw;
  raw.x = load_raw(x + place);
  if constexpr (way != Way::pooled) {
    raw.first = load_raw(static_cast<const T*>(back.first) + place);
    if (back.second != nullptr) raw.second = load_raw(static_cast<const T*>(back.second) + place);
    if constexpr (way == Way::signs) raw.signs = back.signs[place / 8];
  }
  return raw;
}

/// The gradient at one position of the normalised values.
template <class T, Way way>
__device__ Pack incoming(const NormBack& back, const RawBack<T>& raw, const Pack& x, std::int64_t row, int c,
                         int channels, const Pack& scale, const Pack& shift) {
  Pack g{};
  const auto* const first = static_cast<const T*>(back.first);
  const auto* const second = static_cast<const T*>(back.second);
  if constexpr (way == Way::pooled) {
    const auto& s = back.pool;
    const int w = static_cast<int>(row % s.w), h = static_cast<int>(row / s.w % s.h);
    const auto n = row / s.w / s.h;
    for (int i = h / 2; i <= (h + 1) / 2 && i < s.out_h; ++i) {
      for (int j = w / 2; j <= (w + 1) / 2 && j < s.out_w; ++j) {
        const auto out = ((n * s.out_h + i) * s.out_w + j) * channels + c;
        const auto mine = static_cast<unsigned int>((h - 2 * i + 1) * 3 + (w - 2 * j + 1));
        const auto from = *reinterpret_cast<const unsigned long long*>(back.places + out);
        Pack p = load_pack(first + out);
        if (second != nullptr) {
          const Pack q = load_pack(second + out);
#pragma unroll
          for (int k = 0; k < 8; ++k) p.v[k] += q.v[k];
        }
#pragma unroll
        for (int k = 0; k < 8; ++k) g.v[k] += (from >> (8 * k) & 0xff) == mine ? p.v[k] : 0.0F;
      }
    }
  } else {
    g = unpack(raw.first);
    if (second != nullptr) {
      const Pack q = unpack(raw.second);
#pragma unroll
      for (int k = 0; k < 8; ++k) g.v[k] += q.v[k];
    }
    if constexpr (way == Way::signs) {
#pragma unroll
      for (int k = 0; k < 8; ++k) g.v[k] = (raw.signs >> k & 1) != 0 ? g.v[k] : 0.0F;
    }
  }
  if constexpr (way == Way::relu || way == Way::pooled) {
#pragma unroll
    for (int k = 0; k < 8; ++k) g.v[k] = x.v[k] * scale.v[k] + shift.v[k] > 0 ? g.v[k] : 0.0F;
  }
  return g;
}

template <class T, Way way>
__global__ void __launch_bounds__(sum_threads, 1)
    back_sums(const T* x, NormBack back, std::int64_t rows, int channels, int across, float* dscale, float* dshift,
              NormMemory memory) {
  const Place at(across, channels);
  Pack sum{}, products{};
  if (at.active) {
    const Pack mean = load_pack(memory.statistics + at.c);
    Pack scale{}, shift{};
    if constexpr (way == Way::relu || way == Way::pooled) {
      scale = load_pack(memory.statistics + 2 * channels + at.c);
      shift = load_pack(memory.statistics + 3 * channels + at.c);
    }
    auto* const kept = static_cast<T*>(back.sum);
    constexpr int deep = way == Way::pooled ? 1 : sizeof(T) == 4 ? 2 : 3;
    for (auto first = at.first; first < rows; first += deep * at.step) {
      RawBack<T> raw[deep];
#pragma unroll
      for (int d = 0; d < deep; ++d) {
        const auto row = first + d * at.step;
        if (row < rows) raw[d] = load_back<T, way>(x, back, row * channels + at.c);
      }
#pragma unroll
      for (int d = 0; d < deep; ++d) {
        const auto row = first + d * at.step;
        if (row >= rows) break;
        const Pack p = unpack(raw[d].x);
        const Pack g = incoming<T, way>(back, raw[d], p, row, at.c, channels, scale, shift);
        if (kept != nullptr) store_pack(kept + row * channels + at.c, g);
#pragma unroll
        for (int i = 0; i < 8; ++i) {
          sum.v[i] += g.v[i];
          products.v[i] += g.v[i] * (p.v[i] - mean.v[i]);
        }
      }
    }
  }
  float total[2];
  if (!sum_over_blocks(sum, products, across, memory.partial, memory.finished, total)) return;
  const int c = blockIdx.y * across * 8 + threadIdx.x;
  if (threadIdx.x >= across * 8 || c >= channels) return;
  const auto n = static_cast<float>(rows);
  const float inverse = memory.statistics[channels + c], scale = memory.statistics[2 * channels + c];
  const float slope = total[1] * inverse;
  dscale[c] = slope;
  dshift[c] = total[0];
  // dx = a·g + b·x + c
  const float b = -scale * inverse * slope / n;
  memory.statistics[4 * channels + c] = scale;
  memory.statistics[5 * channels + c] = b;
  memory.statistics[6 * channels + c] = -scale * total[0] / n - b * memory.statistics[c];
}

template <class T, Way way>
__global__ void __launch_bounds__(apply_threads, 2)
    back_apply(const T* x, NormBack back, T* dx, std::int64_t rows, int channels, int across, const float* statistics) {
  const Place at(across, channels);
  if (!at.active) return;
  const Pack a = load_pack(statistics + 4 * channels + at.c), b = load_pack(statistics + 5 * channels + at.c);
  const Pack c = load_pack(statistics + 6 * channels + at.c);
  Pack scale{}, shift{};
  if constexpr (way == Way::relu || way == Way::pooled) {
    scale = load_pack(statistics + 2 * channels + at.c);
    shift = load_pack(statistics + 3 * channels + at.c);
  }
  constexpr int deep = way == Way::pooled ? 1 : 2;
  for (auto first = at.first; first < rows; first += deep * at.step) {
    RawBack<T> raw[deep];
#pragma unroll
    for (int d = 0; d < deep; ++d) {
      const auto row = rows - 1 - first - d * at.step;
      if (row >= 0) raw[d] = load_back<T, way>(x, back, row * channels + at.c);
    }
#pragma unroll
    for (int d = 0; d < deep; ++d) {
      const auto row = rows - 1 - first - d * at.step;
      if (row < 0) break;
      const Pack p = unpack(raw[d].x);
      Pack g = incoming<T, way>(back, raw[d], p, row, at.c, channels, scale, shift);
#pragma unroll
      for (int i = 0; i < 8; ++i) g.v[i] = a.v[i] * g.v[i] + (b.v[i] * p.v[i] + c.v[i]);
      store_pack(dx + row * channels + at.c, g);
    }
  }
}

template <class T, Way way>
void enqueue_back(const NormShape& shape, const T* x, const NormBack& back, T* dx, float* dscale, float* dshift,
                  const NormMemory& memory, cudaStream_t stream) {
  const auto g = grid_of(shape.rows, shape.channels, sum_threads, 1);
  const dim3 blocks(static_cast<unsigned int>(g.chunks), static_cast<unsigned int>(g.columns));
  back_sums<T, way>
      <<<blocks, sum_threads, 0, stream>>>(x, back, shape.rows, shape.channels, g.across, dscale, dshift, memory);
  const auto h = grid_of(shape.rows, shape.channels, apply_threads, 6);
  const dim3 more(static_cast<unsigned int>(h.chunks), static_cast<unsigned int>(h.columns));
  if (back.sum != nullptr) {
    // The sum after the mask has been stored, so it is not computed again.
    NormBack plain;
    plain.first = back.sum;
    back_apply<T, Way::plain>
        <<<more, apply_threads, 0, stream>>>(x, plain, dx, shape.rows, shape.channels, h.across, memory.statistics);
  } else {
    back_apply<T, way>
        <<<more, apply_threads, 0, stream>>>(x, back, dx, shape.rows, shape.channels, h.across, memory.statistics);
  }
}

}  // namespace

void norm_back(const NormShape& shape, const void* x, const NormBack& back, void* dx, float* dscale, float* dshift,
               const NormMemory& memory, cudaStream_t stream) {
  with_gpu_type(shape.type, [&](auto* kind) {
    using T = std::remove_pointer_t<decltype(kind)>;
    const auto call = [&](auto enqueue) {
      enqueue(shape, static_cast<const T*>(x), back, static_cast<T*>(dx), dscale, dshift, memory, stream);
    };
    switch (way_of(back)) {
      case Way::plain:
        return call(enqueue_back<T, Way::plain>);
      case Way::relu:
        return call(enqueue_back<T, Way::relu>);
      case Way::signs:
        return call(enqueue_back<T, Way::signs>);
      case Way::pooled:
        return call(enqueue_back<T, Way::pooled>);
    }
  });
}

}  // namespace rv::workers
