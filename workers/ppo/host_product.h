#pragma once

#include <algorithm>
#include <cstddef>

namespace rv::ppo {

/// A matrix with strides, so that a transposed matrix uses the same memory.
template <class T>
struct View {
  T* data;
  std::ptrdiff_t row, column;
};

/// c = a · b, plus `bias` for each column if it is not null. The columns of b and c are contiguous. Each element is
/// summed in the order of `depth`, independently of how the work is divided.
template <class T>
void multiply(View<const T> a, const T* b, std::ptrdiff_t b_row, const T* bias, T* c, std::ptrdiff_t c_row, int rows,
              int columns, int depth) {
  constexpr int tall = 4, wide = 8;
  for (int i = 0; i < rows; i += tall) {
    const int high = std::min(tall, rows - i);
    for (int j = 0; j < columns; j += wide) {
      const int broad = std::min(wide, columns - j);
      T sums[tall][wide] = {};
      if (high == tall && broad == wide) {
        for (int k = 0; k < depth; ++k) {
          const T* const line = b + k * b_row + j;
          for (int y = 0; y < tall; ++y) {
            const T factor = a.data[(i + y) * a.row + k * a.column];
            for (int x = 0; x < wide; ++x) sums[y][x] += factor * line[x];
          }
        }
      } else {
        for (int k = 0; k < depth; ++k) {
          const T* const line = b + k * b_row + j;
          for (int y = 0; y < high; ++y) {
            const T factor = a.data[(i + y) * a.row + k * a.column];
            for (int x = 0; x < broad; ++x) sums[y][x] += factor * line[x];
          }
        }
      }
      for (int y = 0; y < high; ++y) {
        for (int x = 0; x < broad; ++x)
          c[(i + y) * c_row + j + x] = sums[y][x] + (bias != nullptr ? bias[j + x] : T(0));
      }
    }
  }
}

}  // namespace rv::ppo
