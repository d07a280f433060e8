#pragma once

#include <array>
#include <cstdint>
#include <string_view>
#include <vector>

#include "workers/training/pictures/crop_axis.h"

namespace rv::workers {

/// Red, green and blue of each pixel, in row-major order.
struct Picture {
  std::size_t width = 0, height = 0;
  std::vector<std::uint8_t> pixels;
};

/// Whether this build has libjpeg-turbo and libpng.
bool can_decode();

/// Decodes any kind of JPEG with libjpeg-turbo, or a PNG; the first bytes decide. Grey becomes three equal colours;
/// CMYK and YCCK are converted as in Pillow (Adobe's inverted values, multiplied by their lightness); transparency is
/// dropped. A JPEG is decoded at a half, a quarter or an eighth of its size if its shorter side stays at least `least`.
/// Throws std::runtime_error that completes "FILE …" if the picture is damaged, truncated, neither JPEG nor PNG, or
/// larger than 178 million pixels. Extra bytes between the parts of a JPEG are ignored.
Picture decode_picture(std::string_view bytes, std::size_t least);

/// How a picture becomes an image of a batch: it is resized so that its shorter side is `shorter`, then the middle
/// `size` × `size` is cut out, as by torchvision's Resize and CenterCrop.
struct Crop {
  int shorter = 256, size = 224;
  std::size_t floats() const { return static_cast<std::size_t>(size) * static_cast<std::size_t>(size) * 3; }
  /// The horizontal and the vertical axis for a picture of that width and height.
  std::array<CropAxis, 2> axes(std::size_t width, std::size_t height) const;
};

/// The mean and the standard deviation of a colour, as for torchvision's weights:
/// https://pytorch.org/vision/stable/models.html ("mean=[0.485, 0.456, 0.406], std=[0.229, 0.224, 0.225]").
inline constexpr float colour_means[] = {0.485F, 0.456F, 0.406F}, colour_deviations[] = {0.229F, 0.224F, 0.225F};

/// Normalises a colour: colour × scale - shift; for host and kernels.
struct ColourScale {
  float scale[3] = {}, shift[3] = {};
};
constexpr ColourScale colour_scale() {
  ColourScale scale;
  for (int c = 0; c < 3; ++c) {
    scale.scale[c] = 1 / (255 * colour_deviations[c]);
    scale.shift[c] = colour_means[c] / colour_deviations[c];
  }
  return scale;
}

/// Writes the crop to `to`: size × size × 3, channels innermost. As in Pillow, a new pixel is a weighted mean of all
/// pixels below it (bilinear), but here without intermediate rounding. Each colour c becomes (c/255 - mean) /
/// deviation.
void crop_picture(const Picture& picture, const Crop& crop, float* to);

}  // namespace rv::workers
