#include <algorithm>

#include "workers/devices/cuda_call.h"
#include "workers/training/mlp.h"

namespace rv::workers {
namespace {

using Shape = MlpShape;
constexpr int tile = 16, most_batch = ToyData::samples;

/// A matrix with strides, so that a transposed matrix uses the same memory.
struct Matrix {
  const float* data;
  int row, column;
};

/// c = a·b, plus `bias` for each column if it is not null. Sums have a fixed order, so the bits are the same every
/// time.
__global__ void multiply(Matrix a, Matrix b, const float* bias, float* c, int rows, int columns, int depth) {
  __shared__ float left[tile][tile + 1], right[tile][tile + 1];
  const int i = blockIdx.y * tile + threadIdx.y, j = blockIdx.x * tile + threadIdx.x;
  float sum = 0;
  for (int k0 = 0; k0 < depth; k0 += tile) {
    const int ka = k0 + threadIdx.x, kb = k0 + threadIdx.y;
    left[threadIdx.y][threadIdx.x] = i < rows && ka < depth ? a.data[i * a.row + ka * a.column] : 0;
    right[threadIdx.y][threadIdx.x] = j < columns && kb < depth ? b.data[kb * b.row + j * b.column] : 0;
    __syncthreads();
    for (int k = 0; k < tile; ++k) sum += left[threadIdx.y][k] * right[k][threadIdx.x];
    __syncthreads();
  }
  if (i < rows && j < columns) c[i * columns + j] = sum + (bias != nullptr ? bias[j] : 0);
}

__global__ void pick(const float* points, const int* batch, float* x, int rows) {
  const int i = blockIdx.x;
  if (i < rows) x[i * Shape::inputs + threadIdx.x] = points[batch[i] * Shape::inputs + threadIdx.x];
}

__global__ void relu(float* values, int count) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < count) values[i] = fmaxf(values[i], 0);
}

__global__ void relu_back(float* gradient, const float* hidden, int count) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < count && hidden[i] <= 0) gradient[i] = 0;
}

/// Replaces scores by their gradients; writes the loss of each sample.
__global__ void cross_entropy(float* scores, const int* labels, const int* batch, float* losses, float scale,
                              int rows) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= rows) return;
  float* const out = scores + i * Shape::classes;
  float most = out[0], sum = 0;
  for (int c = 1; c < Shape::classes; ++c) most = fmaxf(most, out[c]);
  for (int c = 0; c < Shape::classes; ++c) sum += expf(out[c] - most);
  const int label = labels[batch[i]];
  losses[i] = scale * (logf(sum) + most - out[label]);
  for (int c = 0; c < Shape::classes; ++c) {
    out[c] = scale * (expf(out[c] - most) / sum - (c == label ? 1.0F : 0.0F));
  }
}

/// Each thread sums one column.
__global__ void add_rows(const float* values, float* sums, int rows, int columns) {
  const int j = blockIdx.x * blockDim.x + threadIdx.x;
  if (j >= columns) return;
  float sum = 0;
  for (int i = 0; i < rows; ++i) sum += values[i * columns + j];
  sums[j] = sum;
}

__global__ void step_parameters(float* state, const float* gradients, AdamWStep bias) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= Shape::parameters) return;
  float& parameter = state[i];
  float& first = state[Shape::parameters + i];
  float& second = state[2 * Shape::parameters + i];
  const float g = gradients[i];
  first = AdamW::beta1 * first + (1 - AdamW::beta1) * g;
  second = AdamW::beta2 * second + (1 - AdamW::beta2) * g * g;
  parameter -= AdamW::rate * AdamW::decay * parameter;
  parameter -= AdamW::rate * first * bias.first / (sqrtf(second) * bias.second + AdamW::epsilon);
}

class CudaMlp : public Mlp {
 public:
  explicit CudaMlp(const ToyData& data)
      : points_(data.points.size() * sizeof(float)),
        labels_(data.labels.size() * sizeof(int)),
        batch_(most_batch * sizeof(int)),
        x_(std::size_t{most_batch} * Shape::inputs * sizeof(float)),
        hidden_(std::size_t{most_batch} * Shape::hidden * sizeof(float)),
        back_(std::size_t{most_batch} * Shape::hidden * sizeof(float)),
        scores_(std::size_t{most_batch} * Shape::classes * sizeof(float)),
        losses_(most_batch * sizeof(float)),
        state_(state_count * sizeof(float)),
        gradients_(gradient_count * sizeof(float)) {
    upload(points_, data.points.data(), data.points.size() * sizeof(float));
    upload(labels_, data.labels.data(), data.labels.size() * sizeof(int));
    auto start = initial_parameters();
    start.resize(state_count, 0.0F);
    restore(start);
  }

