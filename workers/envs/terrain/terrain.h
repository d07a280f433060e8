#pragma once

#include <cstdint>
#include <vector>

#include "workers/envs/terrain/height_field.h"

namespace rv::envs {

/// The kind of a patch of ground. The robot starts in its middle and walks outwards, so "up" is a pit that it climbs
/// out of.
enum class Ground { slope_up, slope_down, rough, stairs_up, stairs_down, boxes, gaps };

/// The map of the training ground: patches of 8 m × 8 m side by side. Each row of `levels` is harder than the one
/// before, each column has one kind. Every patch has height 0 at its edge, so that they join.
struct TerrainMap {
  static constexpr int levels = 10, kinds = 20;
  static constexpr int cells = 160;  ///< cells along a patch's side
  static constexpr float cell = 0.05F, side = cells * cell;
  static constexpr int rows = levels * cells + 1, columns = kinds * cells + 1;
};

/// The kind of a column of patches. Of twenty columns, two each are slopes up, slopes down and rough, four each are
/// stairs up, stairs down and boxes, two are gaps.
Ground ground_of(int column);

/// The middle of a patch.
RV_BOTH Origin middle_of(int level, int column) {
  return {level * TerrainMap::cells + TerrainMap::cells / 2, column * TerrainMap::cells + TerrainMap::cells / 2};
}

/// Heights of the whole map, [rows × columns]. Equal seeds give equal maps.
std::vector<float> make_terrain(std::uint64_t seed);

/// The difficulty of a level: slope (rise over run), height of a stair, height of boxes, width of a gap.
struct Difficulty {
  float slope, step, box, gap, roughness;
};
Difficulty difficulty(int level);

}  // namespace rv::envs
