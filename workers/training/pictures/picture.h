#pragma once

#include <array>
#include <cstdint>
#include <string_view>
#include <vector>

#include "workers/training/pictures/crop_axis.h"

namespace rv::workers {

/// Red, green and blue of each pixel, row by row.
struct Picture {
  std::size_t width = 0, height = 0;
  std::vector<std::uint8_t> pixels;
};

/// Whether this build has libjpeg-turbo and libpng.
bool can_decode();

/// A JPEG of any kind, by libjpeg-turbo, or a PNG, by its first bytes: grey becomes three equal colours, inks (CMYK,
/// YCCK) become what Pillow makes of them (Adobe's inverted values, whose lightness is multiplied), transparency is
/// dropped. A JPEG whose shorter side stays at least `least` is decoded at a half, a quarter or an eighth.
/// Throws std::runtime_error that completes "FILE …" where it is damaged, cut off, neither of both, or larger than
/// 178 million pixels. Bytes that stand between the parts of a JPEG are no damage.
Picture decode_picture(std::string_view bytes, std::size_t least);

/// How pictures become images of a batch: the shorter side is brought to `shorter`, then the middle `size` × `size` is
/// taken, as torchvision's Resize and CenterCrop do.
struct Crop {
  int shorter = 256, size = 224;
  std::size_t floats() const { return static_cast<std::size_t>(size) * static_cast<std::size_t>(size) * 3; }
  /// Across and down, of a picture of that width and height.
  std::array<CropAxis, 2> axes(std::size_t width, std::size_t height) const;
};

/// What is taken off a colour of 0 to 255, and what it is divided by: torchvision's weights',
/// https://pytorch.org/vision/stable/models.html ("mean=[0.485, 0.456, 0.406], std=[0.229, 0.224, 0.225]").
inline constexpr float colour_means[] = {0.485F, 0.456F, 0.406F}, colour_deviations[] = {0.229F, 0.224F, 0.225F};

/// A colour is brought to its deviation by colour × scale - shift; for the host and for kernels.
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

/// The crop, `to` size × size × 3, channels innermost. As on Pillow's images: bilinear over all pixels that fall into a
/// new one; here without rounding in between. Each colour c becomes (c/255 - mean) / deviation.
void crop_picture(const Picture& picture, const Crop& crop, float* to);

}  // namespace rv::workers