  float* gradients() override { return gradients_.as<float>(); }

  void differentiate(std::span<const int> batch, float scale, float passenger) override {
    const auto rows = static_cast<int>(batch.size());
    auto* const state = state_.as<float>();
    auto* const gradient = gradients();
    cuda_call(cudaMemset(gradient, 0, gradient_count * sizeof(float)), "clear the gradients");
    upload_float(gradient + Shape::parameters + 1, passenger);
    if (rows == 0) return;
    upload(batch_, batch.data(), batch.size_bytes());
    auto* const x = x_.as<float>();
    auto* const hidden = hidden_.as<float>();
    auto* const back = back_.as<float>();
    auto* const scores = scores_.as<float>();
    const float* const w1 = state + Shape::first_weights;
    const float* const w2 = state + Shape::second_weights;
    pick<<<rows, Shape::inputs>>>(points_.as<float>(), batch_.as<int>(), x, rows);
    gemm({x, Shape::inputs, 1}, {w1, Shape::hidden, 1}, state + Shape::first_biases, hidden, rows, Shape::hidden,
         Shape::inputs);
    relu<<<blocks(rows * Shape::hidden), threads>>>(hidden, rows * Shape::hidden);
    gemm({hidden, Shape::hidden, 1}, {w2, Shape::classes, 1}, state + Shape::second_biases, scores, rows,
         Shape::classes, Shape::hidden);
    cross_entropy<<<blocks(rows), threads>>>(scores, labels_.as<int>(), batch_.as<int>(), losses_.as<float>(), scale,
                                             rows);
    add_rows<<<1, 1>>>(losses_.as<float>(), gradient + Shape::parameters, rows, 1);
    gemm({hidden, 1, Shape::hidden}, {scores, Shape::classes, 1}, nullptr, gradient + Shape::second_weights,
         Shape::hidden, Shape::classes, rows);
    add_rows<<<1, threads>>>(scores, gradient + Shape::second_biases, rows, Shape::classes);
    gemm({scores, Shape::classes, 1}, {w2, 1, Shape::classes}, nullptr, back, rows, Shape::hidden, Shape::classes);
    relu_back<<<blocks(rows * Shape::hidden), threads>>>(back, hidden, rows * Shape::hidden);
    gemm({x, 1, Shape::inputs}, {back, Shape::hidden, 1}, nullptr, gradient + Shape::first_weights, Shape::inputs,
         Shape::hidden, rows);
    add_rows<<<1, threads>>>(back, gradient + Shape::first_biases, rows, Shape::hidden);
    cuda_call(cudaGetLastError(), "differentiate");
  }

  Sums sums() override {
    Sums sums;
    cuda_call(cudaMemcpy(&sums, gradients() + Shape::parameters, sizeof sums, cudaMemcpyDeviceToHost), "read the loss");
    return sums;
  }

  void update(std::int64_t step) override {
    step_parameters<<<blocks(Shape::parameters), threads>>>(state_.as<float>(), gradients(), adamw_step(step));
    cuda_call(cudaGetLastError(), "update the weights");
  }

  std::vector<float> state() const override {
    std::vector<float> state(state_count);
    cuda_call(cudaMemcpy(state.data(), state_.as(), state_count * sizeof(float), cudaMemcpyDeviceToHost),
              "read the weights");
    return state;
  }

  void restore(std::span<const float> state) override { upload(state_, state.data(), state.size_bytes()); }

 private:
  static constexpr int threads = 256;
  static int blocks(int count) { return (count + threads - 1) / threads; }

  static void upload(const DeviceMemory& memory, const void* data, std::size_t bytes) {
    cuda_call(cudaMemcpy(memory.as(), data, bytes, cudaMemcpyHostToDevice), "copy to the GPU");
  }
  static void upload_float(float* place, float value) {
    cuda_call(cudaMemcpy(place, &value, sizeof value, cudaMemcpyHostToDevice), "copy to the GPU");
  }
  static void gemm(Matrix a, Matrix b, const float* bias, float* c, int rows, int columns, int depth) {
    const dim3 grid(static_cast<unsigned>((columns + tile - 1) / tile),
                    static_cast<unsigned>((rows + tile - 1) / tile));
    multiply<<<grid, dim3(tile, tile)>>>(a, b, bias, c, rows, columns, depth);
  }

  DeviceMemory points_, labels_, batch_, x_, hidden_, back_, scores_, losses_, state_, gradients_;
};

}  // namespace

std::unique_ptr<Mlp> cuda_mlp(const ToyData& data) {
  return std::make_unique<CudaMlp>(data);
}

}  // namespace rv::workers
