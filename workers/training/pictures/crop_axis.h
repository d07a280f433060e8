#pragma once

#include <cstdint>

namespace rv::workers {

/// The pixels of one axis that a pixel of the crop is computed from, weighted by a triangle around its centre. The
/// triangle is as wide as two pixels of the resized picture, but at least as wide as two of the original picture. The
/// weights are to be divided by their sum `sum`.
struct Tent {
  double centre = 0, width = 1;  ///< in pixels of the original picture
  std::int64_t first = 0, end = 0;
  constexpr double share(std::int64_t pixel) const {
    const double distance = static_cast<double>(pixel) + 0.5 - centre,
                 part = (distance < 0 ? -distance : distance) / width;
    return part < 1 ? 1 - part : 0;
  }
  constexpr double sum() const {
    double sum = 0;
    for (auto pixel = first; pixel < end; ++pixel) sum += share(pixel);
    return sum;
  }
};

/// One axis of a picture that is resized and then cropped, in pixels; for host and kernels.
struct CropAxis {
  std::int64_t extent = 0;   ///< size of the picture
  std::int64_t resized = 0;  ///< size of the resized picture
  std::int64_t begin = 0;    ///< first pixel of the crop in the resized picture

  /// Rounds a non-negative number to the nearest integer; halves are rounded up.
  static constexpr std::int64_t nearest(double value) { return (static_cast<std::int64_t>(2 * value) + 1) / 2; }

  /// The weights for pixel `place` of the crop.
  constexpr Tent tent(int place) const {
    const double scale = static_cast<double>(extent) / static_cast<double>(resized);
    Tent tent;
    tent.width = scale > 1 ? scale : 1;
    tent.centre = (static_cast<double>(begin + place) + 0.5) * scale;
    const double from = tent.centre - tent.width, to = tent.centre + tent.width;
    tent.first = from > 0 ? nearest(from) : 0;
    tent.end = nearest(to);
    if (tent.end > extent) tent.end = extent;
    return tent;
  }
};

}  // namespace rv::workers
