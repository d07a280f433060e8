#include "workers/envs/terrain/terrain.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdlib>

#include "workers/envs/numbers/random.h"

namespace rv::envs {
namespace {

constexpr int half = TerrainMap::cells / 2;
constexpr int platform = 20;    // cells from the middle to the edge of the starting platform
constexpr int tread = 6;        // cells per stair
constexpr int rough_every = 4;  // cells between random heights

/// A patch under construction; (i, j) are points relative to its middle, -half to half.
class Patch {
 public:
  Patch(std::vector<float>& heights, int level, int column, std::uint64_t seed)
      : heights_(heights), middle_(middle_of(level, column)), patch_(level * TerrainMap::kinds + column), seed_(seed) {}

  template <class Height>
  void fill(Height height) {
    for (int i = -half; i <= half; ++i) {
      for (int j = -half; j <= half; ++j) at(i, j) = height(i, j, std::max(std::abs(i), std::abs(j)));
    }
  }

  /// Sets random heights on a coarse grid with linear interpolation; the patch's edge stays at 0.
  void roughen(float most) {
    for (int i = -half + 1; i < half; ++i) {
      for (int j = -half + 1; j < half; ++j) {
        const int a = (i + half) / rough_every, b = (j + half) / rough_every;
        const float s = static_cast<float>((i + half) % rough_every) / rough_every;
        const float t = static_cast<float>((j + half) % rough_every) / rough_every;
        const float near = (1 - t) * bump(a, b) + t * bump(a, b + 1);
        const float far = (1 - t) * bump(a + 1, b) + t * bump(a + 1, b + 1);
        at(i, j) += most * ((1 - s) * near + s * far);
      }
    }
  }

  void boxes(float height) {
    for (std::uint32_t box = 0; box < 40; ++box) {
      const auto place = philox({{box, patch_, 1, 0}}, seed_);
      const auto shape = philox({{box, patch_, 2, 0}}, seed_);
      const int depth = 8 + static_cast<int>(shape.word[0] % 24U), width = 8 + static_cast<int>(shape.word[1] % 24U);
      const int i0 = -half + 1 + static_cast<int>(place.word[0] % static_cast<unsigned>(2 * half - 2 - depth));
      const int j0 = -half + 1 + static_cast<int>(place.word[1] % static_cast<unsigned>(2 * half - 2 - width));
      static constexpr std::array<float, 4> parts = {-1, -0.5F, 0.5F, 1};
      const float top = height * parts[shape.word[2] % 4U];
      for (int i = i0; i < i0 + depth; ++i) {
        for (int j = j0; j < j0 + width; ++j) at(i, j) = top;
      }
    }
    for (int i = -platform; i <= platform; ++i) {
      for (int j = -platform; j <= platform; ++j) at(i, j) = 0;
    }
  }

 private:
  float& at(int i, int j) {
    return heights_[static_cast<std::size_t>(middle_.row + i) * TerrainMap::columns +
                    static_cast<std::size_t>(middle_.column + j)];
  }

  float bump(int a, int b) const {
    constexpr int last = TerrainMap::cells / rough_every;
    if (a == 0 || b == 0 || a == last || b == last) return 0;
    const auto drawn = philox({{static_cast<std::uint32_t>(a), static_cast<std::uint32_t>(b), patch_, 3}}, seed_);
    return uniform(drawn.word[0], -1, 1);
  }

  std::vector<float>& heights_;
  Origin middle_;
  std::uint32_t patch_;
  std::uint64_t seed_;
};

void make_patch(Patch patch, Ground kind, const Difficulty& hard) {
  const auto cone = [&](float sign) {
    patch.fill([&](int, int, int ring) {
      return sign * hard.slope * TerrainMap::cell * static_cast<float>(half - std::max(ring, platform));
    });
  };
  const auto stairs = [&](float sign) {
    patch.fill([&](int, int, int ring) {
      const int stair = (half - std::max(ring, platform)) / tread;
      return sign * hard.step * static_cast<float>(stair);
    });
  };
  switch (kind) {
    case Ground::slope_up:
      return cone(-1);
    case Ground::slope_down:
      return cone(1);
    case Ground::rough:
      cone(0.5F);
      return patch.roughen(hard.roughness);
    case Ground::stairs_up:
      return stairs(-1);
    case Ground::stairs_down:
      return stairs(1);
    case Ground::boxes:
      return patch.boxes(hard.box);
    case Ground::gaps: {
      const int width = static_cast<int>(std::lround(hard.gap / TerrainMap::cell));
      return patch.fill([&](int, int, int ring) { return ring > platform && ring <= platform + width ? -1.0F : 0.0F; });
    }
  }
}

}  // namespace

Ground ground_of(int column) {
  static constexpr std::array<Ground, TerrainMap::kinds> kinds = {
      Ground::slope_up,    Ground::slope_down, Ground::rough,       Ground::stairs_up, Ground::stairs_down,
      Ground::stairs_up,   Ground::boxes,      Ground::stairs_down, Ground::gaps,      Ground::boxes,
      Ground::slope_up,    Ground::slope_down, Ground::rough,       Ground::stairs_up, Ground::stairs_down,
      Ground::stairs_down, Ground::boxes,      Ground::stairs_up,   Ground::gaps,      Ground::boxes};
  return kinds[static_cast<std::size_t>(column)];
}

Difficulty difficulty(int level) {
  const float part = static_cast<float>(level) / (TerrainMap::levels - 1);
  return {0.05F + 0.35F * part, 0.03F + 0.18F * part, 0.05F + 0.2F * part, 0.1F + 0.6F * part, 0.02F + 0.06F * part};
}

std::vector<float> make_terrain(std::uint64_t seed) {
  std::vector<float> heights(static_cast<std::size_t>(TerrainMap::rows) * TerrainMap::columns);
  for (int level = 0; level < TerrainMap::levels; ++level) {
    for (int column = 0; column < TerrainMap::kinds; ++column) {
      make_patch(Patch(heights, level, column, seed), ground_of(column), difficulty(level));
    }
  }
  return heights;
}

}  // namespace rv::envs
