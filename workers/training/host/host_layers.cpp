#include "workers/training/host/host_layers.h"

#include <algorithm>
#include <cmath>

namespace rv::workers {
namespace {

std::size_t size(int number) {
  return static_cast<std::size_t>(number);
}

/// Calls visit(first channel of the input element, of the weight, position of the output) for every matching pair.
template <class Visit>
void convolve(const TensorShape& in, const TensorShape& out, const Layer& layer, Visit visit) {
  for (int n = 0; n < out.n; ++n) {
    for (int i = 0; i < out.h; ++i) {
      for (int j = 0; j < out.w; ++j) {
        const auto to = (size(n) * size(out.h) + size(i)) * size(out.w) + size(j);
        for (int r = 0; r < layer.kernel; ++r) {
          const int h = i * layer.stride - layer.padding + r;
          if (h < 0 || h >= in.h) continue;
          for (int s = 0; s < layer.kernel; ++s) {
            const int w = j * layer.stride - layer.padding + s;
            if (w < 0 || w >= in.w) continue;
            const auto from = (size(n) * size(in.h) + size(h)) * size(in.w) + size(w);
            visit(from * size(in.c), size(r * layer.kernel + s) * size(in.c), to * size(out.c));
          }
        }
      }
    }
  }
}

}  // namespace

template <class T>
void HostLayers<T>::convolution(const TensorShape& in, const TensorShape& out, const Layer& layer, const T* x,
                                const T* w, T* y) {
  const auto filter = size(layer.kernel * layer.kernel) * size(in.c);
  std::fill_n(y, out.count(), T(0));
  convolve(in, out, layer, [&](std::size_t from, std::size_t weight, std::size_t to) {
    for (std::size_t k = 0; k < size(out.c); ++k) {
      T sum = 0;
      for (std::size_t c = 0; c < size(in.c); ++c) sum += x[from + c] * w[k * filter + weight + c];
      y[to + k] += sum;
    }
  });
}

template <class T>
void HostLayers<T>::convolution_back(const TensorShape& in, const TensorShape& out, const Layer& layer, const T* x,
                                     const T* w, const T* dy, T* dx, T* dw) {
  const auto filter = size(layer.kernel * layer.kernel) * size(in.c);
  convolve(in, out, layer, [&](std::size_t from, std::size_t weight, std::size_t to) {
    for (std::size_t k = 0; k < size(out.c); ++k) {
      const T d = dy[to + k];
      for (std::size_t c = 0; c < size(in.c); ++c) dw[k * filter + weight + c] += d * x[from + c];
      if (dx == nullptr) continue;
      for (std::size_t c = 0; c < size(in.c); ++c) dx[from + c] += d * w[k * filter + weight + c];
    }
  });
}

template <class T>
void HostLayers<T>::batch_norm(const TensorShape& shape, bool relu, const T* x, const T* residual, const T* scale,
                               const T* shift, T* y, T* saved, float* running) {
  const auto rows = shape.rows(), channels = size(shape.c);
  for (std::size_t c = 0; c < channels; ++c) {
    double sum = 0, squares = 0;
    for (std::size_t i = 0; i < rows; ++i) sum += static_cast<double>(x[i * channels + c]);
    const double mean = sum / static_cast<double>(rows);
    for (std::size_t i = 0; i < rows; ++i) {
      const double off = static_cast<double>(x[i * channels + c]) - mean;
      squares += off * off;
    }
    const double variance = squares / static_cast<double>(rows);
    saved[c] = static_cast<T>(mean);
    saved[channels + c] = static_cast<T>(1 / std::sqrt(variance + norm_epsilon));
    const double unbiased = rows > 1 ? squares / static_cast<double>(rows - 1) : variance;
    running[c] = static_cast<float>((1 - running_step) * static_cast<double>(running[c]) + running_step * mean);
    running[channels + c] =
        static_cast<float>((1 - running_step) * static_cast<double>(running[channels + c]) + running_step * unbiased);
  }
  for (std::size_t i = 0; i < rows; ++i) {
    for (std::size_t c = 0; c < channels; ++c) {
      const auto k = i * channels + c;
      T value = (x[k] - saved[c]) * saved[channels + c] * scale[c] + shift[c];
      if (residual != nullptr) value += residual[k];
      y[k] = relu ? std::max(value, T(0)) : value;
    }
  }
}

template <class T>
void HostLayers<T>::batch_norm_back(const TensorShape& shape, bool relu, const T* x, const T* y, const T* scale,
                                    const T* saved, const T* dy, T* dx, T* dresidual, T* dscale, T* dshift) {
  const auto rows = shape.rows(), channels = size(shape.c);
  for (std::size_t c = 0; c < channels; ++c) {
    double sum = 0, products = 0;
    const auto at = [&](std::size_t i) { return relu && y[i * channels + c] <= 0 ? T(0) : dy[i * channels + c]; };
    const auto normal = [&](std::size_t i) { return (x[i * channels + c] - saved[c]) * saved[channels + c]; };
    for (std::size_t i = 0; i < rows; ++i) {
      sum += static_cast<double>(at(i));
      products += static_cast<double>(at(i) * normal(i));
    }
    dshift[c] += static_cast<T>(sum);
    dscale[c] += static_cast<T>(products);
    const auto mean = static_cast<T>(sum / static_cast<double>(rows));
    const auto mean_product = static_cast<T>(products / static_cast<double>(rows));
    for (std::size_t i = 0; i < rows; ++i) {
      const auto k = i * channels + c;
      if (dresidual != nullptr) dresidual[k] += at(i);
      if (dx != nullptr) dx[k] += scale[c] * saved[channels + c] * (at(i) - mean - normal(i) * mean_product);
    }
  }
}

template <class T>
void HostLayers<T>::max_pool(const TensorShape& in, const TensorShape& out, const T* x, T* y, std::size_t* from) {
  Layer window;
  window.kernel = 3;
  window.stride = 2;
  window.padding = 1;
  std::fill_n(from, out.count(), in.count());
  convolve(in, out, window, [&](std::size_t at, std::size_t, std::size_t to) {
    for (std::size_t c = 0; c < size(in.c); ++c) {
      auto& best = from[to + c];
      if (best == in.count() || x[at + c] > x[best]) best = at + c;
    }
  });
  for (std::size_t i = 0; i < out.count(); ++i) y[i] = x[from[i]];
}

template <class T>
void HostLayers<T>::mean_pool(const TensorShape& in, const T* x, T* y) {
  const auto places = size(in.h) * size(in.w), channels = size(in.c);
  for (std::size_t n = 0; n < size(in.n); ++n) {
    for (std::size_t c = 0; c < channels; ++c) {
      T sum = 0;
      for (std::size_t p = 0; p < places; ++p) sum += x[(n * places + p) * channels + c];
      y[n * channels + c] = sum / static_cast<T>(places);
    }
  }
}

template <class T>
void HostLayers<T>::mean_pool_back(const TensorShape& in, const T* dy, T* dx) {
  const auto places = size(in.h) * size(in.w), channels = size(in.c);
  for (std::size_t i = 0; i < in.rows(); ++i) {
    for (std::size_t c = 0; c < channels; ++c) {
      dx[i * channels + c] += dy[i / places * channels + c] / static_cast<T>(places);
    }
  }
}

template <class T>
void HostLayers<T>::linear(std::size_t rows, int in, int out, bool relu, const T* x, const T* w, const T* b, T* y) {
  for (std::size_t i = 0; i < rows; ++i) {
    for (std::size_t k = 0; k < size(out); ++k) {
      T sum = 0;
      for (std::size_t c = 0; c < size(in); ++c) sum += x[i * size(in) + c] * w[k * size(in) + c];
      sum += b[k];
      y[i * size(out) + k] = relu ? std::max(sum, T(0)) : sum;
    }
  }
}

template <class T>
void HostLayers<T>::linear_back(std::size_t rows, int in, int out, bool relu, const T* x, const T* w, const T* y,
                                const T* dy, T* dx, T* dw, T* db) {
  for (std::size_t i = 0; i < rows; ++i) {
    for (std::size_t k = 0; k < size(out); ++k) {
      const auto at = i * size(out) + k;
      const T d = relu && y[at] <= 0 ? T(0) : dy[at];
      db[k] += d;
      for (std::size_t c = 0; c < size(in); ++c) dw[k * size(in) + c] += d * x[i * size(in) + c];
      if (dx == nullptr) continue;
      for (std::size_t c = 0; c < size(in); ++c) dx[i * size(in) + c] += d * w[k * size(in) + c];
    }
  }
}

template <class T>
void HostLayers<T>::embedding(const TensorShape& out, const int* tokens, const T* table, T* y) {
  const auto root = static_cast<T>(std::sqrt(out.c));
  for (std::size_t i = 0; i < out.rows(); ++i) {
    const auto position = static_cast<int>(i % size(out.h));
    for (std::size_t c = 0; c < size(out.c); ++c) {
      y[i * size(out.c) + c] = table[size(tokens[i]) * size(out.c) + c] * root +
                               static_cast<T>(position_encoding(position, static_cast<int>(c), out.c));
    }
  }
}

template <class T>
void HostLayers<T>::embedding_back(const TensorShape& out, const int* tokens, const T* dy, T* dtable) {
  const auto root = static_cast<T>(std::sqrt(out.c));
  for (std::size_t i = 0; i < out.rows(); ++i) {
    for (std::size_t c = 0; c < size(out.c); ++c) {
      dtable[size(tokens[i]) * size(out.c) + c] += root * dy[i * size(out.c) + c];
    }
  }
}

template <class T>
void HostLayers<T>::drop(std::size_t count, const Dropout& dropout, std::uint64_t key, const T* x, T* y) {
  const auto scale = static_cast<T>(dropout.scale());
  for (std::size_t i = 0; i < count; ++i) {
    y[i] = dropout_keeps(dropout_bits(key, i), i, dropout.kept) ? x[i] * scale : T(0);
  }
}

template <class T>
void HostLayers<T>::drop_back(std::size_t count, const Dropout& dropout, std::uint64_t key, const T* dy, T* dx) {
  const auto scale = static_cast<T>(dropout.scale());
  for (std::size_t i = 0; i < count; ++i) {
    if (dropout_keeps(dropout_bits(key, i), i, dropout.kept)) dx[i] += dy[i] * scale;
  }
}

template <class T>
void HostLayers<T>::layer_norm(std::size_t rows, int width, const T* x, const T* scale, const T* shift, T* y,
                               T* saved) {
  const auto channels = size(width);
  for (std::size_t i = 0; i < rows; ++i) {
    const T* const row = x + i * channels;
    double sum = 0, squares = 0;
    for (std::size_t c = 0; c < channels; ++c) sum += static_cast<double>(row[c]);
    const double mean = sum / width;
    for (std::size_t c = 0; c < channels; ++c) {
      const double off = static_cast<double>(row[c]) - mean;
      squares += off * off;
    }
    saved[i] = static_cast<T>(mean);
    saved[rows + i] = static_cast<T>(1 / std::sqrt(squares / width + norm_epsilon));
    for (std::size_t c = 0; c < channels; ++c) {
      y[i * channels + c] = (row[c] - saved[i]) * saved[rows + i] * scale[c] + shift[c];
    }
  }
}

template <class T>
void HostLayers<T>::layer_norm_back(std::size_t rows, int width, const T* x, const T* scale, const T* saved,
                                    const T* dy, T* dx, T* dscale, T* dshift) {
  const auto channels = size(width);
  for (std::size_t i = 0; i < rows; ++i) {
    T sum = 0, products = 0;
    for (std::size_t c = 0; c < channels; ++c) {
      const auto k = i * channels + c;
      const T normal = (x[k] - saved[i]) * saved[rows + i];
      dscale[c] += dy[k] * normal;
      dshift[c] += dy[k];
      sum += dy[k] * scale[c];
      products += dy[k] * scale[c] * normal;
    }
    for (std::size_t c = 0; c < channels; ++c) {
      const auto k = i * channels + c;
      const T normal = (x[k] - saved[i]) * saved[rows + i];
      dx[k] = saved[rows + i] * (dy[k] * scale[c] - (sum + normal * products) / static_cast<T>(width));
    }
  }
}

template <class T>
void HostLayers<T>::attention(const TensorShape& out, int heads, const Dropout& dropout, std::uint64_t key,
                              const T* qkv, T* y, T* weights) {
  const auto length = size(out.h), width = size(out.c), wide = 3 * width, part = width / size(heads);
  const auto root = static_cast<T>(1 / std::sqrt(static_cast<double>(part)));
  const auto kept = static_cast<T>(dropout.scale());
  std::fill_n(y, out.count(), T(0));
  for (std::size_t n = 0; n < size(out.n); ++n) {
    for (std::size_t head = 0; head < size(heads); ++head) {
      const T* const q = qkv + n * length * wide + head * part;
      for (std::size_t i = 0; i < length; ++i) {
        const auto number = (n * size(heads) + head) * length + i, row = number * size(dropout_row(out.h));
        T* const w = weights + number * length;
        T most = -INFINITY, sum = 0;
        for (std::size_t j = 0; j <= i; ++j) {
          T product = 0;
          for (std::size_t c = 0; c < part; ++c) product += q[i * wide + c] * q[j * wide + width + c];
          w[j] = product * root;
          most = std::max(most, w[j]);
        }
        for (std::size_t j = 0; j <= i; ++j) sum += w[j] = std::exp(w[j] - most);
        for (std::size_t j = 0; j < length; ++j) w[j] = j <= i ? w[j] / sum : T(0);
        for (std::size_t j = 0; j <= i; ++j) {
          if (!dropout_keeps(dropout_bits(key, row + j), row + j, dropout.kept)) continue;
          for (std::size_t c = 0; c < part; ++c) {
            y[(n * length + i) * width + head * part + c] += w[j] * kept * q[j * wide + 2 * width + c];
          }
        }
      }
    }
  }
}

template <class T>
void HostLayers<T>::attention_back(const TensorShape& out, int heads, const Dropout& dropout, std::uint64_t key,
                                   const T* qkv, const T* weights, const T* dy, T* dqkv) {
  const auto length = size(out.h), width = size(out.c), wide = 3 * width, part = width / size(heads);
  const auto root = static_cast<T>(1 / std::sqrt(static_cast<double>(part)));
  const auto kept = static_cast<T>(dropout.scale());
  std::vector<T> dw(length);
  for (std::size_t n = 0; n < size(out.n); ++n) {
    for (std::size_t head = 0; head < size(heads); ++head) {
      const T* const q = qkv + n * length * wide + head * part;
      T* const dq = dqkv + n * length * wide + head * part;
      for (std::size_t i = 0; i < length; ++i) {
        const auto number = (n * size(heads) + head) * length + i, row = number * size(dropout_row(out.h));
        const T* const w = weights + number * length;
        const T* const d = dy + (n * length + i) * width + head * part;
        T sum = 0;
        for (std::size_t j = 0; j <= i; ++j) {
          dw[j] = 0;
          if (!dropout_keeps(dropout_bits(key, row + j), row + j, dropout.kept)) continue;
          for (std::size_t c = 0; c < part; ++c) {
            dw[j] += d[c] * kept * q[j * wide + 2 * width + c];
            dq[j * wide + 2 * width + c] += w[j] * kept * d[c];
          }
          sum += dw[j] * w[j];
        }
        for (std::size_t j = 0; j <= i; ++j) {
          const T score = w[j] * (dw[j] - sum) * root;
          for (std::size_t c = 0; c < part; ++c) {
            dq[i * wide + c] += score * q[j * wide + width + c];
            dq[j * wide + width + c] += score * q[i * wide + c];
          }
        }
      }
    }
  }
}

template <class T>
double HostLayers<T>::cross_entropy(std::size_t rows, int classes, const int* labels, double scale, T* scores) {
  double loss = 0;
  for (std::size_t i = 0; i < rows; ++i) {
    T* const row = scores + i * size(classes);
    double most = -HUGE_VAL, sum = 0;
    for (int c = 0; c < classes; ++c) most = std::max(most, static_cast<double>(row[c]));
    for (int c = 0; c < classes; ++c) sum += std::exp(static_cast<double>(row[c]) - most);
    loss += scale * (std::log(sum) + most - static_cast<double>(row[labels[i]]));
    for (int c = 0; c < classes; ++c) {
      const double share = std::exp(static_cast<double>(row[c]) - most) / sum;
      row[c] = static_cast<T>(scale * (share - (c == labels[i] ? 1 : 0)));
    }
  }
  return loss;
}

template struct HostLayers<float>;
template struct HostLayers<double>;

}  // namespace rv::workers
