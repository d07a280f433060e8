#pragma once

#include <cstdint>
#include <vector>

#include "workers/envs/terrain/height_field.h"

namespace rv::envs {

/// What a patch of ground is like. The robot begins in its middle and walks outwards: "up" is a pit that it climbs out
/// of.
enum class Ground { slope_up, slope_down, rough, stairs_up, stairs_down, boxes, gaps };

/// The training ground's map: patches of 8 m × 8 m side by side, harder with each row of `levels`, one kind a column.
/// Every patch ends at height 0, so that they join.
struct TerrainMap {
  static constexpr int levels = 10, kinds = 20;
  static constexpr int cells = 160;  ///< along a patch's side
  static constexpr float cell = 0.05F, side = cells * cell;
  static constexpr int rows = levels * cells + 1, columns = kinds * cells + 1;
};

/// The kind of a column of patches: of twenty, two each of slopes up, down and rough, four each of stairs up, down and
/// boxes, two of gaps.
Ground ground_of(int column);

/// The middle of a patch.
RV_BOTH Origin middle_of(int level, int column) {
  return {level * TerrainMap::cells + TerrainMap::cells / 2, column * TerrainMap::cells + TerrainMap::cells / 2};
}

/// Heights of the whole map, [rows × columns]; the same for the same seed.
std::vector<float> make_terrain(std::uint64_t seed);

/// How hard a level is: its slope (rise over run), the height of a stair, the height of boxes, the width of a gap.
struct Difficulty {
  float slope, step, box, gap, roughness;
};
Difficulty difficulty(int level);

}  // namespace rv::envs
