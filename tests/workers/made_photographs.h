// JPEGs about as large and as rough as the photographs of ImageNet.
#pragma once

#include <cmath>

#include "tests/workers/pictures.h"

namespace rv::tests {

/// Waves of three colours, with its own grain.
inline std::string photograph(unsigned int seed, int width = 500, int height = 375, const JpegKind& kind = {94}) {
  auto state = seed * 2654435761U + 1;
  return jpeg(
      width, height, 3,
      [&](int x, int y) {
        state = state * 1664525U + 1013904223U;
        const int grain = static_cast<int>(state >> 27);
        const auto wave = [&](double a, double b) {
          return static_cast<int>(100 + 70 * std::sin(x * a + seed) * std::cos(y * b)) + grain;
        };
        return Colour{wave(0.05, 0.09), wave(0.11, 0.03), wave(0.02, 0.2), 0};
      },
      kind);
}

}  // namespace rv::tests
