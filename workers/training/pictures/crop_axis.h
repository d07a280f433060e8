#pragma once

#include <cstdint>

namespace rv::workers {

/// Which pixels of one axis a pixel of the crop is made of: a tent over it, as wide as it is on the picture, or as two
/// of the picture's pixels if that is more. The shares of a pixel sum up to `sum`, by which they are to be divided.
struct Tent {
  double centre = 0, width = 1;  ///< in the picture's pixels
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

/// One axis of a picture that is resized and then cropped, in pixels; for the host and for kernels.
struct CropAxis {
  std::int64_t extent = 0;   ///< the picture's
  std::int64_t resized = 0;  ///< the resized picture's
  std::int64_t begin = 0;    ///< where the crop begins in it

  /// The whole number that is nearest to `value`, which is not negative; halves go up.
  static constexpr std::int64_t nearest(double value) { return (static_cast<std::int64_t>(2 * value) + 1) / 2; }

  /// Of the pixel `place` of the crop.
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
